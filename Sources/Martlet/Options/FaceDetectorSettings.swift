//===--- FaceDetectorSettings.swift - values of face detector options -----===//
//
// They decide which faces are returned, and with which parts.
//
// Checked   Tests/MartletTests/FacePartsRulesTests.swift
//===----------------------------------------------------------------------===//

import MartletFaces
import MartletVision

/// The values of a face detector's options.
struct FaceDetectorSettings: Sendable {
  static let defaultLeastSize = 0.1

  var performance = FaceDetectorPerformanceMode.fast
  var landmarks = FaceDetectorLandmarkMode.none
  var contours = FaceDetectorContourMode.none
  var classification = FaceDetectorClassificationMode.none
  var leastSize = defaultLeastSize
  var leastScore = FaceParts.defaultLeastScore
  var tracks = false
  var contoursOfAllFaces = false
  var mesh = false
  var maximumFaceCount = Int.max
  var smooths = true
  var refusesMainThread = false
  var interpreter = Interpreter.Options()

  /// The parts to detect, and the limits for faces.
  var parts: FaceParts {
    var parts = FaceParts()
    if maximumFaceCount > 0 { parts.limit = maximumFaceCount }
    if contours == .all { parts.contours = contoursOfAllFaces ? .all : .mostProminent }
    parts.landmarks = landmarks == .all
    parts.expressions = classification == .all
    parts.isAccurate = performance == .accurate
    parts.tracking = tracks
    let isScore = (0...1).contains(leastScore)
    parts.leastScore = isScore ? leastScore : FaceParts.defaultLeastScore
    parts.mesh = mesh
    parts.leastSize = Float((0...1).contains(leastSize) ? leastSize : Self.defaultLeastSize)
    return parts.byMLKitsRule
  }
}
