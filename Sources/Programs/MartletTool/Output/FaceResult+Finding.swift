//===--- FaceResult+Finding.swift - printing and drawing faces ------------===//
//
// Landmarks, contours and meshes appear only in JSON and in drawings.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

extension FaceResult: Finding {
  static let noun = "face"
  static let columns: [(title: String, alignment: TextTable.Alignment)] = [
    ("eulerX", .right), ("eulerY", .right), ("eulerZ", .right), ("smile", .right),
    ("left eye", .right), ("right eye", .right),
  ]
  static let csvFields = [
    "eulerX", "eulerY", "eulerZ", "smilingProbability", "leftEyeOpenProbability",
    "rightEyeOpenProbability",
  ]

  static func line(
    of name: String, frame: Int?, _ size: ImageSize, _ findings: [FaceResult]
  ) -> JSON {
    JSON.line(of: name, frame: frame, size, findings)
  }

  var frame: Box { face.frame }
  var score: Float { face.score }

  private var turns: [Float?] { [angles?.x, angles?.y, angles?.z] }
  private var probabilities: [Float?] { [smile, leftEyeOpen, rightEyeOpen] }

  var cells: [String] {
    turns.map { $0?.text(places: 1, isPadded: true) ?? "" } + probabilities.map { $0?.padded ?? "" }
  }

  var csvValues: [String] {
    turns.map { $0?.text(places: 2) ?? "" } + probabilities.map { $0?.text(places: 4) ?? "" }
  }

  /// `turned 3.1,-12.5,0.4`, `smile 0.93`, `eyes 0.99 0.98`; the left eye is first.
  var words: [String] {
    let degrees = turns.compactMap { $0?.text(places: 1) }.joined(separator: ",")
    return (degrees.isEmpty ? [] : ["turned \(degrees)"]) + expression
  }

  /// Smile and open eyes; `-` for a hidden eye.
  private var expression: [String] {
    var words = smile.map { ["smile \($0.padded)"] } ?? []
    if leftEyeOpen != nil || rightEyeOpen != nil {
      let eyes = [leftEyeOpen, rightEyeOpen].map { $0?.padded ?? "-" }
      words.append("eyes " + eyes.joined(separator: " "))
    }
    return words
  }

  var className: String { FaceResult.noun }

  func annotation(at index: Int) -> Annotation {
    let fact = smile.map { (word: "smile", probability: $0) }
    let score = trackingID == nil ? (word: "face", probability: score) : nil
    var annotation = Annotation(
      box: frame,
      texts: Annotation.texts(
        trackingID.map { "#\($0)" } ?? "\(index + 1)", fact ?? score),
      colorIndex: trackingID ?? index)
    annotation.isDiscreet = true
    annotation.strokes = FaceDrawing(self).strokes
    return annotation
  }
}
