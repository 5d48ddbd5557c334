import MartletTestSupport
import Testing

@testable import MartletBase
@testable import MartletInference
@testable import MartletModel
@testable import MartletOperators

/// Subgraphs that describe how two elements are combined.
@Suite struct ComputationTests {
  /// A subgraph of two inputs, with an operator on them unless it is `nil`.
  static func body(
    _ code: BuiltinOperator?, inputs: [Int] = [0, 1], output: Int? = nil,
    options: OperatorOptions = .none
  ) -> TestModel {
    var body = TestModel()
    body.inputs = [body.tensor(.int32, []), body.tensor(.int32, [])]
    guard let code else {
      body.outputs = [output ?? 1]
      return body
    }
    let result = body.tensor(.int32, [])
    body.add(code, inputs, [result], options: options)
    body.outputs = [output ?? result]
    return body
  }

  /// Windows of two of [x] elements, which `body` combines.
  private func windows(_ body: TestModel) -> Model {
    var main = TestModel()
    let x = main.tensor(.int32, [4])
    let initial = main.constant([Int32(1)], [])
    let y = main.tensor(.int32, [3])
    (main.inputs, main.outputs) = ([x], [y])
    main.add(
      .stablehloReduceWindow, [x, initial], [y],
      options: .stableHLOReduceWindow(
        StableHLOReduceWindowOptions(extents: [2], bodySubgraph: 1)))
    return TestModel.joined([main, body])
  }

  /// Elements at positions 3, 0 and 3 of [x], which `body` combines with it.
  private func updates(_ body: TestModel) -> Model {
    var main = TestModel()
    let x = main.tensor(.int32, [4])
    let indices = main.constant([Int64(3), 0, 3], [3, 1])
    let slices = main.constant([Int32(10), -20, 30], [3])
    let y = main.tensor(.int32, [4])
    (main.inputs, main.outputs) = ([x], [y])
    main.add(
      .stablehloScatter, [x, indices, slices], [y],
      options: .stableHLOScatter(
        StableHLOScatterOptions(
          insertedWindowAxes: [0], scatterAxesToOperandAxes: [0], indexVectorAxis: 1,
          computationSubgraph: 1)))
    return TestModel.joined([main, body])
  }

  private static let x: [Int32] = [5, -2, 0, 7]

  @Test(
    arguments: [
      (.add, [4, -1, 8]), (.stablehloAdd, [4, -1, 8]), (.mul, [-10, 0, 0]),
      (.stablehloMultiply, [-10, 0, 0]), (.maximum, [5, 1, 7]), (.stablehloMaximum, [5, 1, 7]),
      (.minimum, [-2, -2, 0]), (.stablehloMinimum, [-2, -2, 0]), (.logicalAnd, [1, 0, 0]),
      (.stablehloAnd, [1, 0, 0]), (.logicalOr, [1, 1, 1]), (.stablehloOr, [1, 1, 1]),
    ] as [(BuiltinOperator, [Int32])])
  func combinesWindows(_ code: BuiltinOperator, _ expected: [Int32]) throws {
    for inputs in [[0, 1], [1, 0]] {
      let model = windows(ComputationTests.body(code, inputs: inputs))
      #expect(try Interpreter(model: model).run([ComputationTests.x]) == expected)
    }
  }

  @Test(
    arguments: [
      (nil, [-20, -2, 0, 30]), (.add, [-15, -2, 0, 47]), (.stablehloAdd, [-15, -2, 0, 47]),
      (.mul, [-100, -2, 0, 2100]), (.stablehloMaximum, [5, -2, 0, 30]),
      (.minimum, [-20, -2, 0, 7]),
    ] as [(BuiltinOperator?, [Int32])])
  func combinesUpdates(_ code: BuiltinOperator?, _ expected: [Int32]) throws {
    let model = updates(ComputationTests.body(code))
    #expect(try Interpreter(model: model).run([ComputationTests.x]) == expected)
  }

  @Test func refusesSubgraphsThatAreNoComputation() {
    let wrong = InferenceError.computation(node: 0, subgraph: 1)
    var three = ComputationTests.body(.add)
    three.inputs.append(three.tensor(.int32, []))
    var two = ComputationTests.body(.add)
    two.add(.add, [0, 1], [two.tensor(.int32, [])])
    let bodies = [
      ComputationTests.body(.sub), ComputationTests.body(.add, inputs: [0, 0]),
      ComputationTests.body(.add, inputs: [0]), ComputationTests.body(.add, output: 0),
      ComputationTests.body(nil, output: 0),
      ComputationTests.body(.add, options: .add(AddOptions(activation: .relu))),
      ComputationTests.body(.mul, options: .mul(ActivationOptions(activation: .relu6))), three, two,
    ]
    for body in bodies {
      #expect(throws: wrong) { try Interpreter(model: windows(body)) }
      #expect(throws: wrong) { try Interpreter(model: updates(body)) }
    }
    #expect(throws: wrong) { try Interpreter(model: windows(ComputationTests.body(nil))) }
    #expect(throws: wrong) { try Interpreter(model: updates(ComputationTests.body(.logicalOr))) }
  }

  @Test func theMessageNamesTheSubgraph() {
    let text = InferenceError.computation(node: 3, subgraph: 1).description
    #expect(text.hasPrefix("operator 3: subgraph 1 is not a supported computation"))
  }

  @Test func anyByteExceptZeroIsTrue() throws {
    var main = TestModel()
    let x = main.tensor(.bool, [4])
    let initial = main.constant([false], [])
    let y = main.tensor(.bool, [3])
    (main.inputs, main.outputs) = ([x], [y])
    main.add(
      .stablehloReduceWindow, [x, initial], [y],
      options: .stableHLOReduceWindow(
        StableHLOReduceWindowOptions(extents: [2], bodySubgraph: 1)))
    let model = TestModel.joined([main, ComputationTests.body(.logicalOr)])
    let interpreter = try Interpreter(model: model)
    try interpreter.setInput(0, to: [0, 0, 2, 128] as [UInt8])
    try interpreter.invoke()
    #expect(try interpreter.output(0) == [0, 1, 1])
  }
}
