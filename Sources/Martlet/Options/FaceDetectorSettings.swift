//===--- FaceDetectorSettings.swift - the values that options hold --------===//
//
// And what they come down to: which faces are given, with which parts. ML Kit's rules are in `parts`.
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
  var tracks = false
  var contoursOfAllFaces = false
  var mesh = false
  var maximumFaceCount = Int.max
  var smooths = true
  var refusesMainThread = false
  var interpreter = Interpreter.Options()

  /// Whether contours are all that is asked for, fast: then there is but one face, without turn and identifier.
  private var isContourOfOneFaceAlone: Bool {
    contours == .all && performance == .fast && landmarks == .none && classification == .none
      && !contoursOfAllFaces
  }

  /// What is to be found of which faces.
  var parts: FaceParts {
    let isAlone = isContourOfOneFaceAlone
    var parts = FaceParts()
    parts.limit = isAlone ? 1 : maximumFaceCount > 0 ? maximumFaceCount : .max
    if contours == .all { parts.contours = contoursOfAllFaces ? .all : .mostProminent }
    parts.landmarks = landmarks == .all
    parts.expressions = classification == .all
    parts.angles = !isAlone
    parts.exactAngles = performance == .accurate
    parts.tracking = tracks && !isAlone
    parts.mesh = mesh
    let isShare = (0...1).contains(leastSize)
    parts.leastSize = isAlone ? 0 : Float(isShare ? leastSize : Self.defaultLeastSize)
    return parts
  }
}
