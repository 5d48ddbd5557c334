import MartletBase
import MartletOperators
import Testing

@testable import MartletInference
@testable import MartletModel

/// Strings in the format of a tensor.
func stringBytes(_ strings: [String]) -> [UInt8] {
  var offset = Int32(4 * (strings.count + 2))
  var bytes = Int32(strings.count).littleEndianBytes + offset.littleEndianBytes
  for string in strings {
    offset += Int32(string.utf8.count)
    bytes += offset.littleEndianBytes
  }
  return bytes + strings.flatMap { Array($0.utf8) }
}

/// Operators that move strings, and invalid string data.
@Suite struct StringTests {
  /// A graph with one operator on strings and, optionally, integers.
  func interpreter(
    _ builtin: BuiltinOperator, on shapes: [[Int]], _ integers: [Int32]? = nil,
    options: OperatorOptions = .none, to type: ElementType = .string,
    limits: Interpreter.Options = .init()
  ) throws -> Interpreter {
    var graph = TestModel()
    graph.inputs = shapes.map { graph.tensor(.string, $0) }
    let operands = integers.map { [graph.constant($0, [$0.count])] } ?? []
    let y = graph.tensor(type, [1])
    graph.add(builtin, graph.inputs + operands, [y], options: options)
    graph.outputs = [y]
    return try Interpreter(model: graph.model, options: limits)
  }

  @Test(arguments: KernelSet.allCases) func gatherMovesStrings(_ kernels: KernelSet) throws {
    let interpreter = try interpreter(
      .gather, on: [[3]], [2, 0, 2], options: .gather(GatherOptions()),
      limits: .init(kernels: kernels))
    for words in [["a", "", "longer"], ["b", "c", ""]] {
      try interpreter.setInput(0, to: stringBytes(words))
      try interpreter.invoke()
      #expect(try interpreter.output(0) == stringBytes([words[2], words[0], words[2]]))
      #expect(interpreter.outputs[0].type == .string)
      #expect(interpreter.outputs[0].shape.dimensions == [3])
    }
  }

  @Test func concatenatesStringsOfSeveralOperands() throws {
    let interpreter = try interpreter(
      .concatenation, on: [[1, 2], [1, 1]],
      options: .concatenation(ConcatenationOptions(axis: 1)))
    try interpreter.setInput(0, to: stringBytes(["x", "y"]))
    try interpreter.setInput(1, to: stringBytes(["x"]))
    try interpreter.invoke()
    #expect(try interpreter.output(0) == stringBytes(["x", "y", "x"]))
    #expect(interpreter.outputs[0].shape.dimensions == [1, 3])
  }

  @Test func comparesStringsForEquality() throws {
    let interpreter = try interpreter(.equal, on: [[3], [3]], to: .bool)
    try interpreter.setInput(0, to: stringBytes(["a", "", "bc"]))
    try interpreter.setInput(1, to: stringBytes(["A", "", "bc"]))
    try interpreter.invoke()
    #expect(try interpreter.output(0) == [0, 1, 1])
  }

