//===--- WebPMemory.swift - the memory for decoding a WebP image ----------===//
//
// Contract  All memory is counted before it is allocated.
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// The memory for decoding an image.
struct WebPMemory {
  private let width, height, channels: Int
  private let limits: ImageLimits
  private var working: Int64 = 0

  /// Throws if the samples alone exceed a limit.
  init(
    width: Int, height: Int, channels: Int, _ limits: ImageLimits
  ) throws(WebPError) {
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: width, height: height)
    }
    (self.width, self.height, self.channels, self.limits) = (width, height, channels, limits)
    try reserve(0)
  }

  /// Counts `count` more bytes; throws if decoding needs more memory than the limit.
  mutating func reserve(_ count: Int) throws(WebPError) {
    working += Int64(count)
    try Limits.check(
      width: width, height: height, channels: channels, working: working, limits, WebPError.memory)
  }
}
