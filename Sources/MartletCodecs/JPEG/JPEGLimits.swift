//===--- JPEGLimits.swift - how much a file may ask for -------------------===//
//
// Checked   Tests/MartletCodecsTests/JPEGHeaderTests.swift
//===----------------------------------------------------------------------===//

/// How much memory and time a JPEG file may ask for.
///
/// Both are checked before they are spent. A file of n bytes is moreover refused when its frame
/// has more blocks than n bytes have bits, before any sample is allocated.
public struct JPEGLimits: Equatable, Sendable {
  /// The greatest number of pixels of a picture.
  public var pixels: Int
  /// The greatest number of scans of a file.
  public var scans: Int

  /// Limits that any camera's pictures keep: 256 million pixels and 200 scans.
  public init(pixels: Int = 256_000_000, scans: Int = 200) {
    self.pixels = pixels
    self.scans = scans
  }
}
