import Foundation
import MartletTestSupport

@testable import Martlet
@testable import MartletMLKit

/// A classifier whose twelve scores are the twelve samples of a 2 x 2 image: sample / 256 for
/// bytes, the normalized samples for floats. Tests replace its parts.
struct ClassifierFile: Sendable {
  /// Element types, as the schema numbers them.
  static let float32: UInt8 = 0
  static let int16: UInt8 = 7
  static let uint8: UInt8 = 3
  static let int8: UInt8 = 9

  var type = ClassifierFile.uint8
  var zeroPoint: Int64 = 0
  var hasScale = true
  var inputShape: [Int32] = [1, 2, 2, 3]
  var outputShape: [Int32] = [1, 12]
  /// Whether a second output holds the samples as floats.
  var hasFloatsBeside = false
  /// The shape of a second output that also holds the samples, if there is one.
  var secondHead: [Int32]?
  /// The name of a custom operator in place of the built-in one, if any.
  var customOperator: String?
  /// The number of graph inputs.
  var inputCount = 1
  /// The metadata of inputs and outputs, if any.
  var inputMetadata: [[Int: FlatField]]?
  var outputMetadata: [[Int: FlatField]]?
  var metadataIdentifier = "M001"
  /// The files appended to the model.
  var files: [(name: String, contents: [UInt8])] = []
  var method: UInt16 = 0

  /// A float classifier whose metadata defines the normalization.
  static func floats(mean: [Float], deviation: [Float]) -> ClassifierFile {
    var file = ClassifierFile()
    file.type = float32
    file.inputMetadata = [[4: .tables([normalization(mean, deviation)])]]
    file.outputMetadata = [[:]]
    return file
  }

  /// A classifier of bytes with labels and, optionally, a threshold.
  static func labeled(
    _ labels: [String], english: [String]? = nil, threshold: Float? = nil
  ) -> ClassifierFile {
    var file = ClassifierFile()
    var associated: [[Int: FlatField]] = [[0: .string("labels.txt"), 2: .uint8(2)]]
    file.files = [("labels.txt", Array(labels.joined(separator: "\n").utf8))]
    if let english {
      associated.append([0: .string("en.txt"), 2: .uint8(2), 3: .string("en")])
      file.files.append(("en.txt", Array(english.joined(separator: "\n").utf8)))
    }
    var output: [Int: FlatField] = [6: .tables(associated)]
    if let threshold { output[4] = .tables([unit(3, [0: .float(threshold)])]) }
    file.inputMetadata = [[:]]
    file.outputMetadata = [output]
    return file
  }

  static func unit(_ tag: UInt8, _ fields: [Int: FlatField]) -> [Int: FlatField] {
    [0: .uint8(tag), 1: .table(fields)]
  }

  static func normalization(_ mean: [Float], _ deviation: [Float]) -> [Int: FlatField] {
    unit(1, [0: .floats(mean), 1: .floats(deviation)])
  }

  /// A copy with some parts changed.
  func with(_ change: (inout ClassifierFile) -> Void) -> ClassifierFile {
    var copy = self
    change(&copy)
    return copy
  }

  private func tensor(_ name: String, _ shape: [Int32]) -> [Int: FlatField] {
    var fields: [Int: FlatField] = [
      0: .int32s(shape), 1: .uint8(type), 2: .int32(0), 3: .string(name),
    ]
    if type != ClassifierFile.float32, hasScale {
      fields[4] = .table([2: .floats([1.0 / 256]), 3: .int64s([zeroPoint])])
    }
    return fields
  }

  var bytes: [UInt8] {
    var tensors = [
      tensor("picture", inputShape),
      [
        0: .int32s([Int32(outputShape.count)]), 1: .uint8(2), 2: .int32(1), 3: .string("extents"),
      ],
      tensor("scores", outputShape),
    ]
    var inputs: [Int32] = [0]
    for index in 1..<max(inputCount, 1) {
      inputs.append(Int32(tensors.count))
      tensors.append(tensor("input \(index)", inputShape))
    }
    var buffers: [[Int: FlatField]] = [
      [:], [0: .bytes(outputShape.flatMap(\.littleEndianBytes))],
    ]
    var reshape: [Int: FlatField] = [0: .int32(0), 1: .int32s([0, 1]), 2: .int32s([2])]
    if customOperator == nil {
      reshape[3] = .uint8(17)
      reshape[4] = .table([0: .int32s(outputShape)])
    }
    var operators = [reshape]
    var outputs: [Int32] = [2]
    if let secondHead {
      outputs.append(Int32(tensors.count))
      buffers.append([0: .bytes(secondHead.flatMap(\.littleEndianBytes))])
      tensors.append(tensor("second", secondHead))
      tensors.append([
        0: .int32s([Int32(secondHead.count)]), 1: .uint8(2),
        2: .int32(Int32(buffers.count - 1)), 3: .string("more extents"),
      ])
      let last = Int32(tensors.count)
      operators.append([
        0: .int32(0), 1: .int32s([0, last - 1]), 2: .int32s([last - 2]), 3: .uint8(17),
        4: .table([0: .int32s(secondHead)]),
      ])
    }
    if hasFloatsBeside {
      outputs.append(Int32(tensors.count))
      operators.append([0: .int32(1), 1: .int32s([2]), 2: .int32s([Int32(tensors.count)])])
      tensors.append([0: .int32s(outputShape), 2: .int32(0), 3: .string("floats")])
    }
    let graph: [Int: FlatField] = [
      0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
    ]
    var code: [Int: FlatField] = [0: .uint8(22), 2: .int32(1), 3: .int32(22)]
    if let customOperator {
      code = [0: .uint8(32), 1: .string(customOperator), 2: .int32(1), 3: .int32(32)]
    }
    let dequantize: [Int: FlatField] = [0: .uint8(6), 2: .int32(1), 3: .int32(6)]
    var root: [Int: FlatField] = [
      0: .int32(3), 1: .tables([code, dequantize]), 2: .tables([graph]),
    ]
    if inputMetadata != nil || outputMetadata != nil {
      let metadata: [Int: FlatField] = [
        3: .tables([[2: .tables(inputMetadata ?? []), 3: .tables(outputMetadata ?? [])]])
      ]
      let writer = FlatBufferWriter(.table(metadata), identifier: metadataIdentifier)
      buffers.append([0: .bytes(writer.bytes)])
      root[6] = .tables([[0: .string("TFLITE_METADATA"), 1: .int32(Int32(buffers.count - 1))]])
    }
    root[4] = .tables(buffers)
    let model = FlatBufferWriter(.table(root), identifier: "TFL3").bytes
    guard !files.isEmpty else { return model }
    var archive = ArchiveWriter(files: files)
    archive.method = method
    return archive.bytes(behind: model)
  }

  /// A 2 x 2 image with these samples.
  static func image(_ samples: [UInt8]) throws -> RGBImage {
    try RGBImage(width: 2, height: 2, pixels: samples)
  }

  /// Calls `body` with the path of a file that holds the model.
  func withPath<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "classifier.tflite").path
      try Data(bytes).write(to: URL(filePath: path))
      return try body(path)
    }
  }
}

/// Calls `body` with a temporary folder, then deletes it.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "martlet-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension CustomObjectDetectorOptions {
  /// The classifier that these options make.
  func classifier() throws(VisionError) -> Classifier? {
    var values = values
    values.classifies = true
    let configuration = try values.completed(readsClassifier: true)
    return try configuration.labels?.makeClassifier(
      configuration.filter, execution: .init(), lock: .none)
  }
}
