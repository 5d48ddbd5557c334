import MartletBase
import Testing

@testable import MartletInference
@testable import MartletModel

/// Resource variables and variable tensors.
@Suite struct VariablesTests {
  /// Adds the handle of a variable.
  func handle(_ name: String, in graph: inout TestModel) -> Int {
    let handle = graph.tensor(.resource, [])
    graph.add(
      .varHandle, [], [handle],
      options: .varHandle(VarHandleOptions(container: "", sharedName: name)))
    return handle
  }

  /// v += x, y = v; v is initialized as [10, 20] by another subgraph.
  func accumulator(isInitialized: Bool = true) -> [TestModel] {
    var main = TestModel()
    let x = main.tensor(.float32, [2])
    main.inputs = [x]
    if isInitialized {
      main.add(.callOnce, [], [], options: .callOnce(CallOptions(subgraph: 1)))
    }
    let v = handle("v", in: &main)
    let old = main.tensor(.float32, [2])
    let sum = main.tensor(.float32, [2])
    let y = main.tensor(.float32, [2])
    main.add(.readVariable, [v], [old])
    main.add(.add, [old, x], [sum], options: .add(AddOptions()))
    main.add(.assignVariable, [v, sum], [])
    main.add(.readVariable, [v], [y])
    main.outputs = [y]
    var initial = TestModel()
    let value = initial.constant([Float(10), 20], [2])
    let target = handle("v", in: &initial)
    initial.add(.assignVariable, [target, value], [])
    return [main, initial]
  }

  @Test func variablesKeepTheirValuesBetweenRuns() throws {
    let interpreter = try Interpreter(model: TestModel.joined(accumulator()))
    #expect(interpreter.prepared.plan.isFixed)
    #expect(interpreter.memory.variables == 8)
    #expect(try interpreter.run([[Float(1), 2]]) == [11, 22])
    #expect(try interpreter.run([[Float(1), 2]]) == [12, 24])
    interpreter.resetState()
    #expect(try interpreter.run([[Float(0), 0]]) == [10, 20])
  }

  @Test func refusesToReadAnUnassignedVariable() throws {
    let interpreter = try Interpreter(
      model: TestModel.joined(accumulator(isInitialized: false)))
    #expect(throws: InferenceError.unassignedVariable(node: 1, name: "v")) {
      try interpreter.invoke()
    }
  }

  @Test func interpretersDoNotShareVariables() throws {
    let prepared = try PreparedModel(model: TestModel.joined(accumulator()))
    let first = Interpreter(prepared)
    let second = Interpreter(prepared)
    #expect(try first.run([[Float(1), 1]]) == [11, 21])
    #expect(try first.run([[Float(1), 1]]) == [12, 22])
    #expect(try second.run([[Float(1), 1]]) == [11, 21])
  }

  @Test func signaturesOfOneInterpreterShareVariables() throws {
    let graphs = accumulator(isInitialized: false)
    var start = graphs[1]
    start.inputs = []
    let sum = Signature(
      key: "sum", subgraph: 0, inputs: [SignatureTensor(name: "x", tensor: 0)],
      outputs: [SignatureTensor(name: "y", tensor: graphs[0].outputs[0])])
    let begin = Signature(key: "begin", subgraph: 1, inputs: [], outputs: [])
    let interpreter = try Interpreter(
      model: TestModel.joined([graphs[0], start], signatures: [sum, begin]), signature: "sum")
    try interpreter.interpreter(forSignature: "begin").invoke()
    #expect(try interpreter.run([[Float(1), 2]]) == [11, 22])
  }

  /// v = v ++ x: the variable grows in each run.
  @Test func acceptsAVariableThatChangesShape() throws {
    var main = TestModel()
    let x = main.tensor(.float32, [1])
    main.inputs = [x]
    main.add(.callOnce, [], [], options: .callOnce(CallOptions(subgraph: 1)))
    let v = handle("v", in: &main)
    let old = main.tensor(.float32, [1])
    let y = main.tensor(.float32, [2])
    main.add(.readVariable, [v], [old])
    main.add(
      .concatenation, [old, x], [y], options: .concatenation(ConcatenationOptions()))
    main.add(.assignVariable, [v, y], [])
    main.outputs = [y]
    var initial = TestModel()
    let value = initial.constant([Float(7)], [1])
    let target = handle("v", in: &initial)
    initial.add(.assignVariable, [target, value], [])
    let interpreter = try Interpreter(
      model: TestModel.joined([main, initial]), options: .init(memoryLimit: 10_000))
    #expect(try interpreter.run([[Float(1)]]) == [7, 1])
    #expect(try interpreter.run([[Float(2)]]) == [7, 1, 2])
    #expect(try interpreter.run([[Float(3)]]) == [7, 1, 2, 3])
    #expect(throws: InferenceError.self) {
      while true { try interpreter.invoke() }
    }
    #expect(interpreter.outputs[0].shape.elementCount < 2500)
  }

  @Test func acceptsAHandlePassedToASubgraph() throws {
    var main = TestModel()
    let x = main.tensor(.float32, [1])
    main.inputs = [x]
    let v = handle("v", in: &main)
    let y = main.tensor(.float32, [1])
    main.add(.assignVariable, [v, x], [])
    main.add(
      .stablehloComposite, [v], [y],
      options: .composite(CompositeOptions(name: "read", subgraph: 1)))
    main.outputs = [y]
    var reader = TestModel()
    let passedHandle = reader.tensor(.resource, [])
    let value = reader.tensor(.float32, [1])
    reader.inputs = [passedHandle]
    reader.outputs = [value]
    reader.add(.readVariable, [passedHandle], [value])
    let interpreter = try Interpreter(model: TestModel.joined([main, reader]))
    #expect(try interpreter.run([[Float(5)]]) == [5])
  }

  @Test func refusesAnUnknownHandle() {
    var main = TestModel()
    let v = main.constant([Int32(0)], [1])
    let y = main.tensor(.float32, [1])
    main.outputs = [y]
    main.add(.readVariable, [v], [y])
    #expect(throws: InferenceError.resource(node: 0, operand: .input(0))) {
      try main.interpreter()
    }
  }

  @Test func variablesCountTowardTheMemoryLimit() throws {
    let model = TestModel.joined(accumulator())
    let needed = try Interpreter(model: model).memory
    let total = needed.arena + Arena.aligned(needed.variables)
    #expect(throws: Never.self) {
      try Interpreter(model: model, options: .init(memoryLimit: total))
    }
    #expect(throws: InferenceError.self) {
      try Interpreter(model: model, options: .init(memoryLimit: total - 1))
    }
  }
}
