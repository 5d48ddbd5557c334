import MartletBase
import MartletReference
import Testing

@Suite struct UnpackTests {
  private func unpacked(_ bytes: [UInt8], _ type: ElementType, _ count: Int) -> [UInt8] {
    var y = [UInt8](repeating: 99, count: count)
    bytes.withUnsafeBytes { x in
      y.withUnsafeMutableBytes { Reference.unpack(x, type, into: $0) }
    }
    return y
  }

  @Test(arguments: [
    (ElementType.int4, [UInt8(0x21), 0xf8, 0x07], [1, 2, -8, -1, 7]),
    (.int4, [0x8f, 0x07], [-1, -8, 7, 0]),
    (.int2, [0b1110_0100, 0x01], [0, 1, -2, -1, 1]),
    (.int4, [], []),
  ])
  func unpacksLowestBitsFirstWithSign(_ type: ElementType, _ bytes: [UInt8], _ expected: [Int8]) {
    #expect(unpacked(bytes, type, expected.count).map { Int8(bitPattern: $0) } == expected)
  }

  @Test func unsignedIntegersHaveNoSign() {
    #expect(unpacked([0x21, 0xf8, 0x0f], .uint4, 5) == [1, 2, 8, 15, 15])
  }
}
