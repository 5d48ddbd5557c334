import Testing

@testable import MartletCodecs

@Suite struct JPEGHuffmanTests {
  /// The codes of a table, computed one by one (ITU-T T.81, annex C).
  private func codes(_ lengths: [Int], _ symbols: [UInt8]) -> [(bits: String, symbol: UInt8)] {
    var result: [(String, UInt8)] = []
    var code = 0
    for (index, count) in lengths.enumerated() {
      for _ in 0..<count {
        let digits = String(code, radix: 2)
        let zeros = String(repeating: "0", count: index + 1 - digits.count)
        result.append((zeros + digits, symbols[result.count]))
        code += 1
      }
      code <<= 1
    }
    return result
  }

  /// The bytes of binary digits, padded with ones. A byte of ones is followed by a zero byte.
  private func bytes(_ digits: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Substring(digits + String(repeating: "1", count: (8 - digits.count % 8) % 8))
    while !rest.isEmpty {
      let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
      result += byte == 0xFF ? [byte, 0] : [byte]
      rest = rest.dropFirst(8)
    }
    return result
  }

  @Test(arguments: [
    [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200],
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  ])
  func readsEveryCodeAndTheValueAfterIt(lengths: [Int]) throws {
    let symbols = (0..<lengths.reduce(0, +)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let table = try JPEGHuffmanTable(lengths: lengths, symbols: symbols, isDC: false)
    let codes = codes(lengths, symbols)
    let digits = codes.map {
      $0.bits + String(repeating: "10", count: 8).prefix(Int($0.symbol & 15))
    }
    let data = bytes(digits.joined()) + [0xFF, 0xD9]
    var bits = JPEGBitReader(start: 0)
    for code in codes {
      let symbol = bits.symbol(table.codes, from: data.span)
      #expect(symbol == Int(code.symbol))
      let size = Int(code.symbol & 15)
      // The digits begin with one, so the value is positive.
      let value = Int32("0" + String(repeating: "10", count: 8).prefix(size), radix: 2)
      let got = bits.value(size)
      #expect(got == value)
    }
    #expect(!bits.isOverrun)
  }

  @Test(arguments: [
    ("0", -1), ("1", 1), ("00", -3), ("01", -2), ("10", 2), ("0000", -15), ("1111", 15),
    ("011111111111111", -16384), ("100000000000000", 16384),
  ])
  func extendsTheSign(digits: String, value: Int32) throws {
    let number = try #require(Int32(digits, radix: 2))
    #expect(JPEGBitReader.extend(number, size: digits.count) == value)
  }

  @Test func invalidCodeHasNoSymbol() throws {
    let table = try JPEGHuffmanTable(
      lengths: [0, 1] + Array(repeating: 0, count: 14), symbols: [3], isDC: true)
    let data: [UInt8] = [0xC0]
    var bits = JPEGBitReader(start: 0)
    let symbol = bits.symbol(table.codes, from: data.span)
    #expect(symbol == -1)
  }

  @Test func readsPastStuffedZerosUpToAMarker() {
    let data: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    var bits = JPEGBitReader(start: 0)
    let numbers = [16, 4, 4].map { bits.number($0, from: data.span) }
    #expect(numbers == [0x12FF, 3, 4])
    #expect(!bits.isOverrun)
    #expect(bits.position == 4)
    let made = bits.bit(from: data.span)
    #expect(!made)
    #expect(bits.isOverrun)
    bits.restart(at: 6)
    let last = bits.number(8, from: data.span)
    #expect(last == 0x56)
    #expect(!bits.isOverrun)
  }

  @Test func readsAllBytesOfALongRun() {
    let data = (0..<100).map { UInt8($0) }
    var bits = JPEGBitReader(start: 0)
    for (index, width) in (0..<160).map({ ($0, 5) }) {
      let first = index * width
      let expected = (first..<first + width).reduce(0) { value, bit in
        value << 1 | Int(data[bit / 8] >> UInt8(7 - bit % 8) & 1)
      }
      let got = bits.number(width, from: data.span)
      #expect(got == expected)
    }
    #expect(bits.position == 100)
  }

  /// The tables that a file may omit are the ones that common encoders write.
  @Test func usesStandardTablesIfFileHasNone() throws {
    let bytes = try ImageFixtures.bytes("JPEG/comment.jpg")
    #expect(bytes.contains(0xC4))
    #expect(
      try JPEG.decode(ImageFixtures.bytes("JPEG/standard-tables.jpg")) == JPEG.decode(bytes))
    #expect(JPEGHuffmanTable.standard(2) == nil)
  }
}
