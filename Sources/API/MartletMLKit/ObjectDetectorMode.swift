//===--- ObjectDetectorMode.swift - still images or a stream --------------===//

/// Whether images are independent or frames of a stream.
public enum ObjectDetectorMode: Int, Sendable, CaseIterable {
  /// Each image is processed independently. Labels are complete when the call returns, and objects
  /// have no tracking identifier.
  case singleImage = 0
  /// Images are the frames of one stream. Objects are tracked and have tracking identifiers; labels
  /// may follow some frames after the box.
  case stream = 1
}
