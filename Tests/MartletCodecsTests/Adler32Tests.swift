import Testing

@testable import MartletCodecs

@Suite struct Adler32Tests {
  // Values of Python's zlib.adler32.
  private static let cases: [(bytes: [UInt8], adler: UInt32)] = [
    ([], 1),
    (Array("123456789".utf8), 0x091E_01DE),
    ([UInt8](repeating: 255, count: 100_000), 0x149A_302C),
    ((0..<5000).map { (i: Int) -> UInt8 in UInt8(i * i % 251) }, 0xBF3F_0421),
  ]

  @Test(arguments: cases)
  func agreesWithZlib(bytes: [UInt8], adler: UInt32) {
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
}
