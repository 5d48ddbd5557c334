//===--- DetectedObject+Finding.swift - printing and drawing objects ------===//
//
// Checked   Tests/MartletToolTests/ResultFormatTests.swift,
//           Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

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

  var cells: [String] { [category?.name ?? "", words.joined(separator: ", ")] }

  /// The values of the first label.
  var csvValues: [String] {
    let label = labels.first
    return [
      category?.name ?? "", label?.text ?? "", label.map { String($0.index) } ?? "",
      label?.confidence.text(places: 4) ?? "",
    ]
  }

  var words: [String] { labels.map(\.words) }

  /// A box with a label. In a video each object has its color; in a still image each category, or
  /// each object if there are no categories.
  func annotation(at index: Int) -> Annotation {
    if let trackingID {
      let text = (["#\(trackingID)"] + words.prefix(1)).joined(separator: " ")
      return Annotation(box: frame, text: text, colorIndex: trackingID)
    }
    let name = words.first ?? category?.name ?? ""
    return Annotation(
      box: frame, text: name.isEmpty ? score.padded : "\(name) (\(score.padded))",
      colorIndex: category?.rawValue ?? index)
  }
}

extension ObjectLabel {
  /// The label as text: `Food 0.87`.
  var words: String { (text.isEmpty ? "class \(index)" : text) + " " + confidence.padded }
}
