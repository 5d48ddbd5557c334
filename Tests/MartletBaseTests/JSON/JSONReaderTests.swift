import MartletBase
import Testing

@Suite struct JSONReaderTests {
  struct Case: JSONReadable, Equatable {
    var id: String
    var shape: [Int]
    var seed: UInt64?
    var scale: Float
    var steps: [Double?]
    var isExact: Bool

    init(_ reader: JSONReader) throws(JSONError) {
      id = try reader.value("id")
      shape = try reader.value("shape")
      seed = try reader.optional("seed")
      scale = try reader.value("scale")
      steps = try reader.value("steps")
      isExact = try reader.value("exact")
    }
  }

  func text(_ changes: [String: String] = [:]) -> String {
    let members = [
      "id": #""x""#, "shape": "[1, 2]", "seed": "18446744073709551615", "scale": "0.1",
      "steps": "[1, null, -2.5]", "exact": "true",
    ].merging(changes) { $1 }
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  @Test func readsMembersOfEachType() throws {
    let value = try Case(json: Array(text().utf8))
    #expect(value.id == "x" && value.shape == [1, 2] && value.seed == .max && value.scale == 0.1)
    #expect(value.steps == [1, nil, -2.5] && value.isExact)
    #expect(try Case(json: Array(text(["seed": "null"]).utf8)).seed == nil)
  }

  @Test(
    arguments: [
      (["id": "1"], .mismatch(path: "cases[1].id", expected: "string")),
      (["shape": "[1,2.5]"], .mismatch(path: "cases[1].shape[1]", expected: "whole number")),
      (
        ["shape": "[9223372036854775808]"],
        .mismatch(path: "cases[1].shape[0]", expected: "whole number")
      ),
      (["shape": "{}"], .mismatch(path: "cases[1].shape", expected: "array")),
      (["seed": "-1"], .mismatch(path: "cases[1].seed", expected: "whole number of at least 0")),
      (["scale": "null"], .mismatch(path: "cases[1].scale", expected: "number")),
      (["exact": "0"], .mismatch(path: "cases[1].exact", expected: "Boolean")),
    ] as [([String: String], JSONError)])
  func reportsPathOfTypeMismatch(_ changes: [String: String], _ expected: JSONError) {
    struct Cases: JSONReadable {
      init(_ reader: JSONReader) throws(JSONError) { let _: [Case] = try reader.value("cases") }
    }
    #expect(throws: expected) {
      try Cases(json: Array(#"{"cases":[\#(text()),\#(text(changes))]}"#.utf8))
    }
  }

  @Test func reportsMissingMembers() {
    #expect(throws: JSONError.missing(path: "id")) { try Case(json: Array("{}".utf8)) }
    #expect(throws: JSONError.mismatch(path: "", expected: "object")) {
      try Case(json: Array("[]".utf8))
    }
  }
}
