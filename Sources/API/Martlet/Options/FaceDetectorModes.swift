//===--- FaceDetectorModes.swift - modes of face detection ----------------===//
//
// Source    ML Kit's modes; raw values start at 1.
// Checked   Tests/MartletTests/FaceDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// Whether speed or accuracy matters more.
public enum FaceDetectorPerformanceMode: Int, Sendable, CaseIterable {
  /// Faster; may miss faces and is less accurate.
  case fast = 1
  /// Slower; detects more faces, more accurately.
  case accurate = 2
}

/// Whether landmarks are detected.
public enum FaceDetectorLandmarkMode: Int, Sendable, CaseIterable {
  /// None.
  case none = 1
  /// All visible landmarks.
  case all = 2
}

/// Whether contours are detected.
public enum FaceDetectorContourMode: Int, Sendable, CaseIterable {
  /// None.
  case none = 1
  /// All contours of the most prominent face.
  case all = 2
}

/// Whether smiling and open eyes are classified.
public enum FaceDetectorClassificationMode: Int, Sendable, CaseIterable {
  /// No.
  case none = 1
  /// Yes.
  case all = 2
}
