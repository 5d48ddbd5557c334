//===--- SampleBuffer.swift - a camera frame ------------------------------===//
//
// The counterpart of `CMSampleBuffer`.
//===----------------------------------------------------------------------===//

/// A frame from a camera or a file: uncompressed pixels of any format.
public struct SampleBuffer: Sendable, Equatable {
  /// The frame's pixels.
  public let pixelBuffer: PixelBuffer

  /// A frame with these pixels.
  public init(_ pixelBuffer: PixelBuffer) { self.pixelBuffer = pixelBuffer }
}
