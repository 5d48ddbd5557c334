@testable import MartletModel
import MartletBase
import Testing

@testable import MartletInference

@Suite struct MissingOperatorsTests {
  /// A supported sum, one of an unsupported version, a custom operator twice, and a negation of
  /// Booleans.
  func model() -> Model {
    var test = TestModel()
    let x = test.tensor(.float32, [2])
    let flags = test.tensor(.bool, [2])
    let results = (0..<5).map { _ in test.tensor(.float32, [2]) }
    test.inputs = [x, flags]
    test.outputs = results
    test.add(.add, [x, x], [results[0]], options: .add(AddOptions()))
    test.add(.add, [x, x], [results[1]], options: .add(AddOptions()), version: 77)
    test.add(.neg, [flags], [results[4]])
    let model = test.model
    let graph = model.subgraphs[0]
    let customs = [results[2], results[3]].map {
      Operator(code: .custom("Twirl"), version: 3, inputs: [x, -1], outputs: [$0])
    }
    return Model(
      bytes: model.bytes, version: 3, description: "",
      subgraphs: [
        Subgraph(
          name: "", tensors: graph.tensors, inputs: graph.inputs, outputs: graph.outputs,
          operators: graph.operators + customs)
      ],
      buffers: model.buffers, metadata: [], signatures: [])
  }

  @Test func listsMissingOperatorsWithVersionTypesAndNodes() {
    let missing = model().missingOperators(options: .init(), checksTypes: true)
    #expect(missing.map(\.name) == ["ADD", "NEG", "Twirl"])
    #expect(missing.map(\.version) == [77, 1, 3])
    #expect(missing.map(\.reason) == [.version, .type(.input(0), .bool), .name])
    #expect(missing.map(\.nodes) == [[1], [2], [3, 4]])
    #expect(missing[2].inputs == [.float32, nil] && missing[2].outputs == [.float32])
    #expect(
      missing[2].description
        == "Twirl version 3 (float32, none -> float32): no operator of this name, operator 3 and 1 "
        + "more")
  }

  @Test(arguments: [
    (
      "edgetpu-custom-op",
      "the model is compiled for a Coral accelerator; use the file before edgetpu_compiler"
    ),
    ("ethos-u", "the model is compiled for an Ethos-U; use the file before Vela"),
    (
      "NeutronGraph",
      "the model is compiled for a Neutron NPU of NXP; use the file before the Neutron converter"
    ),
    (
      "FlexErf", "FlexErf is a TensorFlow operator; convert the model without SELECT_TF_OPS"
    ),
    (
      "Twirl",
      "custom operators are part of the program that made the model: convert it without them, or "
        + "add them to Interpreter.Options.operators"
    ),
  ])
  func errorAdvisesOnUnsupportedCustomOperators(_ name: String, _ advice: String) {
    let error = InferenceError.unsupportedOperator(node: 4, name: name, version: 1)
    #expect("\(error)" == "operator 4: unsupported operator \(name) of version 1; \(advice)")
  }

  /// Vela's operators read tensors that nothing writes.
  @Test func acceleratorIsNamedBeforeTheOrderOfTensors() {
    var test = TestModel()
    let x = test.tensor(.float32, [2])
    let state = test.tensor(.uint8, [2])
    let y = test.tensor(.float32, [2])
    (test.inputs, test.outputs) = ([x], [y])
    test.add(custom: "ethos-u", [state, x], [y])
    #expect(throws: InferenceError.unsupportedOperator(node: 0, name: "ethos-u", version: 1)) {
      try test.interpreter()
    }
  }

  @Test func errorHasNoAdviceAboutBuiltInOperators() {
    let error = InferenceError.unsupportedOperator(node: 0, name: "CONV_2D", version: 99)
    #expect("\(error)" == "operator 0: unsupported operator CONV_2D of version 99")
  }

  @Test func checksTypesOnlyOnRequest() {
    let missing = model().missingOperators(options: .init(), checksTypes: false)
    #expect(missing.map(\.name) == ["ADD", "Twirl"])
  }

  @Test func findsUserProvidedOperators() {
    let own = Registration(.custom("Twirl"), versions: 1...9) { p throws(InferenceError) in
      _ = try p.output(0, as: Float.self, shape: try p.input(0).shape)
      return { _ in }
    }
    let missing = model().missingOperators(
      options: .init(operators: [own]), checksTypes: false)
    #expect(missing.map(\.name) == ["ADD"])
  }
}
