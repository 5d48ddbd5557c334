import MartletTestSupport
import Testing

@testable import MartletOperators
@testable import MartletInference
@testable import MartletModel
@testable import MartletBase

/// Invalid nodes that MediaPipe's operators must refuse.
@Suite struct MediaPipeRefusalTests {
  private func words(_ words: [Int32]) -> [UInt8] { words.flatMap(\.littleEndianBytes) }

  static let image = Given(shape: [1, 4, 4, 2])

  // MARK: Options in C structures

  private func pool(_ fields: [Int32], _ image: Given = image) -> InferenceError? {
    refusal(.maxPoolWithArgmax, [image], outputs: [Given(), Given()], custom: words(fields))
  }

  @Test func acceptsPoolOptionsWithTrailingBytes() {
    #expect(pool([1, 2, 2, 2, 2, 0]) == nil)
    #expect(pool([2, 2, 2, 2, 2, 0, -1, -1]) == nil)
  }

  @Test func refusesOptionsThatAreTooShort() {
    #expect(pool([1, 2, 2, 2, 2]) == .options(node: 0))
    #expect(
      refusal(.transposeConvWithBias, [MediaPipeRefusalTests.image, Given(), Given()], custom: [])
        == .options(node: 0))
  }

  @Test func refusesInvalidPoolFields() {
    #expect(pool([0, 2, 2, 2, 2, 0]) == .option(node: 0, name: "padding", value: 0))
    #expect(pool([1, 0, 2, 2, 2, 0]) == .option(node: 0, name: "stride_width", value: 0))
    #expect(pool([1, 2, -1, 2, 2, 0]) == .option(node: 0, name: "stride_height", value: -1))
    #expect(pool([1, 2, 2, 0, 2, 0]) == .option(node: 0, name: "filter_width", value: 0))
    #expect(pool([1, 2, 2, 2, 2, 9]) == .option(node: 0, name: "activation", value: 9))
    #expect(
      pool([1, 2, 2, 2, 2, 4])
        == .option(node: 0, name: "fused_activation_function", value: 4))
  }

  @Test func refusesPoolsLargerThanTheImage() {
    #expect(
      pool([2, 1, 1, 5, 1, 0])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 4, expected: 5))
    #expect(
      pool([1, 2, 2, 2, 2, 0], Given(shape: [4, 4, 2]))
        == .rank(node: 0, operand: .input(0), found: 3, expected: 4...4))
  }

  @Test func unpoolsFloatAndIntegerIndices() {
    for (registration, type) in [
      (Registration.maxUnpool, ElementType.float32), (.maxUnpool, .int32),
      (.liteRTMaxUnpool, .int32),
    ] {
      let places = Given(type: type, shape: [1, 4, 4, 2])
      #expect(
        refusal(
          registration, [MediaPipeRefusalTests.image, places], custom: words([1, 2, 2, 2, 2, 0]))
          == nil)
    }
  }

  @Test func refusesMismatchedUnpools() {
    let largest = Int32.max
    let places = Given(shape: [1, 4, 4, 1])
    #expect(
      refusal(
        .maxUnpool, [MediaPipeRefusalTests.image, places], custom: words([1, 2, 2, 2, 2, 0]))
        == .extent(node: 0, operand: .input(1), axis: 3, found: 1, expected: 2))
    for type in [ElementType.float32, .int32] {
      let places = Given(type: type, shape: [1, 4, 4, 2])
      #expect(
        refusal(
          .maxUnpool, [MediaPipeRefusalTests.image, places],
          custom: words([1, largest, largest, largest, largest, 0]))
          == .extent(
            node: 0, operand: .output(0), axis: 1, found: 4 * Int(largest), expected: Int(Int32.max)
          ))
    }
    #expect(
      refusal(
        .maxUnpool, [MediaPipeRefusalTests.image, Given(type: .int8, shape: [1, 4, 4, 2])],
        custom: words([1, 2, 2, 2, 2, 0]))
        == .type(node: 0, operand: .input(1), found: .int8, expected: .float32))
  }

  @Test func refusesMismatchedTransposedConvolutions() {
    func transposed(
      _ filter: [Int], bias: [Int] = [3], _ fields: [Int32] = [1, 2, 2],
      image: [Int] = [1, 4, 4, 2]
    ) -> InferenceError? {
      refusal(
        .transposeConvWithBias, [Given(shape: image), Given(shape: filter), Given(shape: bias)],
        custom: words(fields))
    }
    #expect(transposed([3, 2, 2, 2]) == nil)
    #expect(
      transposed([3, 2, 2, 1])
        == .extent(node: 0, operand: .input(1), axis: 3, found: 1, expected: 2))
    #expect(
      transposed([3, 2, 2, 2], bias: [2])
        == .elementCount(node: 0, operand: .input(2), found: 2, expected: 3))
    #expect(
      transposed([3, 0, 2, 2])
        == .extent(node: 0, operand: .input(1), axis: 1, found: 0, expected: 1))
    #expect(
      transposed([3, 2, 2, 2], image: [1, 4, 0, 2])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 0, expected: 1))
    #expect(
      transposed([3, 2, 2, 2], [2, 2, Int32.max])
        == .extent(
          node: 0, operand: .output(0), axis: 1, found: 3 * Int(Int32.max) + 2,
          expected: Int(Int32.max)))
  }

  // MARK: No options

  @Test func refusesInvalidLandmarkShapes() {
    func transform(_ points: [Int], matrix: [Int] = [1, 4, 4]) -> InferenceError? {
      refusal(.transformLandmarks, [Given(shape: points), Given(shape: matrix)], custom: [])
    }
    #expect(transform([1, 11, 2]) == nil)
    #expect(transform([1, 0, 3], matrix: [16]) == nil)
    #expect(
      transform([1, 11, 4])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 4, expected: 3))
    #expect(
      transform([2, 11, 3])
        == .extent(node: 0, operand: .input(0), axis: 0, found: 2, expected: 1))
    #expect(
      transform([11, 3]) == .rank(node: 0, operand: .input(0), found: 2, expected: 3...3))
    #expect(
      transform([1, 11, 3], matrix: [1, 3, 4])
        == .elementCount(node: 0, operand: .input(1), found: 12, expected: 16))
  }

  // MARK: Options as FlexBuffers

  @Test func refusesMismatchedTransforms() {
    func transform(
      matrix: [Int] = [1, 4, 4], image: [Int] = [1, 4, 4, 2], _ options: [String: FlexValue]
    ) -> InferenceError? {
      refusal(
        .transformTensor, [Given(shape: image), Given(shape: matrix)], custom: flexBuffer(options))
    }
    let options: [String: FlexValue] = ["output_height": .int(8), "output_width": .int(9)]
    #expect(transform(options) == nil)
    #expect(
      transform(matrix: [1, 3, 4], options)
        == .elementCount(node: 0, operand: .input(1), found: 12, expected: 16))
    #expect(
      transform(image: [2, 4, 4, 2], options)
        == .extent(node: 0, operand: .input(0), axis: 0, found: 2, expected: 1))
    #expect(transform([:]) == .option(node: 0, name: "output_height", value: 0))
    #expect(
      transform(["output_height": .int(8), "output_width": .int(1 << 40)])
        == .option(node: 0, name: "output_width", value: 1 << 40))
    #expect(
      refusal(
        .transformTensor, [MediaPipeRefusalTests.image, Given(shape: [16])], custom: [1, 2, 3])
        == .options(node: 0))
  }

  @Test func refusesInvalidLandmarkCrops() {
    func crop(
      _ change: [String: FlexValue] = [:], landmarks: [Int] = [1, 20, 3]
    ) -> InferenceError? {
      let options: [String: FlexValue] = [
        "subset_idxs": .ints([0, 19]), "left_rotation_idx": .int(1), "right_rotation_idx": .int(2),
        "target_rotation_radians": .float(0), "output_height": .int(16), "output_width": .int(16),
        "scale_x": .float(1.5), "scale_y": .float(1.5),
      ]
      return refusal(
        .landmarkCrop, [Given(shape: landmarks)], custom: flexBuffer(options.merging(change) { $1 })
      )
    }
    #expect(crop() == nil)
    #expect(
      crop(["subset_idxs": .ints([0, 20])])
        == .option(node: 0, name: "subset_idxs", value: 20))
    #expect(crop(["subset_idxs": .ints([])]) == .options(node: 0))
    #expect(crop(["subset_idxs": .int(1)]) == .options(node: 0))
    #expect(
      crop(["left_rotation_idx": .int(-1)])
        == .option(node: 0, name: "left_rotation_idx", value: -1))
    #expect(
      crop(["target_rotation_radians": .float(.infinity)])
        == .option(node: 0, name: "target_rotation_radians", value: Int.max))
    #expect(crop(["scale_y": .float(0)]) == .option(node: 0, name: "scale_y", value: 0))
    #expect(
      crop(landmarks: [1, 20, 2])
        == .extent(node: 0, operand: .input(0), axis: 2, found: 2, expected: 3))
  }
}
