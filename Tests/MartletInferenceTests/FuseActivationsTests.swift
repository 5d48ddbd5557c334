@testable import MartletModel
import Testing

@testable import MartletInference

@Suite struct FuseActivationsTests {
  /// x + c, clamped by RELU6.
  func clampedSum(alsoOutput: Bool = false, type: ElementType = .float32) -> TestModel {
    var test = TestModel()
    let x = test.tensor(type, [4])
    let c = test.constant([Float(1), 1, 1, 1], [4])
    let sum = test.tensor(type, [4])
    let y = test.tensor(type, [4])
    test.inputs = [x]
    test.outputs = alsoOutput ? [y, sum] : [y]
    test.add(.add, [x, c], [sum], options: .add(AddOptions()))
    test.add(.relu6, [sum], [y])
    return test
  }

  @Test func fusesAClampIntoTheSumBeforeIt() throws {
    let interpreter = try clampedSum().interpreter()
    #expect(interpreter.nodeSummaries.map(\.name) == ["ADD"])
    #expect(try interpreter.run([[Float(-3), 0, 2.5, 9]]) == [0, 1, 3.5, 6])
  }

  @Test func doesNotFuseASumThatIsAlsoAnOutput() throws {
    let interpreter = try clampedSum(alsoOutput: true).interpreter()
    #expect(interpreter.nodeSummaries.map(\.name) == ["ADD", "RELU6"])
    #expect(try interpreter.run([[Float(-3), 0, 2.5, 9]]) == [0, 1, 3.5, 6])
    #expect(
      try interpreter.withOutput(1) { [Float]($0.bindMemory(to: Float.self)) } == [-2, 1, 3.5, 10])
  }
}
