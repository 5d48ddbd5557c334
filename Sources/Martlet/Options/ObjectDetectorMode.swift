//===--- ObjectDetectorMode.swift - stills or a stream --------------------===//
//
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// Whether pictures have to do with each other.
public enum ObjectDetectorMode: Int, Sendable, CaseIterable {
  /// Each picture stands for itself: everything about it is found before the call returns, and
  /// nothing has a tracking identifier.
  case singleImage = 0
  /// Pictures are the frames of one stream: objects are followed from frame to frame and have
  /// tracking identifiers; labels may come some frames after the box.
  case stream = 1
}
