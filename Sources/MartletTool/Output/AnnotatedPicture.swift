//===--- AnnotatedPicture.swift - pictures with what was found drawn on them ===//
//
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletJSON
import MartletVision

extension RGBImage {
  /// The picture with a box and a label for each object, in one colour for each category, or for each
  /// object where there are no categories.
  func annotated(_ objects: [DetectedObject]) -> RGBImage {
    annotated(
      objects.enumerated().map { index, object in
        let names = object.labels.isEmpty ? object.category?.name ?? "" : object.labels[0].words
        let score = JSON.decimal(Double(object.score), places: 2, isPadded: true) ?? ""
        return Annotation(
          box: object.frame, text: names.isEmpty ? score : "\(names) (\(score))",
          colorIndex: object.category?.rawValue ?? index)
      })
  }
}
