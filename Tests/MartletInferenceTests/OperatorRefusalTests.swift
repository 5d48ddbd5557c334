import Testing

@testable import MartletInference
@testable import MartletModel
@testable import MartletTensor

/// What files may say and operators must not take.
@Suite struct OperatorRefusalTests {
  /// A tensor of a made-up node; those with values are constants.
  struct Given: Sendable {
    var type = ElementType.float32
    var shape: [Int] = []
    var values: [Int32]?
    var quantization: Quantization?
  }

  /// Prepares one node and returns its error, or `nil` if it was taken.
  func refusal(
    _ registration: Registration, _ options: OperatorOptions, _ inputs: [Given],
    outputs: [Given] = [Given()], custom: [UInt8] = [], version: Int = 1
  ) -> InferenceError? {
    let all = inputs + outputs
    let tensors = all.enumerated().map { index, given in
      TensorInfo(
        index: index, type: given.type, shape: Shape(given.shape),
        quantization: given.quantization, isConstant: given.values != nil)
    }
    let memory = all.map { given in
      given.values.map { values -> UnsafeRawBufferPointer in
        let copy = UnsafeMutableBufferPointer<Int32>.allocate(capacity: values.count)
        _ = copy.initialize(from: values)
        return UnsafeRawBufferPointer(copy)
      }
    }
    defer { for block in memory { block?.deallocate() } }
    var p = Preparation(
      operation: Operator(
        code: registration.code, version: version, inputs: Array(inputs.indices),
        outputs: outputs.indices.map { $0 + inputs.count }, options: options,
        customOptions: 0..<custom.count),
      node: 0, kernels: .reference, workerCount: 1, file: custom, tensors: tensors,
      known: memory)
    do throws(InferenceError) {
      _ = try registration.prepare(&p)
      return nil
    } catch {
      return error
    }
  }

  private func integers(_ values: Int32...) -> Given {
    Given(type: .int32, shape: [values.count], values: values)
  }

