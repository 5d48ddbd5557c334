import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct WebPLosslessTests {
  @Test func bitsComeLowestFirst() {
    let file: [UInt8] = [0b1010_0110, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    var reader = VP8LBitReader(0..<12)
    #expect(reader.number(3, from: file.span) == 0b110)
    #expect(reader.number(5, from: file.span) == 0b10100)
    #expect(reader.number(12, from: file.span) == 0x1FF)
    #expect(reader.number(32, from: file.span) == 0x5040_3020)
  }

  /// Every size of reads gives the bits of the same number.
  @Test(arguments: 1...32)
  func readsAreExactAtEverySize(_ size: Int) {
    var random = SplitMix64(seed: UInt64(size))
    let file = (0..<67).map { _ in UInt8.random(in: 0...255, using: &random) }
    let bits = file.flatMap { byte in (0..<8).map { Int(byte >> $0 & 1) } }
    var reader = VP8LBitReader(0..<67)
    for start in stride(from: 0, through: 67 * 8 - size, by: size) {
      let expected = (0..<size).reduce(0) { $0 | bits[start + $1] << $1 }
      #expect(reader.number(size, from: file.span) == expected)
      #expect(!reader.isOverrun)
    }
    _ = reader.number(32, from: file.span)
    #expect(reader.isOverrun)
  }

  /// Reads `count` symbols of a code from bits in the order of the stream.
  private func symbols(_ lengths: [UInt8], _ bits: String, count: Int) -> [Int]? {
    var tables = VP8LTables()
    guard let code = tables.add(lengths[...]) else { return nil }
    var bytes = [UInt8](repeating: 0, count: bits.count / 8 + 9)
    for (index, bit) in bits.enumerated() where bit == "1" { bytes[index / 8] |= 1 << (index % 8) }
    var reader = VP8LBitReader(0..<bytes.count)
    return tables.entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return nil }
      return (0..<count).map { _ in
        reader.refill(from: bytes.span)
        return reader.symbol(code, base)
      }
    }
  }

  /// Canonical codes: 0, 10, 110, 111 for the symbols 1, 0, 3, 4.
  @Test func readsShortCodes() {
    #expect(symbols([2, 1, 0, 3, 3], "0101101110", count: 5) == [1, 0, 3, 4, 1])
  }

  @Test func readsLongCodes() {
    // 0, 10, 110 and so on, up to two codes of 15 bits.
    let lengths = (1...14).map { UInt8($0) } + [15, 15]
    for symbol in 0..<16 {
      let code = String(repeating: "1", count: min(symbol, 15)) + (symbol < 15 ? "0" : "")
      #expect(symbols(lengths, code + "10", count: 2) == [symbol, 1])
    }
  }

  @Test func singleSymbolTakesNoBits() {
    #expect(symbols([0, 0, 7], "", count: 3) == [2, 2, 2])
  }

  @Test(arguments: [[0, 0, 0], [1, 2], [1, 1, 1], [2, 2, 2], []] as [[UInt8]])
  func rejectsIncompleteAndOversubscribedCodes(_ lengths: [UInt8]) {
    #expect(symbols(lengths, "", count: 1) == nil)
  }
}
