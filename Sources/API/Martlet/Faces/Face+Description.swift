//===--- Face+Description.swift - faces as text ---------------------------===//
//
// The text that `print` shows, for logs and debuggers. Programs use `martlet`'s JSON or the values.
//===----------------------------------------------------------------------===//

import Foundation
import MartletVision

extension Face: CustomStringConvertible {
  /// Identifier, box, score and the known details: `face 3 at (12, 40), 90 x 92, score 0.97: turned
  /// (3, -12, 0), smiling 0.93, left eye open 0.99, 8 landmarks`.
  public var description: String {
    let name = trackingIdentifier.map { "face \($0)" } ?? "face"
    let place = String(
      format: " at (%.0f, %.0f), %.0f x %.0f, score %.2f", Double(frame.origin.x),
      Double(frame.origin.y), Double(frame.size.width), Double(frame.size.height), score)
    return name + place + (facts.isEmpty ? "" : ": " + facts.joined(separator: ", "))
  }

  private var facts: [String] {
    var facts: [String] = []
    if let headEulerAngles { facts.append("turned \(headEulerAngles)") }
    for (name, value) in [
      ("smiling", smile), ("left eye open", leftEyeOpen), ("right eye open", rightEyeOpen),
    ] {
      if let value { facts.append(name + String(format: " %.2f", value)) }
    }
    for (name, count) in [
      ("landmarks", places.landmarks.count), ("contours", places.contours.count),
      ("points", places.mesh.count),
    ] where count > 0 {
      facts.append("\(count) \(name)")
    }
    return facts
  }
}

extension HeadEulerAngles: CustomStringConvertible {
  /// X, Y and Z in degrees: `(3, -12, 0)`.
  public var description: String { String(format: "(%.0f, %.0f, %.0f)", x, y, z) }
}

extension VisionPoint: CustomStringConvertible {
  /// `(12.5, 40.0)`.
  public var description: String { String(format: "(%.1f, %.1f)", Double(x), Double(y)) }
}
