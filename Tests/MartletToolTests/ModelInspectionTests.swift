import Foundation
import MartletCommandLine
import MartletInference
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct ModelInspectionTests {
  func inspection(_ path: String) throws -> ModelInspection {
    try ModelInspection(
      bytes: try Files.model(FilePath(Fixtures.root.appending(path: path).path)), options: .init())
  }

  /// The JSON of a model, decoded by Foundation.
  func json(_ path: String) throws -> [String: Any] {
    let text = "\(try inspection(path).json(nil))"
    return try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func jsonDescribesTheWholeModel() throws {
    let json = try json("Weights/classifier.tflite")
    let graph = try #require((json["graphs"] as? [[String: Any]])?.first)
    let operators = try #require(graph["operators"] as? [[String: Any]])
    let tensors = try #require(graph["tensors"] as? [[String: Any]])
    let first = try #require(operators.first { $0["name"] as? String == "CONV_2D" })
    let options = try #require(first["options"] as? [String: Any])
    #expect(options["padding"] as? String == "same" && options["strideHeight"] as? Int != nil)
    let output = try #require((graph["outputs"] as? [Int])?.first)
    let map = try #require(tensors[output]["quantization"] as? [String: Any])
    #expect((map["scales"] as? [Double])?.count == 1)
    // The sizes of the parts add up to the total.
    let work = operators.compactMap { $0["multiplyAdds"] as? Int }.reduce(0, +)
    #expect(work > 1_000_000 && work == json["multiplyAdds"] as? Int)
    let constants = tensors.compactMap { $0["constantBytes"] as? Int }.reduce(0, +)
    #expect(constants == json["constantBytes"] as? Int)
    let plan = try #require(json["memoryPlan"] as? [[String: Any]])
    let ends = plan.compactMap { ($0["offset"] as? Int ?? 0) + ($0["bytes"] as? Int ?? 0) }
    #expect(ends.max() == json["arenaBytes"] as? Int)
  }

  /// A detector has hundreds of tensors.
  @Test func textIsAnOverview() throws {
    let text = try inspection("Weights/localizer.tflite").text
    #expect(text.split(separator: "\n").count < 60)
    #expect(text.contains("CONV_2D v") && text.contains("bytes of packed weights"))
    #expect(MartletTool.run(["inspect", "a.tflite", "--all", "--json"]) == 2)
  }

  @Test func detailsListTensorsNodesAndOptions() throws {
    let text = try inspection("Weights/localizer.tflite").details
    // Only constants have a number of bytes.
    #expect(text.contains(/\]\s+input\b/))
    for word in [
      "CONV_2D v", "padding=same", "multiply-adds", "memory plan",
    ] {
      #expect(text.contains(word), "\(word)")
    }
  }

  /// Escape sequences in the names of tensors, operators and subgraphs, and one line feed.
  @Test func escapesControlCharactersInNames() throws {
    let escaped = try inspection("Tests/Fixtures/Text/escname.tflite")
    let text = escaped.text + "\n" + escaped.details
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(text.contains("im\\u{1B}[2Jage") && text.contains("main\\u{1B}[31m"))
    #expect(text.contains("y\\u{1B}[31m\\u{A}fake: line"))
  }

  @Test func escapesControlCharactersInLabels() throws {
    let text = try inspection("Tests/Fixtures/Text/esc.tflite").text
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{9B}" })
    #expect(text.contains("\\u{1B}[31mRED\\u{1B}]0;pwn\\u{7}"))
  }

  @Test func describesModelWithMissingOperators() throws {
    let inspection = try inspection("Tests/Fixtures/Models/own_operators.tflite")
    #expect(inspection.interpreter == nil)
    #expect(!inspection.missing.isEmpty)
    for operation in inspection.missing { #expect(inspection.text.contains(operation.name)) }
    let json = try json("Tests/Fixtures/Models/own_operators.tflite")
    #expect((json["missingOperators"] as? [Any])?.count == inspection.missing.count)
    #expect((json["graphs"] as? [Any])?.count == 1)
  }
}