  @Test func refusesShapesThatDoNotBroadcast() {
    #expect(
      refusal(.add, .none, [Given(shape: [2, 3]), Given(shape: [2, 4])])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 4, expected: 3))
  }

  @Test func refusesQuantisedTensorsWithoutScale() {
    let bytes = Given(type: .int8, shape: [2])
    #expect(
      refusal(.mul, .none, [bytes, bytes], outputs: [Given(type: .int8)])
        == .quantization(node: 0, operand: .output(0)))
  }

  @Test func refusesZeroPointsOutsideTheType() {
    let map = Quantization(scale: 1, zeroPoint: 300)
    let bytes = Given(type: .uint8, shape: [2], quantization: map)
    #expect(
      refusal(.add, .none, [bytes, bytes], outputs: [bytes])
        == .zeroPoint(node: 0, operand: .output(0), found: 300, expected: 0...255))
  }

  @Test func refusesReshapesToAnotherCount() {
    #expect(
      refusal(.reshape, .none, [Given(shape: [2, 3]), integers(4, 2)])
        == .elementCount(node: 0, operand: .output(0), found: 8, expected: 6))
    #expect(
      refusal(.reshape, .none, [Given(shape: [2, 3]), integers(4, -1)])
        == .elementCount(node: 0, operand: .output(0), found: 4, expected: 6))
    #expect(
      refusal(.reshape, .none, [Given(shape: [2, 3]), integers(-1, -1)])
        == .extent(node: 0, operand: .output(0), axis: 1, found: -1, expected: 0))
  }

  @Test func refusesSizesThatOverflow() {
    let big = Int32.max
    #expect(
      refusal(
        .tile, .none,
        [Given(shape: [1, 1, 1]), integers(big, big, big)])
        == .tooLarge(node: 0, bytes: Int.max, limit: Int(Int32.max)))
    #expect(
      refusal(
        .pad, .none,
        [
          Given(shape: [1]), Given(type: .int32, shape: [1, 2], values: [big, big]),
        ]) == .extent(node: 0, operand: .output(0), axis: 0, found: 2 * Int(big) + 1, expected: 0))
  }

  @Test func refusesNegativePaddings() {
    #expect(
      refusal(
        .pad, .none,
        [Given(shape: [1]), Given(type: .int32, shape: [1, 2], values: [0, -1])])
        == .option(node: 0, name: "paddings", value: -1))
  }

  @Test func refusesMirrorsBeyondTheTensor() {
    let amounts = Given(type: .int32, shape: [1, 2], values: [0, 3])
    #expect(
      refusal(.mirrorPad, .mirrorPad(MirrorPadOptions()), [Given(shape: [3]), amounts])
        == .option(node: 0, name: "paddings", value: 3))
    #expect(
      refusal(
        .mirrorPad, .mirrorPad(MirrorPadOptions(mode: .symmetric)), [Given(shape: [3]), amounts])
        == nil)
  }

  @Test func refusesRepeatedAxesInPermutations() {
    #expect(
      refusal(.transpose, .none, [Given(shape: [2, 3]), integers(1, -1)])
        == .option(node: 0, name: "perm", value: -1))
  }

  @Test func refusesStridesOfZero() {
    let none = StridedSliceOptions()
    #expect(
      refusal(
        .stridedSlice, .stridedSlice(none),
        [Given(shape: [4]), integers(0), integers(4), integers(0)])
        == .option(node: 0, name: "strides", value: 0))
  }

  @Test func refusesIndicesThatShrinkNothing() {
    let shrink = StridedSliceOptions(shrinkAxisMask: 1)
    #expect(
      refusal(
        .stridedSlice, .stridedSlice(shrink),
        [Given(shape: [4]), integers(4), integers(5), integers(1)])
        == .indexOutOfRange(node: 0, operand: .input(1), found: 4, limit: 4))
  }

  @Test func refusesBoxesBeyondTheTensor() {
    #expect(
      refusal(.slice, .none, [Given(shape: [4]), integers(2), integers(3)])
        == .option(node: 0, name: "size", value: 3))
    #expect(
      refusal(.slice, .none, [Given(shape: [4]), integers(-1), integers(1)])
        == .option(node: 0, name: "begin", value: -1))
  }

  @Test func refusesPartsThatDoNotAddUp() {
    #expect(
      refusal(
        .splitV, .splitV(SplitOptions(splitCount: 2)),
        [Given(shape: [5]), integers(2, 2), integers(0)], outputs: [Given(), Given()])
        == .extent(node: 0, operand: .input(0), axis: 0, found: 5, expected: 4))
    #expect(
      refusal(
        .split, .split(SplitOptions(splitCount: 2)), [integers(0), Given(shape: [5])],
        outputs: [Given(), Given()]) == .option(node: 0, name: "num_splits", value: 2))
  }

  @Test func refusesBlocksThatDoNotFit() {
    #expect(
      refusal(
        .spaceToDepth, .spaceToDepth(BlockOptions(blockSize: 2)), [Given(shape: [1, 3, 2, 1])])
        == .option(node: 0, name: "block_size", value: 2))
    #expect(
      refusal(
        .depthToSpace, .depthToSpace(BlockOptions(blockSize: Int(Int32.max))),
        [Given(shape: [1, 3, 2, 1])])
        == .option(node: 0, name: "block_size", value: Int(Int32.max)))
  }

  @Test func refusesElementsSmallerThanBytes() {
    #expect(
      refusal(
        .transpose, .none, [Given(type: .int4, shape: [2]), integers(0)],
        outputs: [Given(type: .int4)])
        == .unsupportedType(node: 0, operand: .input(0), found: .int4))
  }

  @Test func waitsForValuesThatTheGraphComputes() {
    #expect(
      refusal(.reshape, .none, [Given(shape: [4]), Given(type: .int32, shape: [2])])
        == .valueNotKnown(node: 0, operand: .input(1)))
  }

  @Test func refusesOptionsOfAnotherOperator() {
    #expect(
      refusal(.add, .softmax(SoftmaxOptions()), [Given(shape: [1]), Given(shape: [1])])
        == .options(node: 0))
  }
}
