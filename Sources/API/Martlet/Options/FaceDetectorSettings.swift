//===--- FaceDetectorSettings.swift - values of face detector options -----===//
//
// They decide which faces are returned, and with which parts.
//
// Checked   Tests/MartletTests/FaceFinderOptionsRulesTests.swift
//===----------------------------------------------------------------------===//

import MartletVision

/// The values of a face detector's options.
struct FaceDetectorSettings: Sendable {
  static let defaultMinimumSize = 0.1

  var performance = FaceDetectorPerformanceMode.fast
  var landmarks = FaceDetectorLandmarkMode.none
  var contours = FaceDetectorContourMode.none
  var classification = FaceDetectorClassificationMode.none
  var minimumSize = defaultMinimumSize
  var minimumScore = FaceConfiguration.defaultMinimumScore
  var tracks = false
  var contoursOfAllFaces = false
  var mesh = false
  var maximumFaceCount = Int.max
  var smooths = true
  var refusesMainThread = false
  var interpreter = Interpreter.Options(workers: .pool)

  /// The parts to detect, and the limits for faces.
  var finderOptions: FaceConfiguration {
    var finderOptions = FaceConfiguration(isAccurate: false)
    if maximumFaceCount > 0 { finderOptions.limit = maximumFaceCount }
    if contours == .all { finderOptions.contours = contoursOfAllFaces ? .all : .mostProminent }
    finderOptions.landmarks = landmarks == .all
    finderOptions.expressions = classification == .all
    finderOptions.isAccurate = performance == .accurate
    finderOptions.tracking = tracks
    let isScore = (0...1).contains(minimumScore)
    finderOptions.minimumScore = isScore ? minimumScore : FaceConfiguration.defaultMinimumScore
    finderOptions.mesh = mesh
    finderOptions.minimumSize = Float(
      (0...1).contains(minimumSize) ? minimumSize : Self.defaultMinimumSize)
    return finderOptions.applyingMLKitRules
  }
}
