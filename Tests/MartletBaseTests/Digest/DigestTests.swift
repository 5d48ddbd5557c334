import MartletBase
import Testing

@Suite struct DigestTests {
  /// In optimized asynchronous functions a value of 32 bytes' alignment overran the frame.
  @Test func fitsIntoFramesOfAsynchronousFunctions() {
    #expect(MemoryLayout<Digest>.alignment <= 16)
    #expect(MemoryLayout<Digest>.size == 32)
  }

  @Test(
    arguments: [
      ("00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef", true),
      ("00112233445566778899AABBCCDDEEFF0123456789ABCDEF0123456789ABCDEF", true),
      ("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde", false),
      ("g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", false), ("", false),
    ])
  func readsAndWritesHexadecimalDigits(_ text: String, _ isDigest: Bool) {
    #expect(Digest(hexadecimal: text)?.hexadecimal == (isDigest ? text.lowercased() : nil))
  }
}
