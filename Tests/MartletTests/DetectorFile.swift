import Foundation
import MartletTestSupport
import MartletVision

@testable import Martlet

/// A detector with four fixed boxes, the quarters of an image. Their scores are the four pixels of
/// a 2 x 2 image: green / 256 for the first class, blue / 256 for the second.
struct DetectorFile: Sendable {
  /// The custom operator's name.
  var name = "TFLite_Detection_PostProcess"
  /// The operator's results in the order of the graph's outputs: boxes, classes, scores, count.
  var order = [0, 1, 2, 3]
  var labels: [String]?
  var threshold: Float?

  /// Center y, center x, height, width of each box: a quarter, inset by a tenth on each side.
  static let anchors: [Float] = [
    0.25, 0.25, 0.4, 0.4, 0.25, 0.75, 0.4, 0.4, 0.75, 0.25, 0.4, 0.4, 0.75, 0.75, 0.4, 0.4,
  ]

  var bytes: [UInt8] {
    func tensor(
      _ shape: [Int32], _ type: UInt8, buffer: Int32 = 0, _ name: String
    ) -> [Int: FlatField] {
      var fields: [Int: FlatField] = [
        0: .int32s(shape), 1: .uint8(type), 2: .int32(buffer), 3: .string(name),
      ]
      if type == 3 { fields[4] = .table([2: .floats([1.0 / 256]), 3: .int64s([0])]) }
      return fields
    }
    let (float, bytes, integers): (UInt8, UInt8, UInt8) = (0, 3, 2)
    let tensors = [
      tensor([1, 2, 2, 3], bytes, "picture"), tensor([3], integers, buffer: 1, "extents"),
      tensor([1, 4, 3], bytes, "rows"), tensor([1, 4, 3], float, "class scores"),
      tensor([1, 4, 4], float, buffer: 2, "shifts"),
      tensor([4, 4], float, buffer: 3, "anchors"), tensor([1, 4, 4], float, "boxes"),
      tensor([1, 4], float, "classes"), tensor([1, 4], float, "scores"),
      tensor([1], float, "count"),
    ]
    let options = flexBuffer([
      "max_detections": .int(4), "max_classes_per_detection": .int(1),
      "nms_score_threshold": .float(0), "nms_iou_threshold": .float(0.5), "num_classes": .int(2),
      "y_scale": .float(10), "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
    ])
    let extents: [Int32] = [1, 4, 3]
    let operators: [[Int: FlatField]] = [
      [
        0: .int32(0), 1: .int32s([0, 1]), 2: .int32s([2]), 3: .uint8(17),
        4: .table([0: .int32s(extents)]),
      ],
      [0: .int32(1), 1: .int32s([2]), 2: .int32s([3])],
      [0: .int32(2), 1: .int32s([4, 3, 5]), 2: .int32s([6, 7, 8, 9]), 5: .bytes(options)],
    ]
    var root: [Int: FlatField] = [
      0: .int32(3),
      1: .tables([
        [0: .uint8(22), 2: .int32(1), 3: .int32(22)], [0: .uint8(6), 2: .int32(1), 3: .int32(6)],
        [0: .uint8(32), 1: .string(name), 2: .int32(1), 3: .int32(32)],
      ]),
      2: .tables([
        [
          0: .tables(tensors), 1: .int32s([0]), 2: .int32s(order.map { Int32(6 + $0) }),
          3: .tables(operators),
        ]
      ]),
    ]
    let zeros = [UInt8](repeating: 0, count: 64)
    root[4] = .tables([
      [:], [0: .bytes(extents.flatMap(\.littleEndianBytes))], [0: .bytes(zeros)],
      [0: .bytes(DetectorFile.anchors.flatMap(\.bitPattern.littleEndianBytes))],
    ])
    let model = FlatBufferWriter(.table(root), identifier: "TFL3").bytes
    guard labels != nil || threshold != nil else { return model }
    var annotation = ModelAnnotation()
    annotation.labels = labels
    annotation.scoreThreshold = threshold
    return (try? Model(bytes: model).annotated(with: annotation)) ?? []
  }

  /// An image whose quarters, row by row, have these scores of the two classes. A 2 x 2 image has
  /// exactly these scores; larger images are resized, which blends neighbors.
  static func image(
    _ scores: [(UInt8, UInt8)], width: Int = 2, height: Int = 2
  ) throws -> RGBImage {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (first, second) = scores[2 * y / height * 2 + 2 * x / width]
        pixels += [0, first, second]
      }
    }
    return try RGBImage(width: width, height: height, pixels: pixels)
  }

  /// Calls `body` with the path of a file that holds the model.
  func withPath<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "detector.tflite").path
      try Data(bytes).write(to: URL(filePath: path))
      return try body(path)
    }
  }
}
