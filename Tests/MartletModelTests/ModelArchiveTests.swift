import MartletTestSupport
import Testing

@testable import MartletModel

@Suite struct ModelArchiveTests {
  private static let model = ModelTests.file.bytes

  private static func archive(_ files: [(String, [UInt8])]) -> [UInt8] {
    ArchiveWriter(files: files).bytes(behind: [])
  }

  @Test(arguments: [
    [("detector.tflite", model)], [("labels.txt", [65, 10]), ("a/detector.tflite", model)],
    [("detector.tflite", model), ("metadata", [1, 2, 3])],
  ])
  func readsTheOnlyModel(_ files: [(String, [UInt8])]) throws {
    let bytes = Self.archive(files)
    let model = try Model(bytes: bytes)
    #expect(Array(model.bytes) == Self.model)
    #expect(model.description == "a test")
    #expect(throws: Never.self) { try Model.checkBeginning(Array(bytes.prefix(128))) }
  }

  @Test(
    arguments: [
      (
        [("a.tflite", model), ("b.tflite", model)],
        "an archive of 2 models (unzip it, and choose one)"
      ), ([("a.txt", [65])], "a zip archive"),
    ] as [([(String, [UInt8])], String)])
  func refusesOtherArchives(_ files: [(String, [UInt8])], _ name: String) {
    #expect(throws: ModelError.format(name)) { try Model(bytes: Self.archive(files)) }
  }

  @Test func refusesDamagedModel() {
    var bytes = Self.archive([("a.tflite", Self.model)])
    bytes[60] ^= 1
    #expect {
      try Model(bytes: bytes)
    } throws: { error in
      guard case ModelError.format(let name) = error else { return false }
      return name.hasPrefix("an archive that cannot be read: ") && name.hasSuffix("(unzip it)")
    }
  }
}
