import MartletTestSupport
import Testing

@testable import MartletInference
@testable import MartletModel

/// IF, WHILE and composites over subgraphs built by the tests.
@Suite struct ControlFlowTests {
  /// A subgraph of one operator on one input.
  func unary(_ builtin: BuiltinOperator, _ shape: [Int]) -> TestModel {
    var graph = TestModel()
    let x = graph.tensor(.float32, shape)
    let y = graph.tensor(.float32, shape)
    graph.inputs = [x]
    graph.outputs = [y]
    graph.add(builtin, [x], [y])
    return graph
  }

  /// y = condition ? -x : |x|
  func branching() -> [TestModel] {
    var main = TestModel()
    let condition = main.tensor(.bool, [])
    let x = main.tensor(.float32, [2])
    let y = main.tensor(.float32, [2])
    main.inputs = [condition, x]
    main.outputs = [y]
    main.add(
      .if, [condition, x], [y], options: .if(IfOptions(thenSubgraph: 1, elseSubgraph: 2)))
    return [main, unary(.neg, [2]), unary(.abs, [2])]
  }

  @Test func runsTheBranchThatTheConditionSelects() throws {
    let interpreter = try Interpreter(model: TestModel.joined(branching()))
    #expect(interpreter.prepared.plan.isFixed)
    for (condition, expected) in [(UInt8(1), [1, -2]), (0, [1, 2])] as [(UInt8, [Float])] {
      try interpreter.setInput(0, to: [condition])
      try interpreter.setInput(1, to: [Float(-1), 2].withUnsafeBytes { [UInt8]($0) })
      try interpreter.invoke()
      #expect(try interpreter.output(0) == expected.withUnsafeBytes { [UInt8]($0) })
    }
  }

  @Test func constantConditionIgnoresTheOtherBranch() throws {
    var graphs = branching()
    var main = TestModel()
    let condition = main.constant([true], [])
    let x = main.tensor(.float32, [2])
    let y = main.tensor(.float32, [2])
    main.inputs = [x]
    main.outputs = [y]
    main.add(
      .if, [condition, x], [y], options: .if(IfOptions(thenSubgraph: 1, elseSubgraph: 2)))
    graphs[0] = main
    graphs[2] = unary(.skipGram, [2])
    let interpreter = try Interpreter(model: TestModel.joined(graphs))
    #expect(try interpreter.run([[Float(-1), 2]]) == [1, -2])
  }

