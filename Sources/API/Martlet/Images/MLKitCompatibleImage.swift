//===--- MLKitCompatibleImage.swift - the input of detectors --------------===//
//
// `VisionImage` and `MLImage`, as in ML Kit, and `InputImage` itself.
//===----------------------------------------------------------------------===//

/// An image that detectors accept.
public protocol MLKitCompatibleImage: Sendable {
  /// The stored pixels with the current orientation.
  ///
  /// - Throws: `VisionError` if the source has no readable pixels.
  func image() throws(VisionError) -> InputImage
}

extension InputImage: MLKitCompatibleImage {
  /// The image itself.
  public func image() -> InputImage { self }
}
