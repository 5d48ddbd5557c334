//===--- ObjectDetectorMode.swift - stills or a stream --------------------===//
//
// Checked   Tests/MartletTests/ObjectDetectorOptionsTests.swift
//===----------------------------------------------------------------------===//

/// Whether images have to do with each other.
public enum ObjectDetectorMode: Int, Sendable, CaseIterable {
  /// Each image stands for itself: everything about it is found before the call returns, and
  /// nothing has a tracking identifier.
  case singleImage = 0
  /// Images are the frames of one stream: objects are tracked from frame to frame and have
  /// tracking identifiers; labels may come some frames after the box.
  case stream = 1
}