  @Test func errorNamesItsSubgraph() {
    var graphs = branching()
    graphs[2] = unary(.skipGram, [2])
    let error = InferenceError.unsupportedOperator(node: 0, name: "SKIP_GRAM", version: 1)
    #expect(throws: InferenceError.inSubgraph(index: 2, error)) {
      try Interpreter(model: TestModel.joined(graphs))
    }
  }

  /// Branches with results of different shapes: x twice, or once.
  @Test func acceptsBranchesWithDifferentShapes() throws {
    var main = TestModel()
    let condition = main.tensor(.bool, [])
    let x = main.tensor(.float32, [2])
    let chosen = main.tensor(.float32, [])
    let y = main.tensor(.float32, [])
    main.inputs = [condition, x]
    main.outputs = [y]
    main.add(
      .if, [condition, x], [chosen], options: .if(IfOptions(thenSubgraph: 1, elseSubgraph: 2)))
    main.add(.neg, [chosen], [y])
    var doubled = TestModel()
    let a = doubled.tensor(.float32, [2])
    let b = doubled.tensor(.float32, [4])
    doubled.inputs = [a]
    doubled.outputs = [b]
    doubled.add(
      .concatenation, [a, a], [b], options: .concatenation(ConcatenationOptions()))
    let interpreter = try Interpreter(
      model: TestModel.joined([main, doubled, unary(.abs, [2])]))
    for (condition, expected) in [
      (UInt8(1), [1, -2, 1, -2]), (0, [-1, -2]), (1, [1, -2, 1, -2]),
    ]
      as [(UInt8, [Float])]
    {
      try interpreter.setInput(0, to: [condition])
      try interpreter.setInput(1, to: [Float(-1), 2].withUnsafeBytes { [UInt8]($0) })
      try interpreter.invoke()
      #expect(interpreter.outputs[0].shape == Shape(expected.count))
      #expect(try interpreter.output(0) == expected.withUnsafeBytes { [UInt8]($0) })
    }
  }

  /// while (i < n) { i += 1; a, b = b, a + b }: Fibonacci numbers, with variables that exchange
  /// places.
  func fibonacci() -> [TestModel] {
    var main = TestModel()
    let n = main.tensor(.int32, [])
    let i = main.constant([Int32(0)], [])
    let zero = main.constant([Int32(0)], [])
    let one = main.constant([Int32(1)], [])
    let results = (0..<4).map { _ in main.tensor(.int32, []) }
    main.inputs = [n]
    main.outputs = [results[1]]
    main.add(
      .while, [i, zero, one, n], results,
      options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    var condition = TestModel()
    let seen = (0..<4).map { _ in condition.tensor(.int32, []) }
    let isLess = condition.tensor(.bool, [])
    condition.inputs = seen
    condition.outputs = [isLess]
    condition.add(.less, [seen[0], seen[3]], [isLess])
    var body = TestModel()
    let given = (0..<4).map { _ in body.tensor(.int32, []) }
    let step = body.constant([Int32(1)], [])
    let next = body.tensor(.int32, [])
    let sum = body.tensor(.int32, [])
    body.inputs = given
    body.outputs = [next, given[2], sum, given[3]]
    body.add(.add, [given[0], step], [next], options: .add(AddOptions()))
    body.add(.add, [given[1], given[2]], [sum], options: .add(AddOptions()))
    return [main, condition, body]
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 1), (10, 55), (30, 832_040)] as [(Int32, Int32)])
  func loopRunsWhileItsConditionHolds(n: Int32, expected: Int32) throws {
    let interpreter = try Interpreter(model: TestModel.joined(fibonacci()))
    #expect(interpreter.prepared.plan.isFixed)
    for _ in 0..<2 { #expect(try interpreter.run([[n]]) == [expected]) }
  }

  @Test func stopsALoopAtTheLoopLimit() throws {
    let model = TestModel.joined(fibonacci())
    let interpreter = try Interpreter(model: model, options: .init(loopLimit: 10))
    #expect(try interpreter.run([[Int32(10)]]) == [55])
    #expect(throws: InferenceError.loopLimit(node: 0, limit: 10)) {
      try interpreter.run([[Int32(11)]]) as [Int32]
    }
    #expect(try interpreter.run([[Int32(3)]]) == [2])
  }

  /// while (count(x) < n) { x = x ++ x }: the shape changes in each iteration.
  func doubling() -> [TestModel] {
    var main = TestModel()
    let n = main.tensor(.int32, [1])
    let x = main.tensor(.float32, [1])
    let m = main.tensor(.int32, [1])
    let wide = main.tensor(.float32, [1])
    let y = main.tensor(.float32, [1])
    main.inputs = [n, x]
    main.outputs = [y]
    main.add(
      .while, [n, x], [m, wide],
      options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    main.add(.neg, [wide], [y])
    var condition = TestModel()
    let limit = condition.tensor(.int32, [1])
    let seen = condition.tensor(.float32, [1])
    let count = condition.tensor(.int32, [1])
    let isLess = condition.tensor(.bool, [1])
    condition.inputs = [limit, seen]
    condition.outputs = [isLess]
    condition.add(.shape, [seen], [count])
    condition.add(.less, [count, limit], [isLess])
    var body = TestModel()
    let passed = body.tensor(.int32, [1])
    let given = body.tensor(.float32, [1])
    let doubled = body.tensor(.float32, [1])
    body.inputs = [passed, given]
    body.outputs = [passed, doubled]
    body.add(
      .concatenation, [given, given], [doubled], options: .concatenation(ConcatenationOptions()))
    return [main, condition, body]
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 2), (100, 128)] as [(Int32, Int)])
  func acceptsALoopThatChangesShapes(n: Int32, count: Int) throws {
    let interpreter = try Interpreter(model: TestModel.joined(doubling()))
    for _ in 0..<2 {
      try interpreter.setInput(0, to: n.littleEndianBytes)
      try interpreter.setInput(1, to: [Float(3)].withUnsafeBytes { [UInt8]($0) })
      try interpreter.invoke()
      #expect(interpreter.outputs[0].shape == Shape(count))
      #expect(
        try interpreter.withOutput(0) { [Float]($0.bindMemory(to: Float.self)) }
          == [Float](repeating: -3, count: count))
    }
  }

  @Test func growingLoopStaysWithinTheMemoryLimit() throws {
    let interpreter = try Interpreter(
      model: TestModel.joined(doubling()), options: .init(memoryLimit: 100_000))
    try interpreter.setInput(0, to: Int32.max.littleEndianBytes)
    #expect {
      try interpreter.invoke()
    } throws: {
      guard case .tooLarge? = ($0 as? InferenceError)?.innermost else { return false }
      return true
    }
    try interpreter.setInput(0, to: Int32(1000).littleEndianBytes)
    try interpreter.invoke()
    #expect(interpreter.outputs[0].shape == Shape(1024))
  }

  @Test func refusesRecursiveSubgraphs() {
    var main = TestModel()
    let x = main.tensor(.float32, [1])
    let y = main.tensor(.float32, [1])
    main.inputs = [x]
    main.outputs = [y]
    main.add(
      .stablehloComposite, [x], [y],
      options: .composite(CompositeOptions(name: "f", subgraph: 1)))
    var other = main
    #expect(
      throws: InferenceError.inSubgraph(
        index: 1, .recursion(node: 0, caller: 1, callee: 1))
    ) { try Interpreter(model: TestModel.joined([main, other])) }
    other = TestModel()
    let a = other.tensor(.float32, [1])
    let b = other.tensor(.float32, [1])
    other.inputs = [a]
    other.outputs = [b]
    other.add(
      .stablehloComposite, [a], [b],
      options: .composite(CompositeOptions(name: "f", subgraph: 0)))
    #expect(
      throws: InferenceError.inSubgraph(
        index: 1, .recursion(node: 0, caller: 1, callee: 0))
    ) { try Interpreter(model: TestModel.joined([main, other])) }
  }

  /// A chain of subgraphs, each of which calls the next `calls` times.
  func chain(_ depth: Int, calls: Int) -> Model {
    var graphs: [TestModel] = []
    for index in 0..<depth {
      var graph = TestModel()
      var last = graph.tensor(.float32, [1])
      graph.inputs = [last]
      for _ in 0..<calls {
        let y = graph.tensor(.float32, [1])
        graph.add(
          .stablehloComposite, [last], [y],
          options: .composite(CompositeOptions(name: "f", subgraph: index + 1)))
        last = y
      }
      graph.outputs = [last]
      graphs.append(graph)
    }
    return TestModel.joined(graphs + [unary(.neg, [1])])
  }

  @Test func acceptsNestedCallsUpToTheLimit() throws {
    let limit = ModelLimits.nesting
    let interpreter = try Interpreter(model: chain(limit - 1, calls: 1))
    #expect(try interpreter.run([[Float(2)]]) == [-2])
    #expect {
      try Interpreter(model: chain(limit, calls: 1))
    } throws: {
      ($0 as? InferenceError)?.innermost == .nesting(node: 0, depth: limit, limit: limit)
    }
  }

  /// 4^20 calls, refused before they are counted individually.
  @Test func refusesTooManyNestedNodes() {
    #expect {
      try Interpreter(model: chain(20, calls: 4))
    } throws: {
      guard case .nestedNodes? = ($0 as? InferenceError)?.innermost else { return false }
      return true
    }
  }

  @Test func compositeRunsItsDecomposition() throws {
    let interpreter = try Interpreter(model: chain(3, calls: 3))
    // Twenty-seven negations.
    #expect(try interpreter.run([[Float(2)]]) == [-2])
  }

  @Test func refusesAConditionThatIsNotBoolean() {
    var graphs = fibonacci()
    graphs[1].outputs = [graphs[1].inputs[0]]
    #expect(
      throws: InferenceError.type(
        node: 0, operand: .output(0), found: .int32, expected: .bool)
    ) { try Interpreter(model: TestModel.joined(graphs)) }
  }

  @Test func refusesASubgraphWithTooFewInputs() {
    var graphs = branching()
    graphs[1].inputs = []
    #expect(throws: InferenceError.self) { try Interpreter(model: TestModel.joined(graphs)) }
  }

  /// for (i = 0; i < n; i += 1) {}, which passes a string through.
  @Test(arguments: [0, 3] as [Int32]) func stringsPassThroughALoop(n: Int32) throws {
    var main = TestModel()
    let limit = main.tensor(.int32, [])
    let text = main.tensor(.string, [1])
    let zero = main.constant([Int32(0)], [])
    let i = main.tensor(.int32, [])
    let same = main.tensor(.int32, [])
    let result = main.tensor(.string, [1])
    main.inputs = [limit, text]
    main.outputs = [i, result]
    main.add(
      .while, [zero, limit, text], [i, same, result],
      options: .while(WhileOptions(conditionSubgraph: 1, bodySubgraph: 2)))
    var condition = TestModel()
    var body = TestModel()
    condition.inputs = [
      condition.tensor(.int32, []), condition.tensor(.int32, []), condition.tensor(.string, [1]),
    ]
    let isLess = condition.tensor(.bool, [])
    condition.outputs = [isLess]
    condition.add(.less, [0, 1], [isLess])
    body.inputs = [body.tensor(.int32, []), body.tensor(.int32, []), body.tensor(.string, [1])]
    let one = body.constant([Int32(1)], [])
    let next = body.tensor(.int32, [])
    body.add(.add, [0, one], [next], options: .add(AddOptions()))
    body.outputs = [next, 1, 2]
    let interpreter = try Interpreter(model: TestModel.joined([main, condition, body]))
    // One string of three bytes after the count and two offsets.
    let bytes: [UInt8] = [1, 0, 0, 0, 12, 0, 0, 0, 15, 0, 0, 0] + Array("abc".utf8)
    try interpreter.setInput(0, to: n.littleEndianBytes)
    try interpreter.setInput(1, to: bytes)
    for _ in 0..<2 {
      try interpreter.invoke()
      #expect(try interpreter.output(0) == n.littleEndianBytes)
      #expect(try interpreter.output(1) == bytes)
    }
  }
}
