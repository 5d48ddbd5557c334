import Foundation
import MartletInference
import MartletModel
import Testing

/// Runs the one-operator models of `Fixtures/Operators` and compares with LiteRT's results.
@Suite struct OperatorCasesTests {
  struct Tensor: Decodable, Sendable {
    let dtype: String
    let offset: Int
    let nbytes: Int
  }

  struct Tolerance: Decodable, Sendable {
    let steps: Double?
    let atol: Double?
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let inputs: [Tensor]
    let outputs: [Tensor]
    let tolerance: [Tolerance]
    let model: String

    var testDescription: String { id }
  }

  struct Manifest: Decodable {
    let cases: [Case]
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/Operators")

  /// The folders of `Fixtures/Operators`, an operator each.
  static let operators =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()

  @Test func findsTheCases() {
    #expect(OperatorCasesTests.operators.count >= 50)
  }

  @Test(arguments: operators, KernelSet.allCases)
  func matchesTheOracle(_ name: String, _ kernels: KernelSet) throws {
    let folder = OperatorCasesTests.root.appendingPathComponent(name)
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: folder.appendingPathComponent("manifest.json")))
    for test in manifest.cases {
      try check(test, in: folder, kernels)
    }
  }

  private func check(_ test: Case, in folder: URL, _ kernels: KernelSet) throws {
    let path = folder.appendingPathComponent(test.model)
    let base = path.deletingPathExtension()
    let inputs = [UInt8](try Data(contentsOf: base.appendingPathExtension("in")))
    let outputs = [UInt8](try Data(contentsOf: base.appendingPathExtension("out")))
    let interpreter = try Interpreter(
      model: try Model(bytes: [UInt8](try Data(contentsOf: path))),
      options: Interpreter.Options(kernels: kernels))
    for (index, input) in test.inputs.enumerated() {
      try interpreter.setInput(
        index, to: Array(inputs[input.offset..<input.offset + input.nbytes]))
    }
    try interpreter.invoke()
    for (index, output) in test.outputs.enumerated() {
      let expected = Array(outputs[output.offset..<output.offset + output.nbytes])
      let found = try interpreter.output(index)
      guard output.dtype == "float32" else {
        #expect(found == expected, "\(test.id), output \(index)")
        continue
      }
      let limit = Float(test.tolerance[index].atol ?? 0)
      let pairs = zip(floats(found), floats(expected))
      #expect(found.count == expected.count, "\(test.id), output \(index)")
      for (element, (got, want)) in pairs.enumerated() {
        let isNear = got == want || (got - want).magnitude <= limit || (got.isNaN && want.isNaN)
        #expect(isNear, "\(test.id), output \(index), element \(element): \(got), not \(want)")
      }
    }
  }

  private func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { memory in
      (0..<memory.count / 4).map { memory.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }
}
