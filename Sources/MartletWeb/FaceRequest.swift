//===--- FaceRequest.swift - options of face detection --------------------===//
//
// The options of `martlet faces` and `martlet track --faces` as members of a JSON object, with
// their names in camel case: {"faces":true,"landmarks":true,"classify":true}.
//
// Contract  Missing members have the tool's defaults. Unknown members and values out of range are
//           errors.
// Checked   Tests/MartletWebTests/FaceRequestTests.swift
//===----------------------------------------------------------------------===//

package import MartletFaces
import MartletJSON

/// The options of a page's face detector.
package struct FaceRequest: Sendable, Equatable {
  /// Whether the images are the frames of a stream, in order.
  package var isStream = false
  package var parts = FaceParts()
  /// Whether points of tracked faces are smoothed from frame to frame.
  package var isSmoothing = true
}

extension FaceRequest: JSONReadable {
  private static let members: Set = [
    "faces", "stream", "mode", "landmarks", "contours", "allContours", "classify", "mesh",
    "minFaceSize", "minScore", "maxFaces", "smoothing",
  ]

  /// Decodes the options from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    try reader.refuseOthers(than: FaceRequest.members)
    func has(_ name: String) throws(JSONError) -> Bool { try reader.optional(name) ?? false }
    isStream = try has("stream")
    isSmoothing = try reader.optional("smoothing") ?? true
    let mode: String = try reader.optional("mode") ?? "accurate"
    guard mode == "accurate" || mode == "fast" else {
      throw .mismatch(path: "mode", expected: "fast or accurate")
    }
    var asked = FaceParts()
    asked.isAccurate = mode == "accurate"
    asked.landmarks = try has("landmarks")
    asked.expressions = try has("classify")
    asked.mesh = try has("mesh")
    asked.tracking = isStream
    if try has("contours") { asked.contours = .mostProminent }
    if try has("allContours") { asked.contours = .all }
    asked.leastSize = try reader.share("minFaceSize") ?? 0
    asked.leastScore = try reader.share("minScore") ?? FaceParts.defaultLeastScore
    asked.limit = try reader.count("maxFaces") ?? .max
    parts = asked.byMLKitsRule
  }
}
