import Testing

@testable import MartletElementwiseOperators
@testable import MartletInference
@testable import MartletLayerOperators
@testable import MartletMovementOperators
@testable import MartletModel
@testable import MartletTensor

/// What files may say of matrices and recurrent cells, and operators must not take.
@Suite struct RecurrentRefusalTests {
  @Test func refusesMatricesThatDoNotMeet() {
    let options = OperatorOptions.batchMatMul(BatchMatMulOptions())
    #expect(
      refusal(.batchMatMul, [Given(shape: [2, 3]), Given(shape: [4, 2])], options: options)
        == .extent(node: 0, operand: .input(1), axis: 0, found: 4, expected: 3))
    #expect(
      refusal(.batchMatMul, [Given(shape: [2, 1, 3]), Given(shape: [3, 3, 2])], options: options)
        == .extent(node: 0, operand: .input(1), axis: 0, found: 3, expected: 2))
    #expect(
      refusal(.batchMatMul, [Given(shape: [3]), Given(shape: [3, 2])], options: options)
        == .rank(node: 0, operand: .input(0), found: 1, expected: 2...5))
  }

  @Test func refusesRanksThatDoNotDivideTheFilters() {
    let tensors = [
      Given(shape: [1, 4]), Given(shape: [6, 4]), Given(shape: [6, 7]), Given(shape: [6]),
      Given(shape: [1, 42]),
    ]
    for rank in [0, -1, 4] {
      #expect(
        refusal(.svdf, tensors, options: .svdf(SVDFOptions(rank: rank)))
          == .option(node: 0, name: "rank", value: rank))
    }
    #expect(
      refusal(.svdf, tensors, options: .svdf(SVDFOptions(rank: 1)))
        == .notVariable(node: 0, operand: .input(4)))
  }

  @Test func refusesLayersWithoutTheirInputGatesBias() {
    var tensors = [Given(shape: [1, 2, 3])]
    tensors += [Given](repeating: Given(shape: [4, 3]), count: 4)
    tensors += [Given](repeating: Given(shape: [4, 4]), count: 4)
    #expect(
      refusal(
        .unidirectionalSequenceLSTM, tensors,
        options: .unidirectionalSequenceLSTM(UnidirectionalSequenceLSTMOptions()))
        == .operandCount(node: 0, found: 9, expected: 20...24))
  }

  @Test func refusesScratchMemoryWhoseSizeOverflows() {
    let many = Int(Int32.max)
    let vector = Given(shape: [many])
    var tensors = [Given(shape: [1, many, 0])]
    tensors += [Given](repeating: Given(shape: [many, 0]), count: 4)
    tensors += [Given](repeating: Given(shape: [many, 1]), count: 4)
    tensors += [Given](repeating: vector, count: 7)
    tensors += [Given(shape: [1, many]), Given(shape: [1])]
    tensors += [Given(shape: [1], isVariable: true), Given(shape: [many], isVariable: true)]
    #expect(
      refusal(
        .unidirectionalSequenceLSTM, tensors,
        options: .unidirectionalSequenceLSTM(UnidirectionalSequenceLSTMOptions()))
        == .tooLarge(node: 0, bytes: Int.max, limit: many))
  }

  @Test func refusesBasicCellsThatWouldWriteConstants() {
    let one = Given(shape: [1, 1], values: [0])
    let options = OperatorOptions.lstm(LSTMOptions(kernel: .basic))
    #expect(
      refusal(
        .lstm, [Given(shape: [1, 1]), one, Given(shape: [4, 2]), Given(shape: [4]), one],
        outputs: [Given(), Given(), Given(), Given()], options: options)
        == .notVariable(node: 0, operand: .input(1)))
  }

  @Test func refusesFiltersLargerThanTheVolume() {
    let options = OperatorOptions.conv3D(
      Conv3DOptions(padding: .valid, strideDepth: 1, strideWidth: 1, strideHeight: 1))
    #expect(
      refusal(
        .conv3D, [Given(shape: [1, 2, 2, 2, 1]), Given(shape: [1, 3, 1, 1, 1])], options: options)
        == .extent(node: 0, operand: .input(0), axis: 2, found: 2, expected: 3))
    #expect(
      refusal(
        .conv3D, [Given(shape: [1, 2, 2, 2, 1]), Given(shape: [1, 1, 1, 1, 1])],
        options: .conv3D(Conv3DOptions()))
        == .option(node: 0, name: "stride", value: 0))
  }
}
