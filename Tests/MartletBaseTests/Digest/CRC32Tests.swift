import MartletBase
import Testing

@Suite struct CRC32Tests {
  // Values of Python's zlib.crc32. The value for nine digits is the check value in lists of CRC
  // algorithms.
  private static let cases: [(bytes: [UInt8], crc: UInt32)] = [
    ([], 0),
    (Array("123456789".utf8), 0xCBF4_3926),
    ([UInt8](repeating: 255, count: 100_000), 0x68C6_CEC4),
    ((0..<5000).map { (i: Int) -> UInt8 in UInt8(i * i % 251) }, 0xDC85_D136),
  ]

  @Test(arguments: cases)
  func agreesWithZlib(bytes: [UInt8], crc: UInt32) {
    #expect(CRC32.checksum(bytes) == crc)
  }

  @Test func appendingTheChecksumLeavesTheKnownResidue() {
    let bytes = [UInt8]("The checksum follows the bytes, lowest first.".utf8)
    for end in 0...bytes.count {
      let crc = CRC32.checksum(bytes, range: 0..<end)
      var sealed = Array(bytes[..<end])
      for shift: UInt32 in [0, 8, 16, 24] {
        sealed.append(UInt8(truncatingIfNeeded: crc >> shift))
      }
      #expect(CRC32.checksum(sealed) == 0x2144_DF1C)
    }
  }
}
