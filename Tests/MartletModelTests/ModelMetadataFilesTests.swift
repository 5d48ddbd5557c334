import MartletTestSupport
import Testing

@testable import MartletModel

@Suite struct ModelMetadataFilesTests {
  /// A file with this type and language.
  private static func file(
    _ name: String, type: UInt8 = 2, locale: String? = nil
  ) -> [Int: FlatField] {
    var fields: [Int: FlatField] = [0: .string(name), 2: .uint8(type)]
    fields[3] = locale.map { .string($0) }
    return fields
  }

  private func labels(
    _ associated: [[Int: FlatField]], files: [String: String], locale: String? = nil,
    type: AssociatedFileType = .tensorAxisLabels
  ) throws -> TensorLabels? {
    let file = MetadataFile(output: [6: .tables(associated)], files: files)
    let metadata = try #require(try file.metadata())
    return try metadata.labels(of: metadata.subgraphs[0].outputs[0], type: type, locale: locale)
  }

  @Test(arguments: [
    ("cat\ndog\n", ["cat", "dog"]), ("cat\ndog", ["cat", "dog"]),
    ("cat\r\ndog\r\n", ["cat", "dog"]),
    ("cat\n\n", ["cat", ""]), ("cat\n\ndog\n", ["cat", "", "dog"]), ("", []), ("???\n", ["???"]),
    ("käse\n", ["käse"]),
  ])
  func splitsLines(text: String, names: [String]) throws {
    let labels = try labels([Self.file("l.txt")], files: ["l.txt": text])
    #expect(labels == TensorLabels(names: names, displayNames: nil))
  }

  @Test(arguments: [
    (String?.none, [String]?.none), ("en", ["Cat", "Dog"]), ("de", ["Katze", "Hund"]), ("fr", nil),
    ("", nil), ("en-US", ["Cat", "Dog"]), ("EN_gb", ["Cat", "Dog"]), ("eng", nil),
  ])
  func selectsALanguage(locale: String?, displayNames: [String]?) throws {
    let labels = try labels(
      [Self.file("m"), Self.file("m-en", locale: "en"), Self.file("m-de", locale: "de")],
      files: ["m": "/m/1\n/m/2\n", "m-en": "Cat\nDog\n", "m-de": "Katze\nHund\n"], locale: locale)
    #expect(labels == TensorLabels(names: ["/m/1", "/m/2"], displayNames: displayNames))
  }

  @Test func regionMatchesItsLanguage() throws {
    let labels = try labels(
      [Self.file("m"), Self.file("uk", locale: "en-GB"), Self.file("us", locale: "en-US")],
      files: ["m": "a\n", "uk": "lorry\n", "us": "truck\n"], locale: "en")
    #expect(labels?.displayNames == ["lorry"])
  }

  @Test func rejectsFileOfNewlines() {
    let limit = ModelLimits.textLines
    #expect(
      throws: MetadataError.text(file: "l.txt", .lineCount(found: limit + 1, limit: limit))
    ) {
      _ = try labels(
        [Self.file("l.txt")], files: ["l.txt": String(repeating: "\n", count: limit + 1)])
    }
  }

  @Test func distinguishesFileTypes() throws {
    let associated = [Self.file("d", type: 1), Self.file("v", type: 3)]
    let files = ["d": "words", "v": "person\n"]
    #expect(try labels(associated, files: files) == nil)
    #expect(
      try labels(associated, files: files, type: .tensorValueLabels)?.names == ["person"])
  }

  @Test func rejectsMissingFile() {
    #expect(throws: MetadataError.missingFile(name: "l.txt")) {
      _ = try labels([Self.file("l.txt")], files: ["other": ""])
    }
    #expect(throws: MetadataError.missingFile(name: "l.txt")) {
      _ = try labels([Self.file("l.txt")], files: [:])
    }
  }

  @Test func rejectsOtherDisplayNameCount() {
    #expect(throws: MetadataError.labelCount(found: 1, expected: 2)) {
      _ = try labels(
        [Self.file("a"), Self.file("b", locale: "en")], files: ["a": "1\n2\n", "b": "1\n"],
        locale: "en")
    }
  }

  private func calibrations(_ text: String) throws -> [SigmoidParameters?]? {
    let file = MetadataFile(
      output: [6: .tables([Self.file("c", type: 4)])], files: ["c": text])
    let metadata = try #require(try file.metadata())
    return try metadata.scoreCalibrations(of: metadata.subgraphs[0].outputs[0])
  }

  @Test func readsScoreCalibrations() throws {
    #expect(
      try calibrations("1,2,3\n\n0.5,-2e-1, 3,0.25\r\n") == [
        SigmoidParameters(scale: 1, slope: 2, offset: 3, minimumScore: nil), nil,
        SigmoidParameters(scale: 0.5, slope: -0.2, offset: 3, minimumScore: 0.25),
      ])
  }

  @Test(arguments: [
    ("1,2,3\n1,2\n", MetadataError.calibrationFields(line: 1, found: 2)),
    ("1,2,3,4,5\n", .calibrationFields(line: 0, found: 5)),
    ("1,x,3\n", .calibrationNumber(line: 0, field: 1)),
    ("1,2,\n", .calibrationNumber(line: 0, field: 2)),
    ("1,2,nan\n", .calibrationNumber(line: 0, field: 2)),
    ("-1,2,3\n", .calibrationNumber(line: 0, field: 0)),
  ])
  func rejectsCalibrations(text: String, error: MetadataError) {
    #expect(throws: error) { _ = try calibrations(text) }
  }

  @Test func hasNoCalibrationsWithoutAFile() throws {
    let metadata = try #require(try MetadataFile(files: ["x": "y"]).metadata())
    #expect(try metadata.scoreCalibrations(of: metadata.subgraphs[0].outputs[0]) == nil)
    #expect(try metadata.contents(ofFile: "x") == Array("y".utf8))
    #expect(try metadata.contents(ofFile: "z") == nil)
  }
}
