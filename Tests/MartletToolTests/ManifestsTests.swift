import MartletCommandLine
import MartletInference
import Testing

@testable import MartletTool

/// Invalid manifests fail with typed errors and never trap.
@Suite struct ManifestsTests {
  func operatorCase(offset: Int, steps: Int, tolerances: Int) throws -> OperatorCase {
    let tensor = #"{"dtype": "float32", "shape": [1, 4], "offset": \#(offset), "nbytes": 4}"#
    let tolerance = [String](repeating: #"{"steps": 0}"#, count: tolerances)
    let text = """
      {"id": "x", "op": "ADD", "variant": "", "steps": \(steps), "inputs": [\(tensor)],
       "outputs": [\(tensor)], "tolerance": [\(tolerance.joined(separator: ","))],
       "model": "x.tflite", "compare_rows": "count"}
      """
    return try OperatorCase(json: Array(text.utf8))
  }

  @Test(arguments: [(Int.max, 1, 1), (-1, 1, 1), (0, -1, 1), (0, Int.max, 1), (0, 1, 0)])
  func inconsistentNumbersFailTheCase(_ offset: Int, _ steps: Int, _ tolerances: Int) throws {
    let test = try operatorCase(offset: offset, steps: steps, tolerances: tolerances)
    let runner = ConformanceRunner(folder: "/", models: "/", options: .init())
    let expected = CaseResult.Outcome.failed("the manifest's numbers do not fit together")
    #expect(runner.run(test).outcome == expected)
  }

  @Test func rowCountOfNaNIsZero() throws {
    let test = try operatorCase(offset: 0, steps: 1, tolerances: 1)
    #expect(test.definedCount(ofOutput: 0, in: [0, 0, 0xC0, 0x7F]) == 0)
    #expect(test.definedCount(ofOutput: 0, in: [0, 0, 0x40, 0x40]) == 3)
  }

  @Test func missingBrokenFileFails() {
    let runner = ConformanceRunner(folder: "/nowhere", models: "", options: .init())
    let outcome = runner.run(BrokenFile(file: "x.tflite", litert: "error")).outcome
    #expect(outcome == .failed("cannot be read"))
  }

  @Test(arguments: [
    // LiteRT's own spread is the tolerance, up to five thousandths of the range.
    (#""auto_vs_ref": {}, "#, 1e-5, 1e-5), (#""auto_vs_ref": {}, "#, 0.3, 0.01),
    // Without it, at least a ten thousandth of the range.
    ("", 1e-5, 2e-4), ("", 1e-3, 1e-3),
  ])
  func floatToleranceIsRelativeToTheirRange(
    spread: String, stated: Double, allowed: Double
  ) throws {
    let json = """
      {"dtype": "FLOAT32", "file": "x", "layout": "full", "stats": {"min": -2, "max": 1}, \(spread)
       "suggested_tolerance": {"atol": \(stated)}}
      """
    let output = try GoldenCase.Output(json: Array(json.utf8))
    #expect(output.tolerance.atol == allowed)
  }
}
