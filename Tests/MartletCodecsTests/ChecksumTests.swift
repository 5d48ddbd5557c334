import Testing

@testable import MartletCodecs

@Suite struct ChecksumTests {
  // Values of Python's zlib.crc32 and zlib.adler32.
  @Test(arguments: [
    ([UInt8](), 0, 1),
    (Array("123456789".utf8), 0xCBF4_3926, 0x091E_01DE),
    ([UInt8](repeating: 255, count: 100_000), 0x68C6_CEC4, 0x149A_302C),
    ((0..<5000).map { UInt8($0 * $0 % 251) }, 0xDC85_D136, 0xBF3F_0421),
  ])
  func agreesWithZlib(bytes: [UInt8], crc: UInt32, adler: UInt32) {
    #expect(CRC32.checksum(bytes, range: 0..<bytes.count) == crc)
    #expect(Adler32.checksum(bytes.span) == adler)
  }

  @Test func agreesWithTheDefinitionAtEveryLength() {
    let bytes = (0..<70).map { UInt8($0 * 37 % 256) }
    for end in 0...bytes.count {
      var (a, b): (UInt32, UInt32) = (1, 0)
      for byte in bytes[..<end] {
        a = (a + UInt32(byte)) % 65521
        b = (b + a) % 65521
      }
      #expect(Adler32.checksum(Array(bytes[..<end]).span) == b << 16 | a)
    }
  }

  @Test func appendingTheChecksumLeavesTheKnownResidue() {
    let bytes = (0..<41).map { UInt8($0 * 91 % 256) }
    for end in 0...bytes.count {
      let crc = CRC32.checksum(bytes, range: 0..<end)
      let sealed = bytes[..<end] + (0..<4).map { UInt8(truncatingIfNeeded: crc >> ($0 * 8)) }
      #expect(CRC32.checksum(Array(sealed), range: 0..<sealed.count) == 0x2144_DF1C)
    }
  }
}
