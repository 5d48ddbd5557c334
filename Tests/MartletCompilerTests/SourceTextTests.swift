//===--- SourceTextTests.swift --------------------------------------------===//

import Testing

@testable import MartletCompiler

@Suite struct SourceTextTests {
  @Test(arguments: [
    ("Model", true), ("personDetection2", true), ("_x", true), ("", false), ("2d", false),
    ("a-b", false), ("é", false), ("class", false), ("Span", false), ("InlineArray", false),
    ("Portable", false), ("Layer", false), ("CompiledTensor", false), ("Self", false),
    ("Copyable", false), ("_", false), ("__", true), ("await", false),
  ])
  func namesThatTheCodeUsesAreNotTypeNames(_ name: String, _ isTypeName: Bool) {
    #expect(SourceText.isTypeName(name) == isTypeName)
  }

  @Test(
    arguments: [
      ("StatefulPartitionedCall/scores:0", "scores"), ("a;b/image", "image"), ("Identity", nil),
      ("serving_default_x:0", "serving_default_x"), ("in", nil), ("conv 1", nil),
      ("a/await:0", nil), ("willSet", nil), ("didSet", nil), ("associatedtype", nil), ("_", nil),
      ("précédent", nil), ("copy", "copy"), ("left", "left"), ("get", "get"),
    ] as [(String, String?)])
  func lastPartOfATensorNameIsItsIdentifier(_ tensor: String, _ name: String?) {
    #expect(SourceText.identifier(tensor) == name)
  }

  @Test(arguments: [
    ("cup", #""cup""#), (#"a "b" \c"#, #""a \"b\" \\c""#), ("a\nb", #""a\u{A}b""#),
    ("Käse", #""Käse""#), ("\u{202E}x", #""\u{202E}x""#), (#"\(x)"#, #""\\(x)""#),
  ])
  func textCannotEndItsLiteral(_ text: String, _ literal: String) {
    #expect(SourceText.literal(text) == literal)
  }

  @Test func textCannotEndItsComment() {
    #expect(SourceText.comment("a\r\nb\u{2028}c") == "a  b c")
  }

  /// The first byte is lowest; a digit before the highest byte keeps it if it is zero.
  @Test(
    arguments: [
      ([1, 2, 0xFE], "0xfe0201"), ([0x10], "0x10"), ([1, 0], "0x10001"), ([0, 0], "0x10000"),
    ] as [([UInt8], String)])
  func bytesAreHexadecimalDigits(_ bytes: [UInt8], _ literal: String) {
    #expect(SourceText.literal(bytes[...]) == literal)
  }
}
