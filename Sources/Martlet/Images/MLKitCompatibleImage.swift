//===--- MLKitCompatibleImage.swift - what detectors look at --------------===//
//
// `VisionImage` and `MLImage`, as in ML Kit, and `Picture` itself.
//
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

/// An image that detectors take.
public protocol MLKitCompatibleImage: Sendable {
  /// The image as it is at this moment: pixels as given, and how they are to be turned.
  ///
  /// - Throws: `VisionError` if what the image was made from holds no pixels that can be read.
  func image() throws(VisionError) -> Picture
}

extension Picture: MLKitCompatibleImage {
  /// The image itself.
  public func image() -> Picture { self }
}
