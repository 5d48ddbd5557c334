//===--- FaceDetectorModes.swift - what a face detector may be asked ------===//
//
// Source    ML Kit's modes; they count from 1.
// Checked   Tests/MartletTests/FaceDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// What counts more, time or precision.
public enum FaceDetectorPerformanceMode: Int, Sendable, CaseIterable {
  /// Faster; fewer faces may be found, less exactly.
  case fast = 1
  /// More faces are found, more exactly, in more time.
  case accurate = 2
}

/// Whether landmarks are found.
public enum FaceDetectorLandmarkMode: Int, Sendable, CaseIterable {
  /// None.
  case none = 1
  /// All that are seen.
  case all = 2
}

/// Whether contours are found.
public enum FaceDetectorContourMode: Int, Sendable, CaseIterable {
  /// None.
  case none = 1
  /// All, of the most prominent face.
  case all = 2
}

/// Whether it is reported if faces smile, and if their eyes are open.
public enum FaceDetectorClassificationMode: Int, Sendable, CaseIterable {
  /// No.
  case none = 1
  /// Yes.
  case all = 2
}
