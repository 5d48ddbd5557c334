import Foundation
import MartletInference
import Testing

/// Operators as users of the package write them; this target sees only public names.
@Suite struct OwnOperatorTests {
  /// y = x · w + amount · (mean of x's row). w is constant; a third input is absent.
  static let blend = Registration(.custom("Blend"), versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    let options = try p.customOptions()
    guard let amount = options["amount"]?.floatValue, options["mode"]?.stringValue == "mean" else {
      throw .options(node: p.node)
    }
    let x = try p.input(0, as: Float.self)
    let extents = try p.shape(ofInput: 0, ranks: 2...2)
    let weights = try p.values(of: 1, as: Float.self)
    try p.expect(p.input(1).shape, ofInput: 1, axis: 0, extent: extents[1])
    let shift = try p.optionalInput(2, as: Float.self)
    let y = try p.output(0, as: Float.self, shape: extents)
    let means = try p.scratch(extents[0], as: Float.self)
    let columns = extents[1]
    return { e in
      e.workers.split(extents[0], grain: 1) { rows in
        for row in rows {
          let line = e[x].span.extracting(row * columns..<(row + 1) * columns)
          var sum: Float = 0
          for column in 0..<columns { sum += line[column] }
          e[means][row] = sum / Float(columns)
          for column in 0..<columns {
            let offset = shift == nil ? 0 : e[shift][column]
            e[y][row * columns + column] =
              line[column] * weights[column] + amount * e[means][row] + offset
          }
        }
      }
    }
  }

  /// LEAKY_RELU in a version that only this file implements: results are at least -alpha.
  static let bounded = Registration(.builtin(.leakyRelu), versions: 7...7) {
    p throws(InferenceError) in
    guard let bound = try p.optionTable()?.float(0) else { throw .options(node: p.node) }
    let x = try p.input(0, as: Float.self)
    let y = try p.output(0, as: Float.self, shape: x.shape)
    return { e in
      for i in 0..<x.count { e[y][i] = max(e[x][i], -bound) }
    }
  }

  /// 0, 1, 2, ... with the count given by the input.
  static let count = Registration(.custom("Count"), versions: 1...1) { p throws(InferenceError) in
    let n = try p.integers(of: 0)
    guard n.count == 1 else {
      throw .elementCount(node: p.node, operand: .input(0), found: n.count, expected: 1)
    }
    let y = try p.output(0, as: Float.self, shape: try p.shape(n))
    return { e in
      for i in 0..<y.count { e[y][i] = Float(i) }
    }
  }

  func model(_ name: String) throws -> Model {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/Models")
    return try Model(bytes: [UInt8](Data(contentsOf: fixtures.appending(path: name))))
  }

  func run<In: TensorElement>(
    _ interpreter: Interpreter, _ input: [In]
  ) throws -> [Float] {
    try interpreter.setInput(0, to: input.withUnsafeBytes { [UInt8]($0) })
    try interpreter.invoke()
    return try interpreter.withOutput(0) { memory in
      (0..<memory.count / 4).map { memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  @Test(arguments: KernelSet.allCases)
  func runsCustomAndBuiltinOperatorsOfTheUser(_ kernels: KernelSet) throws {
    let interpreter = try Interpreter(
      model: model("own_operators.tflite"),
      options: .init(
        kernels: kernels, operators: [OwnOperatorTests.blend, OwnOperatorTests.bounded])
    )
    // Means 2 and -1; blended [2, 5, -11] and [-3.5, -0.5, -0.5]; bounded by -2; leaked by a
    // quarter.
    let y = try run(interpreter, [1, 2, 3, -3, 0, 0] as [Float])
    #expect(y == [2, 5, -0.5, -0.5, -0.125, -0.125])
  }

  @Test func preparesAgainOnceValuesAreKnown() throws {
    let interpreter = try Interpreter(
      model: model("own_shape.tflite"), options: .init(operators: [OwnOperatorTests.count]))
    #expect(try run(interpreter, [4] as [Int32]) == [0, 1, 2, 3])
    #expect(try run(interpreter, [0] as [Int32]) == [])
    #expect(throws: InferenceError.self) { try run(interpreter, [-1] as [Int32]) }
  }

  @Test func reportsMissingOperators() throws {
    let model = try model("own_operators.tflite")
    #expect(throws: InferenceError.unsupportedOperator(node: 0, name: "Blend", version: 1)) {
      try Interpreter(model: model)
    }
    #expect(throws: InferenceError.unsupportedOperator(node: 1, name: "LEAKY_RELU", version: 7)) {
      try Interpreter(model: model, options: .init(operators: [OwnOperatorTests.blend]))
    }
  }

  @Test func userOperatorsOverrideBuiltInOnes() throws {
    let plain = Registration(.builtin(.leakyRelu), versions: 1...9) { p throws(InferenceError) in
      let x = try p.input(0, as: Float.self)
      let y = try p.output(0, as: Float.self, shape: x.shape)
      return { e in
        for i in 0..<x.count { e[y][i] = 2 * e[x][i] }
      }
    }
    let interpreter = try Interpreter(
      model: model("own_operators.tflite"),
      options: .init(operators: [OwnOperatorTests.blend, plain]))
    let y = try run(interpreter, [1, 2, 3, -3, 0, 0] as [Float])
    #expect(y == [8, 20, -44, -14, -2, -2])
  }

  @Test func rethrowsErrorsOfTheOperator() throws {
    let picky = Registration(.custom("Blend"), versions: 1...1) { p throws(InferenceError) in
      _ = try p.input(0, as: Int32.self)
      return { _ in }
    }
    let model = try model("own_operators.tflite")
    #expect(
      throws: InferenceError.type(node: 0, operand: .input(0), found: .float32, expected: .int32)
    ) {
      try Interpreter(model: model, options: .init(operators: [picky, OwnOperatorTests.bounded]))
    }
  }

  @Test func readsOptionBytes() throws {
    let bytes = Registration(.custom("Blend"), versions: 1...1) { p throws(InferenceError) in
      throw .option(node: p.node, name: "bytes", value: p.customOptionBytes.count)
    }
    let model = try model("own_operators.tflite")
    do {
      _ = try Interpreter(model: model, options: .init(operators: [bytes]))
      Issue.record("preparation succeeded")
    } catch {
      guard case .option(0, "bytes", let count) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(count > 8)
    }
  }
}
