import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid matrices and recurrent cells that operators must refuse.
@Suite struct RecurrentRefusalTests {
  @Test func refusesMismatchedMatrices() {
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

  @Test func refusesLSTMWithTooFewOperands() {
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
        == .tooLarge(node: 0, bytes: 34_359_738_352, limit: many))
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

  /// The tensors of a cell with three inputs and two units.
  private func cell(batch: Int = 1) -> [Given] {
    [
      Given(shape: [2, 3]), Given(shape: [2, 2]), Given(shape: [2]),
      Given(shape: [batch, 2], isVariable: true),
    ]
  }

  @Test func refusesMismatchedRNNCells() {
    let options = OperatorOptions.rnn(RNNOptions())
    #expect(refusal(.rnn, [Given(shape: [1, 3])] + cell(), options: options) == nil)
    #expect(
      refusal(.rnn, [Given(shape: [1, 4])] + cell(), options: options)
        == .extent(node: 0, operand: .input(1), axis: 1, found: 3, expected: 4))
    #expect(
      refusal(.rnn, [Given(shape: [2, 3])] + cell(), options: options)
        == .elementCount(node: 0, operand: .input(4), found: 2, expected: 4))
    var tensors = [Given(shape: [1, 3])] + cell()
    tensors[4].isVariable = false
    #expect(refusal(.rnn, tensors, options: options) == .notVariable(node: 0, operand: .input(4)))
    #expect(
      refusal(
        .unidirectionalSequenceRNN, [Given(shape: [1, 3])] + cell(),
        options: .sequenceRNN(RNNOptions()))
        == .rank(node: 0, operand: .input(0), found: 2, expected: 3...3))
    #expect(
      refusal(.rnn, [Given(shape: [1, 3])] + cell(), options: .sequenceRNN(RNNOptions()))
        == .options(node: 0))
  }

  @Test func refusesMismatchedAuxiliaryInputs() {
    let options = OperatorOptions.bidirectionalSequenceRNN(RNNOptions())
    let outputs = [Given(), Given()]
    let weights = Given(shape: [2, 5])
    func error(_ auxiliary: Given, weights: [Given]) -> InferenceError? {
      refusal(
        .bidirectionalSequenceRNN,
        [Given(shape: [1, 4, 3])] + cell() + cell() + [auxiliary] + weights, outputs: outputs,
        options: options)
    }
    #expect(error(Given(shape: [1, 4, 5]), weights: [weights, weights]) == nil)
    #expect(
      error(Given(shape: [1, 3, 5]), weights: [weights, weights])
        == .extent(node: 0, operand: .input(9), axis: 1, found: 3, expected: 4))
    #expect(
      error(Given(shape: [1, 4, 6]), weights: [weights, weights])
        == .extent(node: 0, operand: .input(10), axis: 1, found: 5, expected: 6))
    #expect(
      error(Given(shape: [1, 4, 5]), weights: [weights])
        == .operandCount(node: 0, found: 11, expected: 12...12))
    #expect(
      refusal(
        .bidirectionalSequenceRNN,
        [Given(shape: [1, 4, 3])] + cell() + cell() + [weights, weights, weights],
        outputs: [Given()], options: options)
        == .operandCount(node: 0, found: 1, expected: 2...2))
  }

  @Test func bidirectionalLSTMRefusesInvalidOptionsAndOperands() {
    #expect(
      refusal(.bidirectionalSequenceLSTM, [Given(shape: [1, 2, 3])])
        == .options(node: 0))
    #expect(
      refusal(
        .bidirectionalSequenceLSTM, [Given(shape: [1, 2, 3])], outputs: [Given(), Given()],
        options: .bidirectionalSequenceLSTM(BidirectionalSequenceLSTMOptions()))
        == .operandCount(node: 0, found: 1, expected: 48...48))
  }

  @Test func refusesFourierTransformsOfInvalidSizes() {
    let image = Given(shape: [2, 8, 8])
    let spectrum = [Given(type: .complex64)]
    #expect(refusal(.rfft2D, [image, integers(8, 4)], outputs: spectrum) == nil)
    for extents in [[0, 8], [8, -8], [8, 12]] as [[Int32]] {
      let wrong = Int(extents.first { $0 != 8 } ?? 0)
      #expect(
        refusal(
          .rfft2D, [image, integers(extents[0], extents[1])], outputs: spectrum)
          == .option(node: 0, name: "fft_length", value: wrong))
    }
    #expect(
      refusal(.rfft2D, [image, integers(8)], outputs: spectrum)
        == .elementCount(node: 0, operand: .input(1), found: 1, expected: 2))
    #expect(
      refusal(.rfft2D, [Given(shape: [8]), integers(8, 8)], outputs: spectrum)
        == .rank(node: 0, operand: .input(0), found: 1, expected: 2...8))
    #expect(
      refusal(.rfft2D, [image, integers(1 << 30, 1 << 30)], outputs: spectrum)
        == .tooLarge(node: 0, bytes: 8 << 30, limit: ModelLimits.packed(fileSize: 0)))
  }

  @Test func l2PoolRefusesIntegers() {
    #expect(
      refusal(
        .l2Pool2D, [Given(type: .int8, shape: [1, 2, 2, 1])],
        options: .pool2D(
          Pool2DOptions(strideWidth: 1, strideHeight: 1, filterWidth: 1, filterHeight: 1)))
        == .unsupportedType(node: 0, operand: .input(0), found: .int8))
  }
}
