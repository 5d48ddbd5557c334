import Testing

@testable import MartletKernels

@Suite struct StackMemoryTests {
  @Test(arguments: [0, 1, 1024, 1025, 4096, 4097, 16 << 10, (16 << 10) + 1, StackMemory.limit])
  func givesAlignedZeroedMemory(byteCount: Int) {
    var isZero = false
    StackMemory.with(byteCount) { memory in
      #expect(UInt(bitPattern: memory) % 64 == 0)
      let bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
      isZero = bytes.allSatisfy { $0 == 0 }
      bytes.initializeMemory(as: UInt8.self, repeating: 0xff)
    }
    #expect(isZero)
  }

  @Test func callsMayNest() {
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
