@testable import MartletModel
import Testing

@testable import MartletInference

@Suite struct GraphTests {
  @Test func refusesAnOutputThatNothingWrites() {
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

  @Test func refusesASubgraphThatIsNotThere() {
    let model = TestModel().model
    #expect(throws: InferenceError.noSuchSubgraph(index: 1, count: 1)) {
      try Interpreter(model: model, subgraph: 1)
    }
  }

  @Test func anOutputMayBeAnInput() throws {
    var test = TestModel()
    let x = test.tensor(.float32, [2])
    test.inputs = [x]
    test.outputs = [x]
    let interpreter = try test.interpreter()
    #expect(try interpreter.run([[Float(3), 4]]) == [3, 4])
  }
}
