import Foundation
import MartletCommandLine
import Testing

@Suite struct Base64Tests {
  @Test(arguments: 0...20) func equalsFoundation(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 83 + 7) }
    let text = Base64.text(of: bytes)
    #expect(text == Data(bytes).base64EncodedString())
    #expect(Base64.bytes(of: text) == bytes)
  }

  @Test(arguments: ["a", "ab", "abc", "a===", "====", "ab=c", "abcd=", "ab!d", "äbc", "abcd===="])
  func refusesOtherText(_ text: String) { #expect(Base64.bytes(of: text) == nil) }
}
