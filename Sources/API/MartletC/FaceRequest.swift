//===--- FaceRequest.swift - options of face detection --------------------===//
//
// The options of `martlet faces` and `martlet track --faces` as members of a JSON object, with
// their names in camel case: {"faces":true,"landmarks":true,"classify":true}.
//
// Contract  Missing members have the tool's defaults. Unknown members and values out of range are
//           errors.
// Checked   Tests/MartletCTests/FaceRequestTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
package import MartletVision

/// The options of a face detector.
package struct FaceRequest: Sendable, Equatable {
  /// Whether the images are the frames of a stream, in order.
  package var isStream = false
  /// How files are decoded.
  package var decoding = FileDecoding()
  package var finderOptions = FaceFinderOptions()
  /// Whether points of tracked faces are smoothed from frame to frame.
  package var isSmoothing = true
  /// Whether only the contours of the most prominent face are detected.
  var isOneFace = false
}

extension FaceRequest: JSONReadable {
  private static let members: Set = [
    "faces", "stream", "mode", "landmarks", "contours", "allContours", "classify", "mesh",
    "minFaceSize", "minScore", "maxFaces", "smoothing",
  ]

  /// Decodes the options from a JSON object.
  package init(_ reader: JSONReader) throws(JSONError) {
    try reader.refuseOthers(than: FaceRequest.members.union(FileDecoding.members))
    decoding = try FileDecoding(reader)
    func has(_ name: String) throws(JSONError) -> Bool { try reader.optional(name) ?? false }
    isStream = try has("stream")
    isSmoothing = try reader.optional("smoothing") ?? true
    let mode: String = try reader.optional("mode") ?? "accurate"
    guard mode == "accurate" || mode == "fast" else {
      throw .mismatch(path: "mode", expected: "fast or accurate")
    }
    var requested = FaceFinderOptions()
    requested.isAccurate = mode == "accurate"
    requested.landmarks = try has("landmarks")
    requested.expressions = try has("classify")
    requested.mesh = try has("mesh")
    requested.tracking = isStream
    if try has("contours") { requested.contours = .mostProminent }
    if try has("allContours") { requested.contours = .all }
    requested.minimumSize = try reader.share("minFaceSize") ?? 0
    requested.minimumScore = try reader.share("minScore") ?? FaceFinderOptions.defaultMinimumScore
    requested.limit = try reader.count("maxFaces") ?? .max
    finderOptions = requested.applyingMLKitRules
    isOneFace = finderOptions != requested
  }
}
