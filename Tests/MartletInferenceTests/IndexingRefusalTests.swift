import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid nodes that indexing operators must refuse, in preparation and at run time.
@Suite struct IndexingRefusalTests {
  private let scores = Given(shape: [4])

  @Test func topKRefusesKBeyondTheElementCount() {
    let outputs = [Given(), Given(type: .int32)]
    #expect(
      refusal(.topK, [scores, scalar(5)], outputs: outputs)
        == .option(node: 0, name: "k", value: 5))
    #expect(
      refusal(
        .topK, [Given(shape: [Int(Int16.max) + 2]), scalar(1)],
        outputs: [Given(), Given(type: .int16)])
        == .extent(node: 0, operand: .input(0), axis: 0, found: 32769, expected: 32768))
    #expect(
      refusal(.topK, [Given(), scalar(0)], outputs: outputs)
        == .rank(node: 0, operand: .input(0), found: 0, expected: 1...8))
    #expect(
      refusal(.topK, [scores, Given(type: .int32)], outputs: outputs)
        == .valueNotKnown(node: 0, operand: .input(1)))
  }

  @Test func oneHotRefusesInvalidDepthAndAxis() {
    let indices = Given(type: .int32, shape: [3])
    func oneHot(_ depth: Int32, axis: Int) -> InferenceError? {
      refusal(
        .oneHot, [indices, scalar(depth), Given(), Given()],
        options: .oneHot(OneHotOptions(axis: axis)))
    }
    #expect(oneHot(-1, axis: 0) == .option(node: 0, name: "depth", value: -1))
    #expect(oneHot(3, axis: 2) == .option(node: 0, name: "axis", value: 2))
    #expect(oneHot(3, axis: -2) == .option(node: 0, name: "axis", value: -2))
    #expect(oneHot(3, axis: 1) == nil)
  }

  @Test func reverseRefusesRepeatedOrNonadjacentAxes() {
    let x = Given(shape: [2, 3, 4])
    for axes in [[1, 1], [0, 2], [2, 0], [0, -1]] as [[Int32]] {
      let names = Given(type: .int32, shape: [2], values: axes)
      guard case .option(0, "axis", _) = refusal(.reverseV2, [x, names]) else {
        Issue.record("axes \(axes) were accepted")
        continue
      }
    }
    #expect(refusal(.reverseV2, [x, integers(-1, 1)]) == nil)
    #expect(
      refusal(.reverseV2, [x, integers(3)]) == .option(node: 0, name: "axis", value: 3))
  }

  @Test(arguments: [
    (-1, 0, "seq_dim"), (2, 0, "seq_dim"), (1, 1, "batch_dim"), (1, 2, "batch_dim"),
  ])
  func reverseSequenceRefusesInvalidAxes(_ time: Int, _ batch: Int, _ name: String) {
    let options = ReverseSequenceOptions(sequenceAxis: time, batchAxis: batch)
    #expect(
      refusal(
        .reverseSequence, [Given(shape: [2, 2]), Given(type: .int32, shape: [2])],
        options: .reverseSequence(options))
        == .option(node: 0, name: name, value: name == "seq_dim" ? time : batch))
  }

  @Test func refusesScatteredSlicesThatDoNotFit() {
    let indices = Given(type: .int32, shape: [2, 1])
    #expect(
      refusal(.scatterND, [indices, Given(shape: [2, 5]), integers(3, 4)])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 5, expected: 4))
    #expect(
      refusal(.scatterND, [indices, Given(shape: [3, 4]), integers(3, 4)])
        == .extent(node: 0, operand: .input(1), axis: 0, found: 3, expected: 2))
    #expect(
      refusal(.scatterND, [Given(type: .int32, shape: [2, 3]), scores, integers(3, 4)])
        == .extent(node: 0, operand: .input(0), axis: 1, found: 3, expected: 2))
    #expect(
      refusal(.scatterND, [indices, Given(shape: [2, 4]), integers(-3, 4)])
        == .extent(node: 0, operand: .output(0), axis: 0, found: -3, expected: 0))
  }

  @Test func scattersOneElementForOneIndexTuple() {
    let tuple = Given(type: .int32, shape: [2])
    #expect(refusal(.scatterND, [tuple, Given(), integers(3, 4)]) == nil)
    // No element to read where one is needed.
    #expect(
      refusal(.scatterND, [tuple, Given(shape: [0]), integers(3, 4)])
        == .rank(node: 0, operand: .input(1), found: 1, expected: 0...0))
  }

  @Test func refusesSparseValuesWithoutMatchingIndices() {
    let indices = Given(type: .int32, shape: [2, 2])
    func sparse(_ shape: Given, _ values: Given) -> InferenceError? {
      refusal(.sparseToDense, [indices, shape, values, Given()])
    }
    #expect(
      sparse(integers(3, 4), Given(shape: [3]))
        == .elementCount(node: 0, operand: .input(2), found: 3, expected: 2))
    #expect(
      sparse(integers(3), Given(shape: [2]))
        == .elementCount(node: 0, operand: .input(1), found: 1, expected: 2))
    #expect(sparse(integers(3, 4), Given()) == nil)
  }

  @Test func refusesDiagonalsThatDoNotFit() {
    #expect(
      refusal(.matrixSetDiag, [Given(shape: [2, 3, 4]), Given(shape: [2, 4])])
        == .elementCount(node: 0, operand: .input(1), found: 8, expected: 6))
    #expect(
      refusal(.matrixDiag, [Given(shape: [1, 1, 1, 1, 1, 1, 1, 2])])
        == .rank(node: 0, operand: .output(0), found: 9, expected: 0...8))
  }

  @Test func refusesLookupTablesWithNonzeroZeroPoint() {
    let indices = Given(type: .int32, shape: [2])
    func lookUp(_ quantization: Quantization?) -> InferenceError? {
      let table = Given(type: .int8, shape: [3, 2], quantization: quantization)
      return refusal(.embeddingLookup, [indices, table])
    }
    #expect(lookUp(nil) == .quantization(node: 0, operand: .input(1)))
    #expect(
      lookUp(Quantization(scale: 1, zeroPoint: 1))
        == .zeroPoint(node: 0, operand: .input(1), found: 1, expected: 0...0))
    #expect(
      lookUp(Quantization(scales: [1, 2], zeroPoints: [0, 0], axis: 1))
        == .quantization(node: 0, operand: .input(1)))
    #expect(lookUp(Quantization(scales: [1, 2, 3], zeroPoints: [0, 0, 0], axis: 0)) == nil)
  }

  @Test func refusesUpdatesLargerThanTheTensor() {
    #expect(
      refusal(
        .dynamicUpdateSlice,
        [Given(shape: [2, 3]), Given(shape: [1, 4]), Given(type: .int32, shape: [2])])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 4, expected: 3))
  }

  @Test(arguments: [[1, 1], [0, 2], [0, -1], [-1, 0]] as [[Int32]])
  func refusesSegmentIdentifiersOutOfOrder(_ ids: [Int32]) {
    let given = Given(type: .int32, shape: [2], values: ids)
    guard
      case .indexOutOfRange(0, .input(1), _, _) = refusal(.segmentSum, [Given(shape: [2]), given])
    else {
      Issue.record("ids \(ids) were accepted")
      return
    }
  }

  @Test func refusesBucketBoundariesThatDecrease() {
    #expect(
      refusal(
        .bucketize, [scores], outputs: [Given(type: .int32)],
        options: .bucketize(BucketizeOptions(boundaries: [0, 2, 1])))
        == .option(node: 0, name: "boundaries", value: 2))
  }

  @Test func whereRefusesScalars() {
    #expect(
      refusal(.where, [Given()], outputs: [Given(type: .int64)])
        == .rank(node: 0, operand: .input(0), found: 0, expected: 1...8))
  }
}

