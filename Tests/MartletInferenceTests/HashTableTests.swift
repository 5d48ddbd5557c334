import MartletBase
import Testing

@testable import MartletInference
@testable import MartletModel

/// Hash tables of interpreters.
@Suite struct HashTableTests {
  private static let toNumbers = HashtableOptions(
    tableIdentifier: 1, keyType: ElementType.string.rawValue,
    valueType: ElementType.int64.rawValue)
  private static let toStrings = HashtableOptions(
    tableIdentifier: 1, keyType: ElementType.int64.rawValue,
    valueType: ElementType.string.rawValue)

  /// Adds the handle of a table.
  private func handle(_ options: HashtableOptions, in graph: inout TestModel) -> Int {
    let handle = graph.tensor(.resource, [1])
    graph.add(.hashtable, [], [handle], options: .hashtable(options))
    return handle
  }

  private func strings(_ strings: [String], in graph: inout TestModel) -> Int {
    graph.constant(stringBytes(strings), [strings.count], type: .string)
  }

  /// Looks up the strings of input 0 in a table and counts the table's keys. Another subgraph fills
  /// the table unless `isFilled` is false.
  private func searching(isFilled: Bool = true) -> [TestModel] {
    var main = TestModel()
    let queries = main.tensor(.string, [2])
    main.inputs = [queries]
    if isFilled { main.add(.callOnce, [], [], options: .callOnce(CallOptions(subgraph: 1))) }
    let table = handle(HashTableTests.toNumbers, in: &main)
    let size = main.tensor(.int64, [1])
    let found = main.tensor(.int64, [2])
    main.add(.hashtableSize, [table], [size])
    main.add(.hashtableFind, [table, queries, main.constant([Int64(-1), 9], [2])], [found])
    main.outputs = [found, size]
    var filling = TestModel()
    let target = handle(HashTableTests.toNumbers, in: &filling)
    let keys = strings(["one", "two", "one"], in: &filling)
    filling.add(.hashtableImport, [target, keys, filling.constant([Int64(1), 2, 3], [3])], [])
    return [main, filling]
  }

  private func numbers(_ interpreter: Interpreter, _ output: Int) throws -> [Int64] {
    try interpreter.withOutput(output) { [Int64]($0.bindMemory(to: Int64.self)) }
  }

  @Test(arguments: KernelSet.allCases)
  func findsTheFirstOfEqualKeysInEachRun(_ kernels: KernelSet) throws {
    let interpreter = try Interpreter(
      model: TestModel.joined(searching()), options: .init(kernels: kernels))
    for (words, expected) in [(["two", "one"], [2, 1]), (["", "One"], [-1, -1])] {
      try interpreter.setInput(0, to: stringBytes(words))
      try interpreter.invoke()
      #expect(try numbers(interpreter, 0) == expected.map { Int64($0) })
      #expect(try numbers(interpreter, 1) == [2])
    }
    interpreter.resetState()
    try interpreter.setInput(0, to: stringBytes(["two", "one"]))
    try interpreter.invoke()
    #expect(try numbers(interpreter, 0) == [2, 1])
  }

  @Test func interpretersDoNotShareTables() throws {
    var graphs = searching(isFilled: false)
    graphs[1].inputs = []
    let search = Signature(
      key: "search", subgraph: 0, inputs: [SignatureTensor(name: "x", tensor: 0)],
      outputs: [SignatureTensor(name: "y", tensor: graphs[0].outputs[0])])
    let fill = Signature(key: "fill", subgraph: 1, inputs: [], outputs: [])
    let prepared = try PreparedModel(
      model: TestModel.joined(graphs, signatures: [search, fill]), signature: "search")
    let (first, second) = (Interpreter(prepared), Interpreter(prepared))
    for interpreter in [first, second] {
      try interpreter.setInput(0, to: stringBytes(["two", "three"]))
    }
    try first.interpreter(forSignature: "fill").invoke()
    try first.invoke()
    #expect(try numbers(first, 0) == [2, -1])
    #expect(throws: InferenceError.emptyTable(node: 2, table: 0)) { try second.invoke() }
  }

  @Test func refusesToSearchAnEmptyTable() throws {
    let interpreter = try Interpreter(model: TestModel.joined(searching(isFilled: false)))
    try interpreter.setInput(0, to: stringBytes(["a", "b"]))
    #expect(throws: InferenceError.emptyTable(node: 2, table: 0)) { try interpreter.invoke() }
  }

