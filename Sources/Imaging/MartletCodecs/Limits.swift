//===--- Limits.swift - limits of the decoders ----------------------------===//
//
// A header of a few bytes can request any amount of memory. Every decoder checks these limits
// before it allocates memory for a header's values.
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// An image needs more memory than the limit allows.
public struct MemoryExcess: Error, Hashable, Sendable {
  /// The bytes that decoding needs.
  public let needed: Int64
  /// The maximum number of bytes.
  public let limit: Int64

  package init(needed: Int64, limit: Int64) {
    self.needed = needed
    self.limit = limit
  }
}

extension MemoryExcess: CustomStringConvertible {
  /// What is needed, what is allowed, and how to raise the limit; the end of a sentence.
  public var description: String {
    let mebibytes = (needed + 1 << 20 - 1) >> 20
    return """
      needs \(mebibytes) MiB of memory to be decoded, expected at most \(limit >> 20) MiB; raise the \
      memory limit to \(mebibytes) MiB (ImageLimits.memory = \(needed)), or use a smaller image
      """
  }
}

/// The limits of all decoders.
enum Limits {
  /// The maximum number of pixels of an image: 268 million, more than any single exposure of a
  /// camera; 67 million if `Int` has 32 bits. Products with samples and their bytes do not overflow.
  static let pixels = 1 << (Int.bitWidth == 64 ? 28 : 26)

  /// The maximum number of scans of a progressive JPEG: each scan visits the whole image.
  static let scans = 200

  /// Whether both sides are positive and not longer than those of any image, and the image is within
  /// `pixels`.
  static func allow(width: Int, height: Int) -> Bool {
    let sides = 1...ImageLimits.maximumSide
    guard sides.contains(width), sides.contains(height) else { return false }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && count <= pixels
  }

  /// Throws if decoding needs more memory than `limits` allow: `channels` samples per pixel, an RGB
  /// copy unless there are three channels or the image is a part of another, `working` bytes, and the
  /// file itself. Returns the memory.
  @discardableResult static func check<Failure>(
    width: Int, height: Int, channels: Int, isPart: Bool = false, working: Int64 = 0,
    _ limits: ImageLimits, _ failure: (MemoryExcess) -> Failure
  ) throws(Failure) -> Int64 {
    let pixelBytes = Int64(channels == 3 || isPart ? channels : channels + 3)
    let needed = Int64(width) * Int64(height) * pixelBytes + working + Int64(limits.fileByteCount)
    guard needed <= Int64(limits.memory) else {
      throw failure(MemoryExcess(needed: needed, limit: Int64(limits.memory)))
    }
    return needed
  }

  /// Throws if turning a decoded image upright, with its RGB pixels before and after in memory, needs
  /// more memory than `limits` allow.
  static func checkUpright<Failure>(
    _ raster: Raster, _ limits: ImageLimits, _ failure: (MemoryExcess) -> Failure
  ) throws(Failure) {
    guard raster.orientation != 1 else { return }
    let turned = 3 * Int64(raster.width) * Int64(raster.height)
    try check(
      width: raster.width, height: raster.height, channels: raster.channels, working: turned,
      limits, failure)
  }
}
