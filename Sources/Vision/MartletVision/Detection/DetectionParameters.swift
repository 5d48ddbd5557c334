//===--- DetectionParameters.swift - detection thresholds -----------------===//
//
// The values belong to the included localizer. `Weights/localizer.md` explains the lowest score,
// `Weights/Training/README.md` the others.
//===----------------------------------------------------------------------===//

/// Options for selecting and sorting detected boxes.
package struct DetectionParameters: Sendable, Hashable {
  /// Boxes with a lower score are dropped.
  package var minimumScore: Float = 0.03
  /// The number of boxes, by decreasing score, that non-maximum suppression considers.
  package var candidates = 200
  /// The intersection over union from which the lower-scoring of two boxes is dropped.
  package var overlap: Float = 0.55
  /// The largest number of boxes after suppression, unless more objects are requested.
  package var survivors = 20
  /// The exponent of the nearness to the center, used for salience if the detector does not report
  /// it.
  package var centerExponent: Float = 0.5

  package init() {}
}
