import MartletOperators
@testable import MartletModel
import Testing

@testable import MartletInference

@Suite struct PreparationTests {
  /// A node with a quantized input and an absent one.
  func preparation() -> Preparation {
    let info = TensorInfo(
      index: 0, declaredType: .int8, shape: Shape(2),
      quantization: Quantization(scale: 0.5, zeroPoint: 3),
      isConstant: false)
    return Preparation(
      operation: Operator(code: .builtin(.add), inputs: [0, -1], outputs: [0]), node: 9,
      kernels: .reference, workerCount: 1, file: FileBytes([]),
      tensors: TensorTable([info], known: [nil]))
  }

  @Test func reportsMissingOperands() {
    let p = preparation()
    #expect(throws: InferenceError.missingOperand(node: 9, operand: .input(1))) { try p.input(1) }
    #expect(throws: InferenceError.missingOperand(node: 9, operand: .input(2))) { try p.input(2) }
    #expect(throws: InferenceError.missingOperand(node: 9, operand: .output(1))) {
      try p.output(1)
    }
    #expect(throws: InferenceError.operandCount(node: 9, found: 2, expected: 3...4)) {
      try p.expect(inputs: 3...4)
    }
  }

  @Test func reportsATypeMismatch() {
    #expect(
      throws: InferenceError.type(
        node: 9, operand: .input(0), found: .int8, expected: .float32)
    ) { try preparation().input(0, as: Float.self) }
  }

  @Test func reportsThatAValueIsNotKnownYet() {
    #expect(throws: InferenceError.valueNotKnown(node: 9, operand: .input(0))) {
      try preparation().values(of: 0, as: Int8.self)
    }
  }

  /// Zero point plus bound divided by scale, clamped to the type's range.
  @Test(arguments: [
    (Activation.none, Float(0.5), 3, Int32(-128)...127),
    (.relu, 0.5, 3, 3...127),
    (.relu6, 0.5, 3, 3...15),
    (.reluN1To1, 0.5, 3, 1...5),
    (.relu6, 0.4, -128, -128 ... -113),
    (.relu6, 1e-9, 0, 0...127),
  ])
  func convertsActivationsToIntegerRanges(
    _ activation: Activation, _ scale: Float, _ zeroPoint: Int, _ expected: ClosedRange<Int32>
  ) throws {
    let map = Quantization(scale: scale, zeroPoint: zeroPoint)
    #expect(
      try preparation().quantizedRange(of: activation, output: map, as: Int8.self) == expected)
  }

  @Test func refusesActivationsThatAreNotClamps() {
    #expect(
      throws: InferenceError.option(node: 9, name: "fused_activation_function", value: 4)
    ) { try preparation().floatRange(of: .tanh) }
  }
}
