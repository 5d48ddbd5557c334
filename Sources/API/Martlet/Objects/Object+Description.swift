//===--- Object+Description.swift - results as text -----------------------===//
//
// The text that `print` shows, for logs and debuggers. Programs use `martlet`'s JSON or the values.
//===----------------------------------------------------------------------===//

import Foundation

extension ObjectLabel: CustomStringConvertible {
  /// The text, or the index if there is no text, and the confidence: `Food 0.87`.
  public var description: String {
    (text.isEmpty ? "class \(index)" : text) + String(format: " %.2f", confidence)
  }
}

extension Object: CustomStringConvertible {
  /// Identifier, box, score, labels and fine labels:
  /// `object 3 at (12, 40), 300 x 200, score 0.91: Food 0.87, Banana 0.95`.
  public var description: String {
    let name = trackingIdentifier.map { "object \($0)" } ?? "object"
    let place = String(
      format: " at (%.0f, %.0f), %.0f x %.0f, score %.2f", Double(frame.origin.x),
      Double(frame.origin.y), Double(frame.size.width), Double(frame.size.height), score)
    let labelText = (labels + (fineLabels ?? [])).map(\.description).joined(separator: ", ")
    return name + place + (labelText.isEmpty ? "" : ": " + labelText)
  }
}
