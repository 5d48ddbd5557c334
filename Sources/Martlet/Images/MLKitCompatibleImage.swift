//===--- MLKitCompatibleImage.swift - what detectors look at --------------===//
//
// `VisionImage` and `MLImage`, as in ML Kit, and `Picture` itself.
//
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

/// A picture that detectors take.
public protocol MLKitCompatibleImage: Sendable {
  /// The picture as it is at this moment: pixels as given, and how they are to be turned.
  ///
  /// - Throws: `VisionError` where what the picture was made from holds no pixels that can be read.
  func image() throws(VisionError) -> Picture
}

extension Picture: MLKitCompatibleImage {
  /// The picture itself.
  public func image() -> Picture { self }
}
