//===--- Limits.swift - limits of image files -----------------------------===//
//
// A header of a few bytes can ask for any amount of memory. Every decoder asks
// here before it allocates for what a header says.
//
// Checked   Tests/MartletCodecsTests/LimitsTests.swift, and by every codec's suite
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// What an image would take to be decoded, where that is more than it may.
public struct MemoryExcess: Error, Hashable, Sendable {
  /// The bytes that decoding takes.
  public let needed: Int64
  /// The bytes that it may take.
  public let limit: Int64

  package init(needed: Int64, limit: Int64) {
    self.needed = needed
    self.limit = limit
  }
}

extension MemoryExcess: CustomStringConvertible {
  /// What is needed, what is allowed, and how to allow it, as the end of a sentence.
  public var description: String {
    let mebibytes = (needed + 1 << 20 - 1) >> 20
    return """
      takes \(mebibytes) MiB of memory to be decoded, \(limit >> 20) MiB are allowed: to allow it, \
      give martlet the option --max-memory \(mebibytes), or the API ImageLimits(memory: \(needed))
      """
  }
}

/// What decoders accept at most.
enum Limits {
  /// The most pixels an image may have: 268 million, more than any camera of one exposure. Products
  /// with samples and their bytes stay far from overflowing.
  static let pixels = 1 << 28

  /// The most scans a progressive JPEG image may have: each passes over the whole image.
  static let scans = 200

  /// Whether an image of these sides may be decoded. Both sides must be positive.
  static func allow(width: Int, height: Int) -> Bool {
    guard width > 0, height > 0 else { return false }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return !overflow && count <= pixels
  }

  /// Throws if an image of these sides takes more memory than it may: `channels` samples a pixel,
  /// as RGB too where they are not that, `working` bytes on the way, and the file's own.
  static func check(
    width: Int, height: Int, channels: Int, working: Int64 = 0, _ limits: ImageLimits
  ) throws(MemoryExcess) {
    let pixelBytes = Int64(channels == 3 ? 3 : channels + 3)
    let needed = Int64(width) * Int64(height) * pixelBytes + working + Int64(limits.fileByteCount)
    guard needed <= Int64(limits.memory) else {
      throw MemoryExcess(needed: needed, limit: Int64(limits.memory))
    }
  }
}