  @Test func refusesKeysOfTheWrongCount() throws {
    let interpreter = try Interpreter(model: TestModel.joined(searching()))
    try interpreter.setInput(0, to: stringBytes(["a"]))
    #expect(
      throws: InferenceError.strings(node: 3, operand: .input(1), found: 1, expected: 2)
    ) { try interpreter.invoke() }
  }

  @Test func tableCountsTowardTheMemoryLimitOnce() throws {
    let large = (0..<1000).map { "key number \($0)" }
    var graph = TestModel()
    let table = handle(HashTableTests.toNumbers, in: &graph)
    let keys = strings(large, in: &graph)
    let values = graph.constant((0..<1000).map { Int64($0) }, [1000])
    let size = graph.tensor(.int64, [1])
    graph.add(.hashtableImport, [table, keys, values], [])
    graph.add(.hashtableSize, [table], [size])
    graph.outputs = [size]
    #expect(throws: InferenceError.self) {
      try graph.interpreter(memoryLimit: 50_000).invoke()
    }
    let interpreter = try graph.interpreter(memoryLimit: 200_000)
    for _ in 0..<20 {
      try interpreter.invoke()
      #expect(try numbers(interpreter, 0) == [1000])
      interpreter.resetState()
    }
  }

  /// Converts strings to numbers and back.
  @Test func tablesOfBothKindsMayShareAnIdentifier() throws {
    var graph = TestModel()
    let queries = graph.tensor(.string, [1])
    graph.inputs = [queries]
    let numbers = handle(HashTableTests.toNumbers, in: &graph)
    let names = handle(HashTableTests.toStrings, in: &graph)
    let keys = strings(["a", "b"], in: &graph)
    let values = graph.constant([Int64(10), 20], [2])
    let number = graph.tensor(.int64, [1])
    let name = graph.tensor(.string, [1])
    graph.add(.hashtableImport, [numbers, keys, values], [])
    graph.add(.hashtableImport, [names, values, strings(["ten", "twenty"], in: &graph)], [])
    graph.add(.hashtableFind, [numbers, queries, graph.constant([Int64(0)], [1])], [number])
    graph.add(.hashtableFind, [names, number, strings(["none"], in: &graph)], [name])
    graph.outputs = [name]
    let interpreter = try graph.interpreter()
    for (word, expected) in [("b", "twenty"), ("c", "none")] {
      try interpreter.setInput(0, to: stringBytes([word]))
      try interpreter.invoke()
      #expect(try interpreter.output(0) == stringBytes([expected]))
    }
  }

  /// Prepares graphs with one invalid table and checks the error.
  @Test func refusesTablesOfOtherTypesAndShapes() throws {
    func refusal(
      _ options: HashtableOptions = HashTableTests.toNumbers,
      _ add: (inout TestModel, Int) -> Void
    ) -> InferenceError? {
      var graph = TestModel()
      let table = handle(options, in: &graph)
      add(&graph, table)
      do throws(InferenceError) {
        _ = try graph.interpreter()
        return nil
      } catch { return error }
    }
    let floats = HashtableOptions(tableIdentifier: 0, keyType: 0, valueType: 4)
    #expect(
      refusal(floats) { _, _ in } == .option(node: 0, name: "key_dtype", value: 0))
    #expect(
      refusal { graph, table in
        graph.add(
          .hashtableImport,
          [table, graph.constant([Int64(1)], [1]), strings(["a"], in: &graph)], [])
      } == .type(node: 1, operand: .input(1), found: .int64, expected: .string))
    #expect(
      refusal { graph, table in
        graph.add(
          .hashtableImport,
          [table, strings(["a"], in: &graph), graph.constant([Int64(1), 2], [2])], [])
      } == .elementCount(node: 1, operand: .input(2), found: 2, expected: 1))
    #expect(
      refusal { graph, table in
        let none = graph.constant([Int64](), [0])
        graph.add(
          .hashtableFind, [table, strings(["a"], in: &graph), none], [graph.tensor(.int64, [1])])
      } == .elementCount(node: 1, operand: .input(2), found: 0, expected: 1))
    #expect(
      refusal { graph, table in
        graph.add(.readVariable, [table], [graph.tensor(.float32, [1])])
      } == .resource(node: 1, operand: .input(0)))
    #expect(
      refusal { graph, _ in
        let variable = graph.tensor(.resource, [1])
        graph.add(.varHandle, [], [variable], options: .varHandle(VarHandleOptions()))
        graph.add(.hashtableSize, [variable], [graph.tensor(.int64, [1])])
      } == .resource(node: 2, operand: .input(0)))
  }
}
