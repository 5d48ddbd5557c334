import Testing

@testable import MartletBase

@Suite struct StackMemoryTests {
  @Test(arguments: [0, 1, 1024, 1025, 4096, 4097, 16 << 10, (16 << 10) + 1, StackMemory.limit])
  func providesAlignedMemory(byteCount: Int) {
    var sum = 0
    StackMemory.with(byteCount) { memory in
      #expect(UInt(bitPattern: memory) % 64 == 0)
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
      for i in bytes.indices { bytes[i] = 1 }
      sum = bytes.reduce(0) { $0 + Int($1) }
    }
    #expect(sum == byteCount)
  }

  @Test func moreThanTheLimitTraps() async {
    await #expect(processExitsWith: .failure) {
      StackMemory.with(StackMemory.limit + 1) { _ in }
    }
  }

  @Test func supportsNestedCalls() {
    var sum = 0
    StackMemory.with(4096) { outer in
      outer.storeBytes(of: 5, as: Int.self)
      StackMemory.with(4096) { inner in
        inner.storeBytes(of: 7, as: Int.self)
        sum = outer.load(as: Int.self) + inner.load(as: Int.self)
      }
    }
    #expect(sum == 12)
  }
}
