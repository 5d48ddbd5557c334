import MartletTestSupport
import Testing

@testable import MartletModel

@Suite struct TensorDescriptionTests {
  static let file = ModelFile()
  static let weights = ModelPlace.tensor(1, subgraph: 0)

  private func weights(_ file: ModelFile) throws -> TensorDescription {
    try Model(bytes: file.bytes).subgraphs[0].tensors[1]
  }

  @Test func readsFlagsAndSignature() throws {
    let tensor = try weights(
      TensorDescriptionTests.file.tensor(1, 5, .bool(true)).tensor(1, 7, .int32s([-1, 4]))
        .tensor(1, 8, .bool(true)))
    #expect(tensor.isVariable)
    #expect(tensor.shapeSignature == [-1, 4])
    #expect(tensor.hasRank)
  }

  @Test func readsAScalarWithoutAShape() throws {
    var file = TensorDescriptionTests.file
    file.tensors[0] = [:]
    let tensor = try Model(bytes: file.bytes).subgraphs[0].tensors[0]
    #expect(tensor.shape == Shape([]))
    #expect(tensor.type == .float32)
    #expect(tensor.quantization == nil)
    #expect(!tensor.hasRank)
  }

  @Test func vectorsUseTheirOnlyAxis() throws {
    // Converters leave the filter's axis 3 on its bias.
    let file = TensorDescriptionTests.file.tensor(1, 0, .int32s([8]))
      .quantized([
        2: .floats([Float](repeating: 1, count: 8)), 3: .int64s([Int64](repeating: 0, count: 8)),
        6: .int32(3),
      ])
    #expect(try weights(file).quantization?.axis == 0)
  }

  @Test func acceptsMoreDataThanElements() throws {
    #expect(try weights(TensorDescriptionTests.file.tensor(1, 0, .int32s([2, 3]))).shape.rank == 2)
  }

