//===--- DetectedObject+Finding.swift - printing and drawing objects ------===//

import MartletBase
import MartletCommandLine
import MartletVision

extension DetectedObject: Finding {
  static let noun = "object"
  static let columns: [(title: String, alignment: TextTable.Alignment)] = [
    ("category", .left), ("labels", .left),
  ]
  static let csvFields = ["category", "label", "index", "confidence"]

  static func line(
    of name: String, frame: Int?, _ size: ImageSize, _ findings: [DetectedObject]
  ) -> JSON {
    JSON.line(of: name, frame: frame, size, findings)
  }

  var cells: [String] {
    [category?.name ?? "", labels.map(\.quotedWords).joined(separator: ", ")]
  }

  /// The values of the first label.
  var csvValues: [String] { [category?.name ?? ""] + CSV.values(of: labels.first) }

  var words: [String] { labels.map(\.words) }

  var className: String {
    ObjectLabel.shown(labels, fineLabels)?.name ?? DetectedObject.noun
  }

  /// A box with a label, which has the number of the table's row or the identifier in a video. Each
  /// object has its color.
  func annotation(at index: Int) -> Annotation {
    let label = ObjectLabel.shown(labels, fineLabels).map {
      (word: $0.name, probability: $0.confidence)
    }
    let object = trackingID == nil ? (word: "object", probability: score) : nil
    return Annotation(
      box: frame,
      texts: Annotation.texts(
        trackingID.map { "#\($0)" } ?? "\(index + 1)", label ?? object),
      colorIndex: trackingID ?? index)
  }
}

extension ObjectLabel {
  /// The label as text: `Food 0.87`.
  var words: String { name + " " + confidence.padded }

  /// The label as part of a list: in quotation marks if it contains a comma.
  var quotedWords: String {
    name.contains(",") ? "\"\(name)\" \(confidence.padded)" : words
  }

  /// The text, or the class's number if it has none.
  var name: String { text.isEmpty ? "class \(index)" : text }
}
