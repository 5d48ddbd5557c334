//===--- NamedObject.swift - printing objects with fine labels ------------===//
//
// Objects as in `DetectedObject+Finding.swift`, with a column of fine labels in tables, and three in CSV.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// An object of a detector whose fine labels are requested.
struct NamedObject {
  private let object: DetectedObject

  init(_ object: DetectedObject) { self.object = object }

  private var fineLabels: [ObjectLabel] { object.fineLabels ?? [] }
}

extension NamedObject: Finding {
  static let noun = DetectedObject.noun
  static let columns = DetectedObject.columns + [(title: "fine labels", alignment: .left)]
  static let csvFields = DetectedObject.csvFields + ["fineLabel", "fineIndex", "fineConfidence"]

  static func line(
    of name: String, frame: Int?, _ size: ImageSize, _ findings: [NamedObject]
  ) -> JSON {
    JSON.line(of: name, frame: frame, size, findings.map(\.object))
  }

  var frame: Box { object.frame }
  var score: Float { object.score }
  var trackingID: Int? { object.trackingID }
  var cells: [String] { object.cells + [fineLabels.map(\.quotedWords).joined(separator: ", ")] }

  /// The values of the first label and the first fine label.
  var csvValues: [String] { object.csvValues + CSV.values(of: fineLabels.first) }

  var words: [String] { object.words + fineLabels.map(\.words) }

  var className: String { object.className }

  func annotation(at index: Int) -> Annotation { object.annotation(at: index) }
}
