@testable import MartletModel
import Testing

@testable import MartletInference

@Suite struct GraphTests {
  @Test func refusesAnOutputThatIsNeverWritten() {
    var test = TestModel()
    test.inputs = [test.tensor(.float32, [1])]
    test.outputs = [test.tensor(.float32, [1])]
    #expect(throws: InferenceError.outputNeverWritten(tensor: 1)) { try test.interpreter() }
  }

  @Test func refusesOperatorsInTheWrongOrder() {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let y = test.tensor(.float32, [1])
    let z = test.tensor(.float32, [1])
    test.inputs = [x]
    test.outputs = [z]
    test.add(.relu, [y], [z])
    test.add(.relu, [x], [y])
    #expect(throws: InferenceError.readBeforeWritten(node: 0, tensor: y)) {
      try test.interpreter()
    }
  }

  @Test func refusesAnOperatorThatWritesItsInput() {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    test.inputs = [x]
    test.outputs = [x]
    test.add(.relu, [x], [x])
    #expect(throws: InferenceError.writtenTwice(node: 0, tensor: x)) { try test.interpreter() }
  }

  @Test func refusesAnOperatorThatWritesAConstant() {
    var test = TestModel()
    let x = test.tensor(.float32, [1])
    let c = test.constant([Float(1)], [1])
    test.inputs = [x]
    test.outputs = [c]
    test.add(.relu, [x], [c])
    #expect(throws: InferenceError.writtenTwice(node: 0, tensor: c)) { try test.interpreter() }
  }

  @Test func refusesAMissingSubgraph() {
    let model = TestModel().model
    #expect(throws: InferenceError.noSuchSubgraph(index: 1, count: 1)) {
      try Interpreter(model: model, subgraph: 1)
    }
  }

  @Test func outputMayBeAnInput() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2])
    test.inputs = [x]
    test.outputs = [x]
    let interpreter = try test.interpreter()
    #expect(try interpreter.run([[Float(3), 4]]) == [3, 4])
  }

  /// An ADD on bytes whose result is declared as float, as in a published model.
  @Test func sumHasTheTypeOfItsOperands() throws {
    var test = TestModel()
    let steps = Quantization(scale: 0.5, zeroPoint: 0)
    let x = test.tensor(.int8, [2], quantization: steps)
    let sum = test.tensor(.float32, [2], quantization: steps)
    let y = test.tensor(.int8, [2], quantization: steps)
    test.inputs = [x]
    test.outputs = [y, sum]
    test.add(.add, [x, x], [sum], options: .add(AddOptions()))
    test.add(.add, [sum, x], [y], options: .add(AddOptions()))
    let interpreter = try test.interpreter()
    #expect(interpreter.outputs.map(\.type) == [.int8, .int8])
    #expect(try interpreter.run([[Int8(3), -4]]) == [Int8(9), -12])
  }

  /// The first operator does not pass on the type of an operand, the second does.
  @Test func typesFollowOperandsBehindOtherOperators() throws {
    var test = TestModel()
    let steps = Quantization(scale: 0.5, zeroPoint: 0)
    let x = test.tensor(.int8, [2], quantization: steps)
    let real = test.tensor(.float32, [2])
    let sum = test.tensor(.float32, [2], quantization: steps)
    test.inputs = [x]
    test.outputs = [real, sum]
    test.add(.dequantize, [x], [real])
    test.add(.add, [x, x], [sum], options: .add(AddOptions()))
    #expect(try test.interpreter().outputs.map(\.type) == [.float32, .int8])
  }

  /// As in LiteRT, whose operators take the type of their results from operand 1.
  @Test func selectSplitAndFillUseTheSecondOperandType() throws {
    var select = TestModel()
    let which = select.tensor(.bool, [2])
    let x = select.tensor(.float32, [2])
    select.inputs = [which, x]
    select.outputs = [select.tensor(.int32, [2])]
    select.add(.select, [which, x, x], select.outputs)
    var split = TestModel()
    let axis = split.constant([Int32(0)], [])
    split.inputs = [split.tensor(.float32, [2])]
    split.outputs = [split.tensor(.int32, [1]), split.tensor(.int8, [1])]
    var options = SplitOptions()
    options.splitCount = 2
    split.add(.split, [axis, split.inputs[0]], split.outputs, options: .split(options))
    var fill = TestModel()
    let extents = fill.constant([Int32(2)], [1])
    fill.inputs = [fill.tensor(.float32, [])]
    fill.outputs = [fill.tensor(.int8, [2])]
    fill.add(.fill, [extents, fill.inputs[0]], fill.outputs)
    for test in [select, split, fill] {
      #expect(try test.interpreter().outputs.allSatisfy { $0.type == .float32 })
    }
  }
}