  @Test func packsElementsBelowAByte() throws {
    // 15 elements of 4 bits take 8 bytes; 17 take 9.
    let file = TensorDescriptionTests.file.quantized([:]).tensor(1, 1, .uint8(17))
    #expect(try weights(file.tensor(1, 0, .int32s([15]))).type == .int4)
    #expect(throws: ModelError.dataSize(TensorDescriptionTests.weights, found: 8, expected: 9)) {
      _ = try weights(file.tensor(1, 0, .int32s([17])))
    }
  }

  @Test func readsBlockwiseQuantization() throws {
    let file = TensorDescriptionTests.file
    let details: [Int: FlatField] = [0: .int32(2), 1: .int32(0), 2: .int32(4)]
    #expect(
      try weights(file.quantized([4: .uint8(2), 5: .table(details)])).details
        == .blockwise(BlockwiseQuantization(scales: 2, zeroPoints: nil, blockSize: 4)))
    let zeroPoints = details.merging([1: .int32(1)]) { $1 }
    #expect(
      try weights(file.quantized([4: .uint8(2), 5: .table(zeroPoints)])).details
        == .blockwise(BlockwiseQuantization(scales: 2, zeroPoints: 1, blockSize: 4)))
  }

  @Test func readsQuantizationOfSeveralAxes() throws {
    let file = TensorDescriptionTests.file
    let details: [Int: FlatField] = [0: .int32(2), 1: .int32(-1), 3: .int32s([0, 1])]
    #expect(
      try weights(file.quantized([4: .uint8(3), 5: .table(details)])).details
        == .multiAxis(
          MultiAxisQuantization(scales: 2, zeroPoints: nil, blockSize: 0, axes: [0, 1])))
  }

  @Test func readsCustomQuantizationAndScales() throws {
    let bytes = TensorDescriptionTests.file.quantized([
      2: .floats([0.5]), 3: .int64s([0]), 4: .uint8(1), 5: .table([0: .bytes([7, 8, 9])]),
    ]).bytes
    let model = try Model(bytes: bytes)
    let tensor = model.subgraphs[0].tensors[1]
    #expect(tensor.quantization == Quantization(scale: 0.5, zeroPoint: 0))
    guard case .custom(let range) = tensor.details else {
      Issue.record("no custom details")
      return
    }
    #expect(Array(model.bytes[range]) == [7, 8, 9])
  }

  @Test func readsTheTagOfUnknownDetails() throws {
    let file = TensorDescriptionTests.file.quantized([4: .uint8(4), 5: .table([:])])
    #expect(try weights(file).details == .other(tag: 4))
  }

  @Test(arguments: [(21, ElementType.float8E4M3FN), (22, .float8E5M2)] as [(UInt8, ElementType)])
  func namesEightBitFloats(tag: UInt8, type: ElementType) throws {
    #expect(try weights(TensorDescriptionTests.file.tensor(1, 1, .uint8(tag))).type == type)
  }

  static let broken: [Broken] = [
    Broken(
      "unknown type", file.tensor(1, 1, .uint8(99)),
      .unknownValue(.elementType, weights, found: 99)),
    Broken(
      "nine axes", file.tensor(1, 0, .int32s([Int32](repeating: 1, count: 9))),
      .rank(weights, found: 9, limit: 8)),
    Broken(
      "negative extent", file.tensor(1, 0, .int32s([2, -4])), .extent(weights, axis: 1, found: -4)),
    Broken(
      "too many elements", file.tensor(1, 0, .int32s([.max, .max, .max])),
      .tooLarge(weights, rank: 3)),
    Broken(
      "too many bytes", file.tensor(1, 0, .int32s([.max, .max])).tensor(1, 1, .uint8(10)),
      .tooLarge(weights, rank: 2)),
    Broken(
      "buffer out of range", file.tensor(1, 2, .int32(2)),
      .indexOutOfRange(.buffer, weights, index: 2, count: 2)),
    Broken(
      "external data", file.tensor(1, 10, .int32(4)), .externalData(weights, buffer: 4)),
    Broken(
      "too little data", file.tensor(1, 0, .int32s([3, 3])).quantized([:]),
      .dataSize(weights, found: 8, expected: 9)),
    Broken(
      "float type over int8 data", file.tensor(1, 1, .uint8(0)),
      .dataSize(weights, found: 8, expected: 32)),
    Broken(
      "scale without zero point", file.quantized([2: .floats([1])]),
      .missing(.zeroPoints, weights)),
    Broken(
      "two scales, one zero point", file.quantized([2: .floats([1, 1]), 3: .int64s([0])]),
      .zeroPointCount(weights, found: 1, expected: 2)),
    Broken(
      "three scales for two rows",
      file.quantized([2: .floats([1, 1, 1]), 3: .int64s([0, 0, 0])]),
      .scaleCount(weights, found: 3, expected: 2)),
    Broken(
      "two scales for a scalar",
      file.tensor(1, 0, .int32s([])).quantized([2: .floats([1, 1]), 3: .int64s([0, 0])]),
      .scaleCount(weights, found: 2, expected: 1)),
    Broken(
      "quantized axis out of range",
      file.quantized([2: .floats([1]), 3: .int64s([0]), 6: .int32(2)]),
      .indexOutOfRange(.axis, weights, index: 2, count: 2)),
    Broken(
      "negative quantized axis",
      file.quantized([2: .floats([1]), 3: .int64s([0]), 6: .int32(-1)]),
      .indexOutOfRange(.axis, weights, index: -1, count: 2)),
    Broken(
      "negative scale", file.quantized([2: .floats([1, -1]), 3: .int64s([0, 0])]),
      .scale(weights, index: 1)),
    Broken(
      "scale that is no number", file.quantized([2: .floats([.nan]), 3: .int64s([0])]),
      .scale(weights, index: 0)),
    Broken(
      "infinite scale", file.quantized([2: .floats([.infinity]), 3: .int64s([0])]),
      .scale(weights, index: 0)),
    Broken(
      "zero point beyond 32 bits", file.quantized([2: .floats([1]), 3: .int64s([1 << 31])]),
      .zeroPoint(weights, index: 0, found: 1 << 31)),
    Broken(
      "blockwise scales nowhere", file.quantized([4: .uint8(2), 5: .table([0: .int32(3)])]),
      .indexOutOfRange(.tensor, weights, index: 3, count: 3)),
    Broken(
      "blocks of nothing", file.quantized([4: .uint8(2), 5: .table([0: .int32(2)])]),
      .blockSize(weights, found: 0)),
    Broken(
      "several axes, none named", file.quantized([4: .uint8(3), 5: .table([0: .int32(2)])]),
      .missing(.quantizedAxes, weights)),
    Broken(
      "several axes, one out of range",
      file.quantized([4: .uint8(3), 5: .table([0: .int32(2), 3: .int32s([0, 2])])]),
      .indexOutOfRange(.axis, weights, index: 2, count: 2)),
    Broken(
      "several axes, zero points nowhere",
      file.quantized([4: .uint8(3), 5: .table([1: .int32(3), 3: .int32s([0])])]),
      .indexOutOfRange(.tensor, weights, index: 3, count: 3)),
  ]

  @Test(arguments: broken)
  func rejectsInvalidTensor(_ broken: Broken) {
    #expect(throws: broken.error) { _ = try Model(bytes: broken.file.bytes) }
  }

  @Test func acceptsAScaleOfZero() throws {
    // Converters write a scale of zero for slices whose weights are all zero.
    let file = TensorDescriptionTests.file.quantized([2: .floats([0, 1]), 3: .int64s([0, 0])])
    #expect(try weights(file).quantization?.scales == [0, 1])
  }
}
