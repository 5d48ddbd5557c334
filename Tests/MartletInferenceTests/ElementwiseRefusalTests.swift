import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid nodes that elementwise operators must refuse.
@Suite struct ElementwiseRefusalTests {
  /// Runs one operator on two int32 inputs.
  private func run(_ builtin: BuiltinOperator, _ a: [Int32], _ b: [Int32]) throws -> [Int32] {
    var model = TestModel()
    model.inputs = [model.tensor(.int32, [a.count]), model.tensor(.int32, [b.count])]
    model.outputs = [model.tensor(.int32, [a.count])]
    model.add(builtin, model.inputs, model.outputs)
    return try model.interpreter().run([a, b])
  }

  @Test(arguments: [BuiltinOperator.floorDiv, .floorMod, .div])
  func refusesDivisorsOfZero(_ builtin: BuiltinOperator) {
    #expect(throws: InferenceError.divisionByZero(node: 0, operand: .input(1))) {
      try run(builtin, [1, 2], [1, 0])
    }
  }

  @Test func dividesTheMinimumByMinusOne() throws {
    #expect(try run(.floorDiv, [.min], [-1]) == [.min])
    #expect(try run(.floorMod, [.min], [-1]) == [0])
    #expect(try run(.div, [.min], [-1]) == [.min])
  }

  @Test func refusesNegativeExponentsOfIntegers() {
    #expect(throws: InferenceError.option(node: 0, name: "exponent", value: -3)) {
      try run(.pow, [1, 2], [1, -3])
    }
  }

  @Test func refusesExtentsThatDoNotBroadcast() {
    #expect(
      throws: InferenceError.extent(
        node: 0, operand: .input(1), axis: 1, found: 4, expected: 3)
    ) { try run(.broadcastArgs, [2, 3], [1, 4]) }
  }

  @Test func refusesRangesThatNeverReachTheLimit() {
    let output = Given(type: .int32)
    func range(_ start: Int32, _ limit: Int32, _ delta: Int32) -> InferenceError? {
      refusal(.range, [scalar(start), scalar(limit), scalar(delta)], outputs: [output])
    }
    #expect(range(0, 5, 0) == .option(node: 0, name: "delta", value: 0))
    #expect(range(0, 5, -1) == .option(node: 0, name: "delta", value: -1))
    #expect(range(5, 0, 1) == .option(node: 0, name: "delta", value: 1))
    #expect(range(5, 5, 1) == nil)
    #expect(range(.min, .max, .max) == nil)
    #expect(
      range(.min, .max, 1)
        == .extent(
          node: 0, operand: .output(0), axis: 0, found: Int(UInt32.max), expected: Int(Int32.max)))
  }

  @Test func refusesNegativeExtents() {
    #expect(
      refusal(.fill, [integers(2, -1), Given(values: [0])])
        == .extent(node: 0, operand: .output(0), axis: 1, found: -1, expected: 0))
  }

  @Test func refusesAxesOutOfRange() {
    #expect(
      refusal(.cumsum, [Given(shape: [2, 3]), scalar(2)], options: .cumsum(CumsumOptions()))
        == .option(node: 0, name: "axis", value: 2))
    #expect(
      refusal(.cumsum, [Given(), scalar(0)], options: .cumsum(CumsumOptions()))
        == .rank(node: 0, operand: .input(0), found: 0, expected: 1...8))
  }

  @Test func refusesBytesThatDoNotFillAnElement() {
    #expect(
      refusal(.bitcast, [Given(type: .uint8, shape: [2, 3])])
        == .extent(node: 0, operand: .input(0), axis: 1, found: 3, expected: 4))
    #expect(
      refusal(.bitcast, [Given(type: .uint8)])
        == .rank(node: 0, operand: .input(0), found: 0, expected: 1...8))
  }

  @Test func logSoftmaxRefusesOtherQuantization() {
    let map = Quantization(scale: 0.5, zeroPoint: 0)
    let x = Given(type: .int8, shape: [4], quantization: map)
    #expect(refusal(.logSoftmax, [x], outputs: [x]) == .quantization(node: 0, operand: .output(0)))
    let shifted = Given(type: .int8, quantization: Quantization(scale: 0x1p-4, zeroPoint: 0))
    #expect(
      refusal(.logSoftmax, [x], outputs: [shifted])
        == .zeroPoint(node: 0, operand: .output(0), found: 0, expected: 127...127))
  }

  @Test func refusesNegativeRadii() {
    let options = LocalResponseNormalizationOptions(radius: -1)
    #expect(
      refusal(
        .localResponseNormalization, [Given(shape: [1, 1, 1, 4])],
        options: .localResponseNormalization(options))
        == .option(node: 0, name: "radius", value: -1))
  }

  @Test func addNRefusesMismatchedShapes() {
    #expect(
      refusal(.addN, [Given(shape: [2]), Given(shape: [3])])
        == .elementCount(node: 0, operand: .input(1), found: 3, expected: 2))
  }

  @Test func imagRefusesRealNumbers() {
    #expect(
      refusal(.imag, [Given(shape: [2])])
        == .unsupportedType(node: 0, operand: .input(0), found: .float32))
  }

  @Test func fakeQuantizationRefusesInvalidOptions() {
    func error(_ options: FakeQuantOptions) -> InferenceError? {
      refusal(.fakeQuant, [Given(shape: [2])], options: .fakeQuant(options))
    }
    let sound = FakeQuantOptions(minimum: -1, maximum: 1, bitCount: 8)
    #expect(error(sound) == nil)
    let intervals: [(Float, Float)] = [
      (0, 0), (1, 2), (-2, -1), (.nan, 1), (-1, .nan), (-.infinity, 1),
      (-.greatestFiniteMagnitude, .greatestFiniteMagnitude),
    ]
    for (low, high) in intervals {
      #expect(
        error(FakeQuantOptions(minimum: low, maximum: high, bitCount: 8)) == .options(node: 0))
    }
    for bits in [0, -1, 17, Int(Int32.max)] {
      #expect(
        error(FakeQuantOptions(minimum: -1, maximum: 1, bitCount: bits))
          == .option(node: 0, name: "num_bits", value: bits))
    }
    var narrow = sound
    narrow.narrowRange = true
    #expect(error(narrow) == .option(node: 0, name: "narrow_range", value: 1))
  }
}
