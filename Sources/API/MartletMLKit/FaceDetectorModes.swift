//===--- FaceDetectorModes.swift - modes of face detection ----------------===//
//
// Source    ML Kit's modes; raw values start at 1.
//===----------------------------------------------------------------------===//

/// Whether speed or accuracy matters more.
public enum FaceDetectorPerformanceMode: Int, Sendable, CaseIterable {
  /// Faster; may miss faces and is less accurate.
  case fast = 1
  /// Slower; detects more faces, more accurately.
  case accurate = 2
}

/// Whether the eyes, ears, cheeks, nose and mouth of a face are located.
public enum FaceDetectorLandmarkMode: Int, Sendable, CaseIterable {
  /// Faces have no landmarks.
  case none = 1
  /// All visible landmarks.
  case all = 2
}

/// Whether the outlines of a face and its parts are located.
public enum FaceDetectorContourMode: Int, Sendable, CaseIterable {
  /// Faces have no contours.
  case none = 1
  /// All contours of the most prominent face.
  case all = 2
}

/// Whether smiling and open eyes are classified.
public enum FaceDetectorClassificationMode: Int, Sendable, CaseIterable {
  /// Faces have no probabilities.
  case none = 1
  /// Faces have the probabilities that they smile and that each eye is open.
  case all = 2
}
