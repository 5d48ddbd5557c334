//===--- FaceOptionValues.swift - ML Kit's face options -------------------===//

import MartletVision

/// The values of ML Kit's options of face detectors.
struct FaceOptionValues: Sendable {
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
  var execution = Interpreter.Options(workers: .pool)

  /// What the detector does. Numbers out of range are replaced by the defaults.
  var configuration: FaceConfiguration {
    var configuration = FaceConfiguration(
      isAccurate: performance == .accurate, landmarks: landmarks == .all,
      contours: contours == .none ? .none : contoursOfAllFaces ? .all : .mostProminent,
      expressions: classification == .all)
    if maximumFaceCount > 0 { configuration.limit = maximumFaceCount }
    configuration.isStream = tracks
    configuration.isSmoothing = smooths
    configuration.mesh = mesh
    if (0...1).contains(minimumScore) { configuration.minimumScore = minimumScore }
    configuration.minimumSize = Float(
      (0...1).contains(minimumSize) ? minimumSize : Self.defaultMinimumSize)
    return configuration
  }
}
