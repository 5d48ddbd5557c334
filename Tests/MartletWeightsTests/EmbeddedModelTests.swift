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

  /// The examples of RFC 4648, section 10, and the alphabet's two signs.
  @Test(arguments: [
    ("" as StaticString, ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
    ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"), ("fn5+Pz8/", "~~~???"),
  ])
  func decodesBase64(text: StaticString, expected: String) {
    #expect(decodedBase64(text) == Array(expected.utf8))
  }

  @Test(arguments: ShippedModel.allCases)
  func embedsTheFileByteForByte(model: ShippedModel) throws {
    let entry = try Self.entry(model)
    let file = try Data(contentsOf: Self.folder.appending(path: entry.file))
    #expect(model.bytes.elementsEqual(file))
  }

  @Test(arguments: ShippedModel.allCases)
  func agreesWithTheManifest(model: ShippedModel) throws {
    let entry = try Self.entry(model)
    #expect(model.bytes.count == entry.bytes)
    #expect(sha256(model.bytes) == entry.sha256)
  }

  @Test(arguments: ShippedModel.allCases)
  func carriesTheFileIdentifierOfTensorFlowLite(model: ShippedModel) {
    #expect(model.bytes.dropFirst(4).prefix(4).elementsEqual("TFL3".utf8))
  }

  /// Examples of FIPS 180-4 and a message that needs a second block for its padding.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func computesTheDigestOfTheStandard(message: String, expected: String) {
    #expect(sha256(Array(message.utf8)) == expected)
  }
}
