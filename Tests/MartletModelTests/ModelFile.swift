import MartletTestSupport
import Testing

@testable import MartletModel

/// A small model with replaceable parts: FULLY_CONNECTED of a float input [1, 4] and int8 weights
/// [2, 4] with a scale per row.
struct ModelFile: Sendable {
  var version: Int32 = 3
  var codes: [[Int: FlatField]] = [[0: .uint8(9), 2: .int32(5)]]
  var buffers: [[Int: FlatField]] = [[:], [0: .bytes([1, 2, 3, 4, 5, 6, 7, 8])]]
  var tensors: [[Int: FlatField]] = [
    [0: .int32s([1, 4]), 3: .string("in")],
    [
      0: .int32s([2, 4]), 1: .uint8(9), 2: .int32(1), 3: .string("weights"),
      4: .table([2: .floats([0.5, 0.25]), 3: .int64s([0, 0]), 6: .int32(0)]),
    ],
    [0: .int32s([1, 2]), 3: .string("out")],
  ]
  var inputs: [Int32] = [0]
  var outputs: [Int32] = [2]
  var operators: [[Int: FlatField]] = [
    [
      0: .int32(0), 1: .int32s([0, 1, -1]), 2: .int32s([2]), 3: .uint8(8),
      4: .table([0: .uint8(1), 2: .bool(true)]),
    ]
  ]
  /// Subgraphs after the main one.
  var moreSubgraphs: [[Int: FlatField]] = []
  /// Further fields of the root table.
  var more: [Int: FlatField] = [:]

  /// The main subgraph.
  var subgraph: [Int: FlatField] {
    [
      0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
      4: .string("main"),
    ]
  }

  var bytes: [UInt8] {
    var root: [Int: FlatField] = [
      0: .int32(version), 1: .tables(codes), 2: .tables([subgraph] + moreSubgraphs),
      3: .string("a test"), 4: .tables(buffers),
    ]
    root.merge(more) { $1 }
    return FlatBufferWriter(.table(root), identifier: "TFL3").bytes
  }

  /// The model with the weights' quantization replaced.
  func quantized(_ fields: [Int: FlatField]) -> ModelFile {
    var copy = self
    copy.tensors[1][4] = .table(fields)
    return copy
  }

  /// The model with one field of a tensor replaced.
  func tensor(_ index: Int, _ field: Int, _ value: FlatField) -> ModelFile {
    var copy = self
    copy.tensors[index][field] = value
    return copy
  }

  /// The model with one field of its operator replaced.
  func operation(_ field: Int, _ value: FlatField) -> ModelFile {
    var copy = self
    copy.operators[0][field] = value
    return copy
  }

  /// The model with a field of the root table replaced.
  func root(_ field: Int, _ value: FlatField) -> ModelFile {
    var copy = self
    copy.more[field] = value
    return copy
  }

  /// The model with its operator's option table replaced.
  func options(_ tag: UInt8, _ fields: [Int: FlatField]) -> ModelFile {
    operation(3, .uint8(tag)).operation(4, .table(fields))
  }
}

/// An invalid model and the expected error.
struct Broken: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let file: ModelFile
  let error: ModelError

  init(_ name: String, _ file: ModelFile, _ error: ModelError) {
    testDescription = name
    self.file = file
    self.error = error
  }
}
