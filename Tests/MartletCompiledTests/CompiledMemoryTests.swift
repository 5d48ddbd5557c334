//===--- CompiledMemoryTests.swift ----------------------------------------===//

import MartletCompiled
import Testing

@Suite struct CompiledMemoryTests {
  private func read(_ address: UnsafeRawPointer, _ count: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: address, count: count))
  }

  @available(macOS 26, iOS 26, *)
  @Test func literalIsReadFromItsLowestByte() {
    #expect(read(CompiledMemory.bytes(0x0100), 2) == [0, 1])
    // 20 bytes, more than two words.
    let literal = CompiledMemory.bytes(0xFF13_1211_100F_0E0D_0C0B_0A09_0807_0605_0403_0201)
    #expect(read(literal, 20) == [UInt8](1...19) + [0xFF])
    // Records are read as integers of four bytes.
    #expect(UInt(bitPattern: literal) % 4 == 0)
  }

  @available(macOS 26, iOS 26, *)
  @Test func highestZeroBytesAreKeptByADigitBeforeThem() {
    #expect(
      read(CompiledMemory.bytes(0x1_0000_0000_0000_0000_0000_0000_0000_0005), 16)
        == [5] + [UInt8](repeating: 0, count: 15))
  }

  /// Each literal but the last has 4,096 bytes, the size that the compiler writes.
  @available(macOS 26, iOS 26, *)
  @Test func piecesFollowEachOther() {
    let bytes = read(CompiledMemory.bytes(count: 4099, 0x05, 0x030201), 4099)
    #expect(bytes[0] == 5)
    #expect(Array(bytes[4096...]) == [1, 2, 3])
  }

  @available(macOS 26, iOS 26, *)
  @Test func addressesAreThoseOfTheElements() {
    var array: InlineArray<3, Int8> = [1, 2, 3]
    CompiledMemory.withAddress(of: &array) { $0[1] = 7 }
    #expect(array[1] == 7)
    var elements: [Int8] = [4, 5]
    #expect(CompiledMemory.withAddress(of: elements.span, count: 2) { $0[1] } == 5)
    var span = elements.mutableSpan
    CompiledMemory.withAddress(of: &span, count: 2) { $0[0] = 9 }
    #expect(elements == [9, 5])
  }

  @available(macOS 26, iOS 26, *)
  @Test func otherCountsEndTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let elements: [Int8] = [4, 5]
      CompiledMemory.withAddress(of: elements.span, count: 3) { _ in }
    }
  }
}
