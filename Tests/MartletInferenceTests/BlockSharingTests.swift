import MartletOperators
@testable import MartletModel
import MartletBase
import MartletSystem
import Testing

@testable import MartletInference

@Suite struct BlockSharingTests {
  /// Doubles x, so that it is not a graph input, then applies `body`.
  func chain(
    _ shape: [Int], _ type: ElementType = .float32, quantization: Quantization? = nil,
    _ body: (inout TestModel, Int) -> [Int]
  ) -> TestModel {
    var test = TestModel()
    let x = test.tensor(type, shape, quantization: quantization)
    let doubled = test.tensor(type, shape, quantization: quantization)
    test.inputs = [x]
    test.add(.add, [x, x], [doubled], options: .add(AddOptions()))
    test.outputs = body(&test, doubled)
    return test
  }

  func offsets(_ interpreter: Interpreter) -> [Int: Int] {
    var offsets: [Int: Int] = [:]
    for block in interpreter.memoryBlocks {
      if let tensor = block.tensor { offsets[tensor] = block.offset }
    }
    return offsets
  }

  static let unary: [(BuiltinOperator, @Sendable (Float) -> Float)] = [
    (.abs, { abs($0) }), (.neg, { -$0 }), (.square, { $0 * $0 }),
    (.floor, { $0.rounded(.down) }),
  ]

  @Test(arguments: KernelSet.allCases, [1, 2, 4])
  func elementwiseResultReusesAnUnneededOperand(kernels: KernelSet, workers: Int) throws {
    for (builtin, function) in BlockSharingTests.unary {
      let interpreter = try chain([3, 7]) { test, x in
        let y = test.tensor(.float32, [3, 7])
        test.add(builtin, [x], [y])
        return [y]
      }.interpreter(kernels, workers: .pool(count: workers))
      let offset = offsets(interpreter)
      #expect(offset[1] == offset[2] && offset[0] != offset[1], "\(builtin)")
      let x = (0..<21).map { Float($0) * 0.75 - 8 }
      let expected = x.map { function($0 + $0) }
      #expect(try interpreter.run([x]) == expected, "\(builtin)")
      try interpreter.invoke()
      #expect(try interpreter.output(0) == expected.withUnsafeBytes { [UInt8]($0) })
    }
  }

  @Test(arguments: KernelSet.allCases, [0, 1])
  func quantizedSumReusesEitherOperand(kernels: KernelSet, operand: Int) throws {
    let map = Quantization(scales: [0.5], zeroPoints: [3], axis: 0)
    let interpreter = try chain([2, 5], .int8, quantization: map) { test, x in
      let small = test.constant([Int8(5)], [1], quantization: map)
      let y = test.tensor(.int8, [2, 5], quantization: map)
      test.add(
        .add, operand == 0 ? [x, small] : [small, x], [y], options: .add(AddOptions()))
      return [y]
    }.interpreter(kernels)
    // Zero point 3: doubling step s gives 2s - 3, and adding (5 - 3) adds 2 steps.
    #expect(try interpreter.run([(0..<10).map { Int8($0) }]) == (0..<10).map { Int8(2 * $0 - 1) })
    let offset = offsets(interpreter)
    #expect(offset[1] == offset[3])
  }

  @Test func keepsOperandsThatAreReadAgain() throws {
    let interpreter = try chain([4]) { test, x in
      let negative = test.tensor(.float32, [4])
      let y = test.tensor(.float32, [4])
      test.add(.neg, [x], [negative])
      test.add(.mul, [x, negative], [y], options: .mul(ActivationOptions()))
      return [y]
    }.interpreter()
    let offset = offsets(interpreter)
    #expect(offset[1] != offset[2])
    #expect(try interpreter.run([[Float(1), 2, 3, 4]]) == [-4, -16, -36, -64])
  }

  @Test func neverOverwritesGraphInputs() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [3])
    let y = test.tensor(.float32, [3])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.neg, [x], [y])
    let interpreter = try test.interpreter()
    #expect(try interpreter.run([[Float(1), 2, 3]]) == [-1, -2, -3])
    try interpreter.invoke()
    #expect(
      try interpreter.withOutput(0) { [Float]($0.bindMemory(to: Float.self)) } == [-1, -2, -3])
  }

  @Test func keepsBroadcastOperands() throws {
    let interpreter = try chain([1, 3]) { test, x in
      let column = test.constant([Float(1), 2], [2, 1])
      let y = test.tensor(.float32, [2, 3])
      test.add(.mul, [x, column], [y], options: .mul(ActivationOptions()))
      return [y]
    }.interpreter()
    #expect(try interpreter.run([[Float(1), 2, 3]]) == [2, 4, 6, 4, 8, 12])
    let offset = offsets(interpreter)
    #expect(offset[1] != offset[3])
  }

  @Test func reshapedTensorSharesMemoryWithItsOperand() throws {
    let interpreter = try chain([2, 3]) { test, x in
      let flat = test.tensor(.float32, [6])
      let square = test.tensor(.float32, [6])
      let y = test.tensor(.float32, [2, 3])
      test.add(.reshape, [x], [flat], options: .reshape(ReshapeOptions(newShape: [6])))
      test.add(.square, [flat], [square])
      test.add(.sub, [x, x], [y], options: .sub(AddOptions()))
      return [square, y]
    }.interpreter()
    let offset = offsets(interpreter)
    #expect(offset[1] == offset[2])
    // SQUARE must not overwrite the operand, which is read again.
    #expect(offset[3] != offset[2])
    #expect(try interpreter.run([[Float(1), 2, 3, 4, 5, 6]]) == [4, 16, 36, 64, 100, 144])
    #expect(try interpreter.output(1) == [UInt8](repeating: 0, count: 24))
  }

  @Test func outputDoesNotShareMemoryWithInput() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2, 2])
    let y = test.tensor(.float32, [4])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.reshape, [x], [y], options: .reshape(ReshapeOptions(newShape: [4])))
    let interpreter = try test.interpreter()
    #expect(try interpreter.run([[Float(1), 2, 3, 4]]) == [1, 2, 3, 4])
    try interpreter.setInput(0, to: [UInt8](repeating: 0, count: 16))
    #expect(
      try interpreter.withOutput(0) { [Float]($0.bindMemory(to: Float.self)) } == [1, 2, 3, 4])
  }

  @Test func elementsOfDifferentWidthsDoNotShareMemory() {
    let blocks = [
      MemoryBlock(tensor: 0, offset: 0, byteCount: 64, lifetime: 0...1),
      MemoryBlock(tensor: 1, offset: 0, byteCount: 64, lifetime: 1...2),
    ]
    for (widths, leaders) in [([32, 32], [0, 0]), ([32, 8], [0, 1])] {
      let shared = SharedBlocks(
        blocks, lifetimes: blocks.map(\.lifetime), widths: widths,
        sharings: [BlockSharing(kind: .overwrites, result: 1, operands: [0])], inputs: [],
        outputs: [])
      #expect(shared.leaders == leaders)
    }
  }
}
