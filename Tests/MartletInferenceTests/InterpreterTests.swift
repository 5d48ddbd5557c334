@testable import MartletModel
import MartletSystem
import Testing

@testable import MartletInference

@Suite struct InterpreterTests {
  /// x + c for `count` elements.
  func sum(_ count: Int, misalignedBy offset: Int = 0) -> TestModel {
    var test = TestModel()
    let x = test.tensor(.float32, [count])
    let c = test.constant((0..<count).map { Float($0) }, [count], misalignedBy: offset)
    let y = test.tensor(.float32, [count])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.add, [x, c], [y], options: .add(AddOptions()))
    return test
  }

  @Test func describesInputsAndOutputs() throws {
    let interpreter = try sum(3).interpreter()
    #expect(interpreter.inputs.map(\.shape) == [Shape(3)])
    #expect(interpreter.inputs.map(\.type) == [.float32])
    #expect(interpreter.outputs.map(\.name) == ["t2"])
  }

  @Test func refusesInputsOfAnotherSize() throws {
    let interpreter = try sum(3).interpreter()
    #expect(throws: InferenceError.byteCount(index: 0, found: 11, expected: 12)) {
      try interpreter.setInput(0, to: [UInt8](repeating: 0, count: 11))
    }
    #expect(throws: InferenceError.noSuchTensor(index: 1, count: 1)) {
      try interpreter.setInput(1, to: [])
    }
    #expect(throws: InferenceError.noSuchTensor(index: 2, count: 1)) {
      try interpreter.output(2)
    }
  }

  @Test func inputsKeepTheirValuesBetweenRuns() throws {
    let interpreter = try sum(2).interpreter()
    #expect(try interpreter.run([[Float(1), 2]]) == [1, 3])
    try interpreter.invoke()
    #expect(try interpreter.run([[Float]]()) == [1, 3])
  }

  @Test(arguments: [0, 1, 4, 7])
  func acceptsConstantsAtAnyFileOffset(offset: Int) throws {
    let interpreter = try sum(4, misalignedBy: offset).interpreter()
    #expect(try interpreter.run([[Float(1), 1, 1, 1]]) == [1, 2, 3, 4])
  }

  @Test func foldsNodesWithOnlyConstantInputs() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2])
    let a = test.constant([Float(-1), 5], [2])
    let clamped = test.tensor(.float32, [2])
    let y = test.tensor(.float32, [2])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.relu, [a], [clamped])
    test.add(.add, [x, clamped], [y], options: .add(AddOptions()))
    let interpreter = try test.interpreter()
    #expect(interpreter.nodeSummaries.map(\.name) == ["ADD"])
    #expect(interpreter.foldedByteCount == 8)
    #expect(try interpreter.run([[Float(1), 1]]) == [1, 6])
  }

  @Test func reportsUnsupportedOperatorWithVersion() {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    test.inputs = [x]
    let y = test.tensor(.float32, [1])
    test.outputs = [y]
    test.add(.hashtable, [x], [y], version: 7)
    #expect(
      throws: InferenceError.unsupportedOperator(node: 0, name: "HASHTABLE", version: 7)
    ) { try test.interpreter() }
  }

  @Test func refusesMemoryBeyondTheLimit() {
    let huge = sum(1000)
    #expect(throws: InferenceError.self) { try huge.interpreter(memoryLimit: 4096) }
    #expect(throws: Never.self) { try huge.interpreter(memoryLimit: 16384) }
  }

  @Test func resizingAnInputUpdatesOutputShapes() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [1, 2])
    let y = test.tensor(.float32, [1, 2])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.relu, [x], [y])
    let interpreter = try test.interpreter()
    try interpreter.resizeInput(0, to: [2, 3])
    #expect(interpreter.outputs.map(\.shape) == [Shape(2, 3)])
    #expect(try interpreter.run([[Float(-1), 1, -2, 2, -3, 3]]) == [0, 1, 0, 2, 0, 3])
    #expect(throws: InferenceError.invalidShape(index: 0, found: [-1])) {
      try interpreter.resizeInput(0, to: [-1])
    }
    #expect(throws: InferenceError.noSuchTensor(index: 1, count: 1)) {
      try interpreter.resizeInput(1, to: [1])
    }
  }

  /// RESHAPE to a shape given by an input, then RELU: the shape is only known when the graph runs.
  func dynamic() -> TestModel {
    var test = TestModel()
    let x = test.tensor(.float32, [6])
    let shape = test.tensor(.int32, [2])
    let wide = test.tensor(.float32, [6])
    let reshaped = test.tensor(.float32, [1, 1])
    let y = test.tensor(.float32, [1, 1])
    test.inputs = [x, shape]
    test.outputs = [y]
    test.add(.relu6, [x], [wide])
    test.add(.reshape, [wide, shape], [reshaped])
    test.add(.relu, [reshaped], [y])
    return test
  }

  @Test(arguments: [[2, 3], [3, 2], [6, 1]] as [[Int32]])
  func reshapesToShapesComputedDuringTheRun(_ shape: [Int32]) throws {
    let interpreter = try dynamic().interpreter()
    for _ in 0..<2 {
      try interpreter.setInput(1, to: shape.withUnsafeBytes { [UInt8]($0) })
      #expect(try interpreter.run([[Float(-1), 1, 2, 3, 4, 9]]) == [0, 1, 2, 3, 4, 6])
      #expect(interpreter.outputs.map(\.shape) == [Shape(shape.map(Int.init))])
    }
  }

  /// Counts how often the operator is prepared.
  final class Counter: @unchecked Sendable {
    var count = 0
  }

  @Test func preparesAgainOnlyIfShapesChange() throws {
    let counter = Counter()
    let relu = Registration(.relu, versions: 1...1) { p throws(InferenceError) in
      counter.count += 1
      let x = try p.input(0, as: Float.self)
      let y = try p.output(0, as: Float.self, shape: x.shape)
      return { e in for i in 0..<x.count { e[y][i] = max(e[x][i], 0) } }
    }
    let interpreter = try Interpreter(
      model: dynamic().model, options: .init(operators: [relu]))
    for (shape, expected) in [([2, 3], 1), ([2, 3], 1), ([3, 2], 2), ([3, 2], 2), ([2, 3], 3)]
      as [([Int32], Int)]
    {
      try interpreter.setInput(1, to: shape.withUnsafeBytes { [UInt8]($0) })
      let x = (0..<6).map { Float($0 - expected) }
      #expect(try interpreter.run([x]) == x.map { min(max($0, 0), 6) })
      #expect(interpreter.outputs.map(\.shape) == [Shape(shape.map(Int.init))])
      #expect(counter.count == expected)
    }
  }

  @Test func foldsTheShapeOfAFixedTensor() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2, 3])
    let flat = test.tensor(.float32, [6])
    let shape = test.tensor(.int32, [2])
    let y = test.tensor(.float32, [1])
    test.inputs = [x, flat]
    test.outputs = [y]
    test.add(.shape, [x], [shape])
    test.add(.reshape, [flat, shape], [y])
    let interpreter = try test.interpreter()
    #expect(interpreter.nodeSummaries.map(\.name) == ["RESHAPE"])
    #expect(interpreter.outputs.map(\.shape) == [Shape(2, 3)])
    try interpreter.resizeInput(0, to: [3, 2])
    #expect(interpreter.outputs.map(\.shape) == [Shape(3, 2)])
  }

  @Test func refusesAComputedShapeThatDoesNotFit() throws {
    let interpreter = try dynamic().interpreter()
    try interpreter.setInput(1, to: [4, 0, 0, 0, 4, 0, 0, 0])
    #expect(throws: InferenceError.self) { try interpreter.invoke() }
  }

  @Test func resultIsIndependentOfWorkerCount() throws {
    let test = sum(10_000)
    let input = (0..<10_000).map { Float($0) * 0.37 }
    let expected = try test.interpreter(.fast).run([input])
    for count in [2, 4] {
      let workers = Workers.pool(count: count)
      #expect(try test.interpreter(.fast, workers: workers).run([input]) == expected)
    }
  }
}