  /// The second operator reads the first one's result and operand.
  @Test func passesStringsBetweenOperators() throws {
    var graph = TestModel()
    let x = graph.tensor(.string, [4])
    let square = graph.tensor(.string, [2, 2])
    let turned = graph.tensor(.string, [2, 2])
    let both = graph.tensor(.string, [2, 4])
    graph.inputs = [x]
    graph.outputs = [both, square]
    graph.add(
      .reshape, [x, graph.constant([Int32(2), -1], [2])], [square],
      options: .reshape(ReshapeOptions()))
    graph.add(.transpose, [square, graph.constant([Int32(1), 0], [2])], [turned])
    graph.add(
      .concatenation, [square, turned], [both],
      options: .concatenation(ConcatenationOptions(axis: 1)))
    let interpreter = try graph.interpreter()
    try interpreter.setInput(0, to: stringBytes(["a", "b", "c", "d"]))
    for _ in 0..<2 {
      try interpreter.invoke()
      #expect(
        try interpreter.output(0) == stringBytes(["a", "b", "a", "c", "c", "d", "b", "d"]))
      #expect(try interpreter.output(1) == stringBytes(["a", "b", "c", "d"]))
    }
  }

  @Test func emptyTensorsNeedNoBytes() throws {
    let interpreter = try interpreter(
      .reshape, on: [[0, 3]], [3, 0], options: .reshape(ReshapeOptions()))
    try interpreter.invoke()
    #expect(try interpreter.output(0) == stringBytes([]))
  }

  /// Bytes that do not hold two strings, and the count that they declare.
  static let unsound: [(bytes: [UInt8], found: Int)] = [
    ([], 0), ([2, 0, 0, 0], 0), (stringBytes(["one"]), 1), (stringBytes(["a", "b", "c"]), 3),
    (Array(stringBytes(["a", "b"]).dropLast()), 0),
    // A negative number of strings, and one that exceeds the bytes.
    ([255, 255, 255, 255] + stringBytes(["a", "b"]).dropFirst(4), 0),
    ([255, 255, 255, 127] + stringBytes(["a", "b"]).dropFirst(4), 0),
    // Offsets before the data, decreasing, and beyond the data.
    ([2, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0], 0),
    ([2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 16, 0, 0, 0, 65], 0),
    ([2, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 255, 255, 255, 127], 0),
    ([2, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 128, 16, 0, 0, 0], 0),
  ]

  @Test(arguments: unsound) func refusesInvalidStringBytes(_ bytes: [UInt8], _ found: Int) throws {
    let interpreter = try interpreter(
      .reshape, on: [[2]], [2], options: .reshape(ReshapeOptions()))
    try interpreter.setInput(0, to: bytes)
    #expect(
      throws: InferenceError.strings(node: 0, operand: .input(0), found: found, expected: 2)
    ) { try interpreter.invoke() }
    try interpreter.setInput(0, to: stringBytes(["fine", "again"]))
    try interpreter.invoke()
    #expect(try interpreter.output(0) == stringBytes(["fine", "again"]))
  }

  @Test func checksTheMemoryLimitBeforeRepeatingStrings() throws {
    let interpreter = try interpreter(
      .tile, on: [[1]], [1 << 16], limits: .init(memoryLimit: 64 << 20))
    try interpreter.setInput(0, to: stringBytes([String(repeating: "x", count: 1 << 10)]))
    #expect {
      try interpreter.invoke()
    } throws: { error in
      guard case .tooLarge(0, let bytes, 67_108_864) = error as? InferenceError else {
        return false
      }
      return bytes > 1 << 26
    }
    let endless = try self.interpreter(
      .tile, on: [[1]], [1 << 16], limits: .init(memoryLimit: Int.max))
    try endless.setInput(0, to: stringBytes([String(repeating: "x", count: 1 << 15)]))
    #expect(throws: InferenceError.tooLarge(node: 0, bytes: Int.max, limit: Int.max)) {
      try endless.invoke()
    }
  }

  @Test func copiedStringsCountTowardTheWorkLimit() throws {
    let interpreter = try interpreter(
      .tile, on: [[1]], [1 << 10], limits: .init(workLimit: 1 << 19))
    try interpreter.setInput(0, to: stringBytes([String(repeating: "x", count: 1 << 10)]))
    #expect {
      try interpreter.invoke()
    } throws: { error in
      guard case .tooMuchWork(0, _, 524_288) = error as? InferenceError else { return false }
      return true
    }
  }

  @Test func broadcastComparisonsCountTowardTheWorkLimit() throws {
    let interpreter = try interpreter(
      .equal, on: [[1 << 10, 1], [1 << 10]], to: .bool, limits: .init(workLimit: 1 << 19))
    for index in 0..<2 {
      try interpreter.setInput(
        index, to: stringBytes([String](repeating: "", count: 1 << 10)))
    }
    #expect {
      try interpreter.invoke()
    } throws: { error in
      guard case .tooMuchWork(0, let work, 524_288) = error as? InferenceError else {
        return false
      }
      return work > 1 << 20
    }
  }

  @Test func refusesStringsAsShapesOrIndices() throws {
    let reshape = try? interpreter(
      .reshape, on: [[2], [2]], options: .reshape(ReshapeOptions()))
    try reshape?.setInput(0, to: stringBytes(["a", "b"]))
    try reshape?.setInput(1, to: stringBytes(["c", "d"]))
    #expect(throws: InferenceError.missingOperand(node: 0, operand: .input(1))) {
      _ = try (try #require(reshape)).invoke()
    }
    let gather = try? interpreter(
      .gather, on: [[2], [2]], options: .gather(GatherOptions()))
    #expect(throws: InferenceError.unsupportedType(node: 0, operand: .input(1), found: .string)) {
      try gather?.setInput(0, to: stringBytes(["a", "b"]))
      try gather?.invoke()
    }
  }

  /// The index of a string must not be combined with integers.
  @Test func refusesMixingStringsAndIntegers() {
    #expect(
      throws: InferenceError.type(
        node: 0, operand: .input(1), found: .int32, expected: .string)
    ) {
      try interpreter(
        .concatenation, on: [[1]], [7], options: .concatenation(ConcatenationOptions()))
    }
    #expect(
      throws: InferenceError.type(
        node: 0, operand: .output(0), found: .int32, expected: .string)
    ) {
      try interpreter(
        .reshape, on: [[1]], [1], options: .reshape(ReshapeOptions()), to: .int32)
    }
  }

  @Test func arithmeticRefusesStrings() {
    #expect(throws: InferenceError.unsupportedType(node: 0, operand: .input(0), found: .string)) {
      try interpreter(.neg, on: [[2]])
    }
    #expect(throws: InferenceError.unsupportedType(node: 0, operand: .input(0), found: .string)) {
      try interpreter(.less, on: [[2], [2]], to: .bool)
    }
  }
}
