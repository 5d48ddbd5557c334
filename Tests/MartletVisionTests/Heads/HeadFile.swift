import MartletTestSupport

@testable import MartletVision

/// A network with constant outputs, in the form of a detector's head.
struct HeadFile: Sendable {
  /// An output: its shape, its integers' quantization if they are not floats, and its numbers.
  struct Output: Sendable {
    var shape: [Int]
    var type = ElementType.float32
    var scale: Float?
    var zeroPoint = 0
    /// The real numbers that are not zero, by index.
    var numbers: [Int: Float] = [:]
    /// The number that the others have.
    var rest: Float = 0

    /// Output with rows, or columns, of channels: [row: numbers of its first channels].
    static func table(
      _ count: Int, _ channels: Int, isTransposed: Bool = false, rest: Float = 0,
      _ rows: [Int: [Float]]
    ) -> Output {
      var output = Output(shape: isTransposed ? [1, channels, count] : [1, count, channels])
      output.rest = rest
      for (row, values) in rows {
        for (channel, value) in values.enumerated() {
          output.numbers[isTransposed ? channel * count + row : row * channels + channel] = value
        }
      }
      return output
    }

    func quantized(_ type: ElementType, scale: Float, zeroPoint: Int) -> Output {
      var output = self
      (output.type, output.scale, output.zeroPoint) = (type, scale, zeroPoint)
      return output
    }

    fileprivate var bytes: [UInt8] {
      let count = shape.reduce(1, *)
      if numbers.isEmpty, rest == 0 {
        let zero = UInt8(truncatingIfNeeded: zeroPoint)
        return [UInt8](repeating: zero, count: scale == nil ? 4 * count : count)
      }
      let reals = (0..<count).map { numbers[$0] ?? rest }
      guard let scale else { return reals.flatMap(\.bitPattern.littleEndianBytes) }
      return reals.map { UInt8(truncatingIfNeeded: Int(($0 / scale).rounded()) + zeroPoint) }
    }
  }

  var input = [1, 64, 64, 3]
  var inputType = ElementType.float32
  var inputScale: Float?
  var inputZeroPoint = 0
  var outputs: [Output]
  /// The files of an archive behind the model.
  var files: [String: String] = [:]
  /// The bytes of an archive behind the model, in place of `files`.
  var archive: [UInt8] = []
  /// The contents of the custom metadata `DETECTOR_METADATA`.
  var anchors: [UInt8]?
  /// The name of a custom operator that has no inputs.
  var customOperator: String?

  var bytes: [UInt8] {
    func tensor(
      _ shape: [Int], _ type: ElementType, _ scale: Float?, _ zeroPoint: Int, buffer: Int,
      _ name: String
    ) -> [Int: FlatField] {
      var fields: [Int: FlatField] = [
        0: .int32s(shape.map { Int32($0) }), 1: .uint8(type.rawValue), 2: .int32(Int32(buffer)),
        3: .string(name),
      ]
      if let scale { fields[4] = .table([2: .floats([scale]), 3: .int64s([Int64(zeroPoint)])]) }
      return fields
    }
    let constants = outputs.enumerated().map { index, output in
      tensor(
        output.shape, output.type, output.scale, output.zeroPoint, buffer: index + 1,
        "output \(index)")
    }
    let image = tensor(input, inputType, inputScale, inputZeroPoint, buffer: 0, "image")
    var graph: [Int: FlatField] = [
      0: .tables([image] + constants), 1: .int32s([0]),
      2: .int32s(outputs.indices.map { Int32($0 + 1) }),
    ]
    var buffers: [[Int: FlatField]] = [[:]] + outputs.map { [0: .bytes($0.bytes)] }
    var root: [Int: FlatField] = [0: .int32(3)]
    if let customOperator {
      root[1] = .tables([[0: .uint8(32), 1: .string(customOperator), 2: .int32(1), 3: .int32(32)]])
      graph[3] = .tables([[0: .int32(0), 1: .int32s([]), 2: .int32s([])]])
    }
    if let anchors {
      let subgraph: [Int: FlatField] = [
        9: .tables([[0: .string("DETECTOR_METADATA"), 1: .bytes(anchors)]])
      ]
      let metadata = FlatBufferWriter(.table([3: .tables([subgraph])]), identifier: "M001").bytes
      root[6] = .tables([[0: .string("TFLITE_METADATA"), 1: .int32(Int32(buffers.count))]])
      buffers.append([0: .bytes(metadata)])
    }
    root[2] = .tables([graph])
    root[4] = .tables(buffers)
    let model = FlatBufferWriter(.table(root), identifier: "TFL3").bytes
    guard !files.isEmpty else { return model + archive }
    return ArchiveWriter(files: files.map { ($0.key, Array($0.value.utf8)) }).bytes(behind: model)
  }

  /// The detector with these options.
  func detector(
    head: DetectorHead? = nil, overlap: Float? = nil, labels: [String]? = nil,
    anchors: [Float]? = nil, isBGR: Bool = false
  ) throws -> CustomDetector {
    var configuration = ObjectConfiguration()
    (configuration.detectorHead, configuration.overlap) = (head, overlap)
    (configuration.anchors, configuration.isBGR) = (anchors, isBGR)
    return try CustomDetector(
      ModelFile(bytes, labels: labels), configuration, options: .init(), lock: .none)
  }

  /// The objects of an image of 128 x 64 pixels.
  func objects(
    head: DetectorHead? = nil, overlap: Float? = nil, labels: [String]? = nil,
    anchors: [Float]? = nil, least: Float? = nil
  ) throws -> [DetectedObject] {
    let detector = try detector(head: head, overlap: overlap, labels: labels, anchors: anchors)
    let image = try RGBImage(width: 128, height: 64, filledWith: .init(red: 9, green: 9, blue: 9))
    return try detector.objects(in: image, least: least ?? detector.threshold, limit: 100)
  }

  /// The heads that the file leaves.
  var readings: [DetectorHead] {
    get throws { try HeadEvidence(Model(bytes: bytes)).readings().map(\.head) }
  }
}

extension HeadFile {
  /// The cells of an image of 64 x 64 pixels with the strides 8, 16 and 32: 64, 16 and 4.
  static let cells = 84
  /// As many as with the stride 64.
  static let cellsOfFourLevels = 85

  /// A metadata flatbuffer with `count` anchors in the middle of the image, half as large as it.
  static func anchors(count: Int, isLogit: Bool) -> [UInt8] {
    let anchor: [Int: FlatField] = [
      0: .float(0.5), 1: .float(0.5), 2: .float(0.5), 3: .float(0.5),
    ]
    let schema: [Int: FlatField] = [0: .tables([[Int: FlatField]](repeating: anchor, count: count))]
    let decoding: [Int: FlatField] = [
      6: .float(10), 7: .float(10), 8: .float(5), 9: .float(5), 10: .bool(true),
      11: .bool(isLogit),
    ]
    return FlatBufferWriter(
      .table([1: .table([0: .table(schema)]), 2: .table(decoding)]), identifier: "V001"
    ).bytes
  }
}
