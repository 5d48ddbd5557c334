import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

@Suite struct SignatureTests {
  /// Two signatures over two subgraphs: a - b and a + b.
  func model() -> Model {
    var graphs: [TestModel] = []
    var signatures: [Signature] = []
    for (key, builtin) in [("sub", BuiltinOperator.sub), ("add", .add)] {
      var graph = TestModel()
      let a = graph.tensor(.float32, [1])
      let b = graph.tensor(.float32, [1])
      let y = graph.tensor(.float32, [1])
      graph.inputs = [a, b]
      graph.outputs = [y]
      graph.add(
        builtin, [a, b], [y],
        options: builtin == .sub ? .sub(AddOptions()) : .add(AddOptions()))
      signatures.append(
        Signature(
          key: key, subgraph: graphs.count,
          inputs: [
            SignatureTensor(name: "b", tensor: b), SignatureTensor(name: "a", tensor: a),
          ], outputs: [SignatureTensor(name: "y", tensor: y)]))
      graphs.append(graph)
    }
    return TestModel.joined(graphs, signatures: signatures)
  }

  func bytes(_ value: Float) -> [UInt8] { value.bitPattern.littleEndianBytes }

  @Test(arguments: [("sub", 3), ("add", 7)] as [(String, Float)])
  func runsASignatureByName(key: String, expected: Float) throws {
    let model = model()
    #expect(model.signatureKeys == ["sub", "add"])
    let interpreter = try Interpreter(model: model, signature: key)
    #expect(interpreter.inputs.map(\.name) == ["b", "a"])
    #expect(try interpreter.run(["a": bytes(5), "b": bytes(2)]) == ["y": bytes(expected)])
  }

  @Test func refusesUnknownNames() throws {
    #expect(throws: InferenceError.noSuchSignature(name: "mul")) {
      try Interpreter(model: model(), signature: "mul")
    }
    let interpreter = try Interpreter(model: model(), signature: "sub")
    #expect(throws: InferenceError.noSuchName("c")) { try interpreter.inputIndex(named: "c") }
    #expect(throws: InferenceError.noSuchName("a")) { try interpreter.outputIndex(named: "a") }
  }

  @Test func acceptsTheNamesOfASubgraphsTensors() throws {
    let interpreter = try Interpreter(model: model())
    #expect(try interpreter.run(["t0": bytes(5), "t1": bytes(2)]) == ["t2": bytes(3)])
  }
}
