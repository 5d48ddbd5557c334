import Testing

@testable import MartletInference
@testable import MartletModel
@testable import MartletTensor

/// What files may say of matrices and recurrent cells, and operators must not take.
@Suite struct RecurrentRefusalTests {
  private typealias Given = OperatorRefusalTests.Given
  private let operators = OperatorRefusalTests()

  @Test func refusesMatricesThatDoNotMeet() {
    let options = OperatorOptions.batchMatMul(BatchMatMulOptions())
    #expect(
      operators.refusal(.batchMatMul, options, [Given(shape: [2, 3]), Given(shape: [4, 2])])
        == .extent(node: 0, operand: .input(1), axis: 0, found: 4, expected: 3))
    #expect(
      operators.refusal(
        .batchMatMul, options, [Given(shape: [2, 1, 3]), Given(shape: [3, 3, 2])])
        == .extent(node: 0, operand: .input(1), axis: 0, found: 3, expected: 2))
    #expect(
      operators.refusal(.batchMatMul, options, [Given(shape: [3]), Given(shape: [3, 2])])
        == .rank(node: 0, operand: .input(0), found: 1, expected: 2...5))
  }

  @Test func refusesRanksThatDoNotDivideTheFilters() {
    let tensors = [
      Given(shape: [1, 4]), Given(shape: [6, 4]), Given(shape: [6, 7]), Given(shape: [6]),
      Given(shape: [1, 42]),
    ]
    for rank in [0, -1, 4] {
      #expect(
        operators.refusal(.svdf, .svdf(SVDFOptions(rank: rank)), tensors)
          == .option(node: 0, name: "rank", value: rank))
    }
    #expect(
      operators.refusal(.svdf, .svdf(SVDFOptions(rank: 1)), tensors)
        == .notVariable(node: 0, operand: .input(4)))
  }

  @Test func refusesLayersWithoutTheirInputGatesBias() {
    var tensors = [Given(shape: [1, 2, 3])]
    tensors += [Given](repeating: Given(shape: [4, 3]), count: 4)
    tensors += [Given](repeating: Given(shape: [4, 4]), count: 4)
    #expect(
      operators.refusal(
        .unidirectionalSequenceLSTM,
        .unidirectionalSequenceLSTM(UnidirectionalSequenceLSTMOptions()), tensors)
        == .operandCount(node: 0, found: 9, expected: 20...24))
  }

  @Test func refusesBasicCellsThatWouldWriteConstants() {
    let one = Given(shape: [1, 1], values: [0])
    let options = OperatorOptions.lstm(LSTMOptions(kernel: .basic))
    #expect(
      operators.refusal(
        .lstm, options,
        [Given(shape: [1, 1]), one, Given(shape: [4, 2]), Given(shape: [4]), one],
        outputs: [Given(), Given(), Given(), Given()])
        == .notVariable(node: 0, operand: .input(1)))
  }

  @Test func refusesFiltersLargerThanTheVolume() {
    let options = OperatorOptions.conv3D(
      Conv3DOptions(padding: .valid, strideDepth: 1, strideWidth: 1, strideHeight: 1))
    #expect(
      operators.refusal(
        .conv3D, options, [Given(shape: [1, 2, 2, 2, 1]), Given(shape: [1, 3, 1, 1, 1])])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 2, expected: 3))
    #expect(
      operators.refusal(
        .conv3D, .conv3D(Conv3DOptions()),
        [Given(shape: [1, 2, 2, 2, 1]), Given(shape: [1, 1, 1, 1, 1])])
        == .option(node: 0, name: "stride", value: 0))
  }
}