/// Indices that are only known when the graph runs.
@Suite struct IndexingRunTests {
  /// One operator whose inputs are set before each run, except the last `constants` ones.
  private func model(
    _ builtin: BuiltinOperator, _ inputs: [(ElementType, [Int])], _ output: (ElementType, [Int]),
    options: OperatorOptions = .none, constants: [[Int32]] = []
  ) -> TestModel {
    var test = TestModel()
    test.inputs = inputs.map { test.tensor($0.0, $0.1) }
    let rest = constants.map { test.constant($0, $0.count == 1 ? [] : [$0.count]) }
    let y = test.tensor(output.0, output.1)
    test.outputs = [y]
    test.add(builtin, test.inputs + rest, [y], options: options)
    return test
  }

  private func bytes(_ values: [Int32]) -> [UInt8] { values.withUnsafeBytes { [UInt8]($0) } }

  @Test func refusesSegmentIdentifiersBeyondTheCount() throws {
    let interpreter = try model(
      .unsortedSegmentSum, [(.int32, [2]), (.int32, [2])], (.int32, [3]), constants: [[3]]
    ).interpreter()
    #expect(try interpreter.run([[5, 6], [2, 2]] as [[Int32]]) == [0, 0, 11])
    try interpreter.setInput(1, to: bytes([0, 3]))
    #expect(
      throws: InferenceError.indexOutOfRange(node: 0, operand: .input(1), found: 3, limit: 3)
    ) { try interpreter.invoke() }
  }

  @Test func runsAgainAfterAnInvalidIndex() throws {
    let interpreter = try model(
      .embeddingLookup, [(.int32, [1]), (.int32, [2, 2])], (.int32, [1, 2])
    ).interpreter()
    try interpreter.setInput(0, to: bytes([-1]))
    #expect(
      throws: InferenceError.indexOutOfRange(node: 0, operand: .input(0), found: -1, limit: 2)
    ) { try interpreter.invoke() }
    #expect(try interpreter.run([[1], [1, 2, 3, 4]] as [[Int32]]) == [3, 4])
  }

  @Test func extentsFromValuesStayWithinTheMemoryLimit() throws {
    let options = OperatorOptions.oneHot(OneHotOptions(axis: -1))
    let interpreter = try model(
      .oneHot, [(.int32, [2]), (.int32, []), (.int32, []), (.int32, [])], (.int32, [2, 3]),
      options: options
    ).interpreter(memoryLimit: 1 << 16)
    #expect(try interpreter.run([[1, 0], [2], [1], [0]] as [[Int32]]) == [0, 1, 1, 0])
    for depth in [1 << 20, Int32.max] {
      try interpreter.setInput(1, to: bytes([depth]))
      #expect(throws: InferenceError.self) { try interpreter.invoke() }
    }
    #expect(try interpreter.run([[1, 0], [2], [1], [0]] as [[Int32]]) == [0, 1, 1, 0])
  }

  @Test func outputShapeFollowsInputValues() throws {
    let interpreter = try model(.where, [(.int32, [4])], (.int64, [1, 1])).interpreter()
    for (x, count) in [([0, 0, 0, 0], 0), ([1, 0, 7, 1], 3), ([0, 0, 0, 1], 1)] as [([Int32], Int)]
    {
      try interpreter.setInput(0, to: bytes(x))
      try interpreter.invoke()
      #expect(interpreter.outputs[0].shape == Shape(count, 1))
      #expect(try interpreter.output(0).count == 8 * count)
    }
  }

  @Test func sparseLookupsRefuseMismatchedTensors() {
    let options = OperatorOptions.embeddingLookupSparse(EmbeddingLookupSparseOptions())
    func error(
      ids: Int = 2, tuples: [Int] = [2, 2], _ extents: Given = integers(3, 4), weights: Int = 2,
      table: [Int] = [5, 6]
    ) -> InferenceError? {
      refusal(
        .embeddingLookupSparse,
        [
          Given(type: .int32, shape: [ids]), Given(type: .int32, shape: tuples), extents,
          Given(shape: [weights]), Given(shape: table),
        ], options: options)
    }
    #expect(error() == nil)
    #expect(error(ids: 3) == .extent(node: 0, operand: .input(1), axis: 0, found: 2, expected: 3))
    #expect(
      error(weights: 1) == .elementCount(node: 0, operand: .input(3), found: 1, expected: 2))
    #expect(
      error(tuples: [2, 3]) == .elementCount(node: 0, operand: .input(2), found: 2, expected: 3))
    #expect(
      error(tuples: [2, 0])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 0, expected: 1))
    #expect(
      error(integers(-3, 4))
        == .extent(node: 0, operand: .output(0), axis: 0, found: -3, expected: 0))
    #expect(error(table: [5]) == .rank(node: 0, operand: .input(4), found: 1, expected: 2...8))
    let axes = integers(1, 1, 1, 1, 1, 1, 1, 1, 1)
    #expect(
      error(tuples: [2, 9], axes)
        == .rank(node: 0, operand: .output(0), found: 9, expected: 0...8))
  }

  @Test func hashtableLookupNeedsAKeyForEachValue() {
    let keys = Given(type: .int32, shape: [3])
    let outputs = [Given(), Given(type: .uint8)]
    #expect(
      refusal(.hashtableLookup, [keys, keys, Given(shape: [3, 2])], outputs: outputs) == nil)
    #expect(
      refusal(.hashtableLookup, [keys, keys, Given(shape: [2, 2])], outputs: outputs)
        == .elementCount(node: 0, operand: .input(1), found: 3, expected: 2))
    #expect(
      refusal(.hashtableLookup, [keys, keys, Given()], outputs: outputs)
        == .rank(node: 0, operand: .input(2), found: 0, expected: 1...8))
  }
}
