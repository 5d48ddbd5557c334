//===--- EmbeddedModelTests.swift -----------------------------------------===//
//
// The embedded text, the `.tflite` files and MANIFEST.json must agree.
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import MartletWeights

@Suite struct EmbeddedModelTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Weights")

  private struct Entry: Decodable {
    var name, file, sha256: String
    var bytes: Int
  }

  private static func entry(_ model: ShippedModel) throws -> Entry {
    let data = try Data(contentsOf: folder.appending(path: "MANIFEST.json"))
    let entries = try JSONDecoder().decode([Entry].self, from: data)
    return try #require(entries.first { $0.name == "\(model)" })
  }

  /// The eighth character has the highest bits. The remaining bytes at the end use one character
  /// each and one more.
  @Test(
    arguments: [
      ("", []), ("!@", [0x61]), ("!A", [0xE1]), ("@\u{7F}@", [0, 0x3F]), ("@@B", [0, 0x80]),
      ("@ABCDEF@", [0, 1, 2, 3, 4, 5, 6]),
      ("@ABCDEF?", [0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86]),
      ("@ABCDEFT", [0, 1, 0x82, 3, 0x84, 5, 6]), ("????????", [UInt8](repeating: 0xFF, count: 7)),
      ("@@@@@@@@\u{0}@", [0, 0, 0, 0, 0, 0, 0, 0x40]),
    ] as [(StaticString, [UInt8])])
  func eightCharactersDecodeToSevenBytes(text: StaticString, expected: [UInt8]) {
    #expect(decoded(text) == expected)
  }

  @Test(arguments: ShippedModel.allCases)
  func embedsTheFileByteForByte(model: ShippedModel) throws {
    let entry = try Self.entry(model)
    let file = try Data(contentsOf: Self.folder.appending(path: entry.file))
    #expect(model.bytes.elementsEqual(file))
  }

  @Test(arguments: ShippedModel.allCases)
  func matchesTheManifest(model: ShippedModel) throws {
    let entry = try Self.entry(model)
    #expect(model.bytes.count == entry.bytes)
    #expect(sha256(model.bytes) == entry.sha256)
  }

  @Test(arguments: ShippedModel.allCases)
  func hasTensorFlowLiteFileIdentifier(model: ShippedModel) {
    #expect(model.bytes.dropFirst(4).prefix(4).elementsEqual("TFL3".utf8))
  }

  /// Examples of FIPS 180-4, and a message whose padding needs a second block.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digestMatchesTheStandard(message: String, expected: String) {
    #expect(sha256(Array(message.utf8)) == expected)
  }
}
