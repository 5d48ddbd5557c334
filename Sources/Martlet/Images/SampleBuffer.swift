//===--- SampleBuffer.swift - a frame from a camera -----------------------===//
//
// What stands where an app on Apple's platforms would hold a `CMSampleBuffer`.
//
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

/// A frame from a camera or a file: uncompressed pixels of any format.
public struct SampleBuffer: Sendable, Equatable {
  /// The frame's pixels.
  public let pixelBuffer: PixelBuffer

  /// A frame of these pixels.
  public init(_ pixelBuffer: PixelBuffer) { self.pixelBuffer = pixelBuffer }
}
