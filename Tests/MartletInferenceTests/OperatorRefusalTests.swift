import Foundation
import MartletTestSupport
import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid nodes that files may contain and operators must refuse.
@Suite struct OperatorRefusalTests {
  @Test func refusesShapesThatDoNotBroadcast() {
    #expect(
      refusal(.add, [Given(shape: [2, 3]), Given(shape: [2, 4])])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 4, expected: 3))
  }

  @Test func refusesQuantizedTensorsWithoutScale() {
    let bytes = Given(type: .int8, shape: [2])
    #expect(
      refusal(.mul, [bytes, bytes], outputs: [Given(type: .int8)])
        == .quantization(node: 0, operand: .output(0)))
  }

  @Test func refusesZeroPointsOutsideTheType() {
    let map = Quantization(scale: 1, zeroPoint: 300)
    let bytes = Given(type: .uint8, shape: [2], quantization: map)
    #expect(
      refusal(.add, [bytes, bytes], outputs: [bytes])
        == .zeroPoint(node: 0, operand: .output(0), found: 300, expected: 0...255))
  }

  @Test func refusesReshapesThatChangeTheElementCount() {
    #expect(
      refusal(.reshape, [Given(shape: [2, 3]), integers(4, 2)])
        == .elementCount(node: 0, operand: .output(0), found: 8, expected: 6))
    #expect(
      refusal(.reshape, [Given(shape: [2, 3]), integers(4, -1)])
        == .elementCount(node: 0, operand: .output(0), found: 4, expected: 6))
    #expect(
      refusal(.reshape, [Given(shape: [2, 3]), integers(-1, -1)])
        == .extent(node: 0, operand: .output(0), axis: 1, found: -1, expected: 0))
  }

  @Test func refusesSizesThatOverflow() {
    let big = Int32.max
    #expect(
      refusal(.tile, [Given(shape: [1, 1, 1]), integers(big, big, big)])
        == .tooLarge(node: 0, bytes: Int.max, limit: Int(Int32.max)))
    #expect(
      refusal(
        .pad,
        [
          Given(shape: [1]), Given(type: .int32, shape: [1, 2], values: [big, big]),
        ])
        == .extent(
          node: 0, operand: .output(0), axis: 0, found: 2 * Int(big) + 1, expected: Int(Int32.max)))
  }

  @Test func refusesNegativePaddings() {
    #expect(
      refusal(.pad, [Given(shape: [1]), Given(type: .int32, shape: [1, 2], values: [0, -1])])
        == .option(node: 0, name: "paddings", value: -1))
  }

  @Test func refusesMirrorPaddingBeyondTheTensor() {
    let amounts = Given(type: .int32, shape: [1, 2], values: [0, 3])
    #expect(
      refusal(.mirrorPad, [Given(shape: [3]), amounts], options: .mirrorPad(MirrorPadOptions()))
        == .option(node: 0, name: "paddings", value: 3))
    #expect(
      refusal(
        .mirrorPad, [Given(shape: [3]), amounts],
        options: .mirrorPad(MirrorPadOptions(mode: .symmetric)))
        == nil)
  }

  @Test func refusesRepeatedAxesInPermutations() {
    #expect(
      refusal(.transpose, [Given(shape: [2, 3]), integers(1, -1)])
        == .option(node: 0, name: "perm", value: -1))
  }

  @Test func refusesStridesOfZero() {
    let none = StridedSliceOptions()
    #expect(
      refusal(
        .stridedSlice, [Given(shape: [4]), integers(0), integers(4), integers(0)],
        options: .stridedSlice(none))
        == .option(node: 0, name: "strides", value: 0))
  }

  @Test func refusesShrinkIndicesOutOfRange() {
    let shrink = StridedSliceOptions(shrinkAxisMask: 1)
    #expect(
      refusal(
        .stridedSlice, [Given(shape: [4]), integers(4), integers(5), integers(1)],
        options: .stridedSlice(shrink))
        == .indexOutOfRange(node: 0, operand: .input(1), found: 4, limit: 4))
  }

  @Test func refusesSlicesBeyondTheTensor() {
    #expect(
      refusal(.slice, [Given(shape: [4]), integers(2), integers(3)])
        == .option(node: 0, name: "size", value: 3))
    #expect(
      refusal(.slice, [Given(shape: [4]), integers(-1), integers(1)])
        == .option(node: 0, name: "begin", value: -1))
  }

  /// These must not trap with 32-bit `Int` either: `.ci/check/wasm-hostile` tests the same files.
  @Test func handlesValuesBeyond32Bits() throws {
    func model(_ name: String) throws -> Model {
      try Model(bytes: Fixtures.bytes(of: Fixtures.folder("Models").appending(path: name)))
    }
    #expect(throws: InferenceError.option(node: 0, name: "begin", value: 1 << 33)) {
      try PreparedModel(model: model("slice_beyond_32_bits.tflite"))
    }
    let range = try Interpreter(model: model("range_beyond_32_bits.tflite"))
    try range.invoke()
    let numbers: [Int64] = [1 << 33, 1 << 33 + 1, 1 << 33 + 2]
    #expect(try range.output(0) == numbers.withUnsafeBytes { [UInt8]($0) })
  }

  @Test func refusesSplitsThatDoNotAddUp() {
    #expect(
      refusal(
        .splitV, [Given(shape: [5]), integers(2, 2), integers(0)], outputs: [Given(), Given()],
        options: .splitV(SplitOptions(splitCount: 2)))
        == .extent(node: 0, operand: .input(0), axis: 0, found: 5, expected: 4))
    #expect(
      refusal(
        .split, [integers(0), Given(shape: [5])], outputs: [Given(), Given()],
        options: .split(SplitOptions(splitCount: 2)))
        == .option(node: 0, name: "num_splits", value: 2))
  }

  @Test func refusesInvalidBlockSizes() {
    #expect(
      refusal(
        .spaceToDepth, [Given(shape: [1, 3, 2, 1])],
        options: .spaceToDepth(BlockOptions(blockSize: 2)))
        == .option(node: 0, name: "block_size", value: 2))
    #expect(
      refusal(
        .depthToSpace, [Given(shape: [1, 3, 2, 1])],
        options: .depthToSpace(BlockOptions(blockSize: Int(Int32.max))))
        == .option(node: 0, name: "block_size", value: Int(Int32.max)))
  }

  @Test func refusesArithmeticOn4BitIntegers() {
    let x = Given(type: .int4, shape: [2], quantization: Quantization(scale: 1, zeroPoint: 0))
    #expect(
      refusal(.add, [x, x], outputs: [x], options: .add(AddOptions()))
        == .type(node: 0, operand: .output(0), found: .int4, expected: .int8))
    #expect(
      refusal(
        .reshape, [x], outputs: [Given(type: .int8)],
        options: .reshape(ReshapeOptions(newShape: [2])))
        == .type(node: 0, operand: .output(0), found: .int8, expected: .int4))
    #expect(
      refusal(.cast, [Given(type: .int32, shape: [2])], outputs: [x])
        == .type(node: 0, operand: .input(0), found: .int32, expected: .float32))
    #expect(
      refusal(.bitcast, [x], outputs: [Given(type: .int8)])
        == .unsupportedType(node: 0, operand: .input(0), found: .int4))
  }

  @Test func reportsShapesThatAreNotKnownYet() {
    #expect(
      refusal(.reshape, [Given(shape: [4]), Given(type: .int32, shape: [2])])
        == .valueNotKnown(node: 0, operand: .input(1)))
  }

  @Test func refusesOptionsOfAnotherOperator() {
    #expect(
      refusal(.add, [Given(shape: [1]), Given(shape: [1])], options: .softmax(SoftmaxOptions()))
        == .options(node: 0))
  }
}
