//===--- NamedObject.swift - printing objects with fine labels ------------===//
//
// Objects as in `DetectedObject+Finding.swift`, with an everyday name in place of labels in tables and
// three columns of it in CSV. A name that is not sure is the coarse label.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// An object of a detector whose fine labels are requested.
struct NamedObject {
  private let object: DetectedObject

  init(_ object: DetectedObject) { self.object = object }

  private var fineLabels: [ObjectLabel] { object.fineLabels ?? [] }
  /// The best name if it is sure, or else the coarse label.
  private var shown: ObjectLabel? { ObjectLabel.shown(object.labels, object.fineLabels) }
}

extension NamedObject: Finding {
  static let noun = DetectedObject.noun
  static let columns: [(title: String, alignment: TextTable.Alignment)] = [
    ("category", .left), ("name", .left),
  ]
  static let csvFields = DetectedObject.csvFields + ["fineLabel", "fineIndex", "fineConfidence"]

  static func line(
    of name: String, frame: Int?, _ size: ImageSize, _ findings: [NamedObject]
  ) -> JSON {
    JSON.line(of: name, frame: frame, size, findings.map(\.object))
  }

  var frame: Box { object.frame }
  var score: Float { object.score }
  var trackingID: Int? { object.trackingID }
  var cells: [String] { [object.category?.name ?? "", shown?.words ?? ""] }

  /// The values of the first label and the first fine label.
  var csvValues: [String] { object.csvValues + CSV.values(of: fineLabels.first) }

  var words: [String] {
    [shown?.words, object.category.map { "(\($0.name))" }].compactMap { $0 }
  }

  var className: String { object.className }

  func annotation(at index: Int) -> Annotation { object.annotation(at: index) }
}
