//===--- DetectionOutputs.swift - output indices of a detector ------------===//
//
// Detectors of the SSD family end in `TFLite_Detection_PostProcess`. Its four results are the
// graph's outputs, in any order.
//===----------------------------------------------------------------------===//

/// The indices of a detector's results among the model's outputs.
package struct DetectionOutputs: Sendable, Equatable {
  /// [1, n, 4]: top, left, bottom, right, as fractions of the image size.
  package let boxes: Int
  /// [1, n]: the class of each detection.
  package let classes: Int
  /// [1, n]: the score of each detection.
  package let scores: Int
  /// [1]: the number of valid detections, at most n.
  package let count: Int
  /// The number of classes without the background, if the operator's options tell it.
  package let classCount: Int?
}

extension Model {
  /// The name of the last operator of a detector.
  private static let detectionOperator = "TFLite_Detection_PostProcess"

  /// The output indices of a detector's results, or `nil` if the model is not such a detector.
  package var detectionOutputs: DetectionOutputs? {
    guard let graph = subgraphs.first,
      let last = graph.operators.last(where: { $0.code == .custom(Model.detectionOperator) }),
      last.outputs.count == 4
    else { return nil }
    let places = last.outputs.compactMap { graph.outputs.firstIndex(of: $0) }
    guard places.count == 4 else { return nil }
    let options = try? FlexBuffer(bytes, in: last.customOptions)
    return DetectionOutputs(
      boxes: places[0], classes: places[1], scores: places[2], count: places[3],
      classCount: options?["num_classes"]?.intValue)
  }
}
