import Foundation
import MartletTestSupport

/// Files of `Tests/Fixtures` and their expected samples.
enum ImageFixtures {
  /// The bytes of a file, with a path relative to `Tests/Fixtures`.
  static func bytes(_ path: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.folder(path))
  }

  /// The names, without extension, of a folder's images that have expected samples.
  static func names(in path: String) -> [String] {
    Fixtures.files(in: path, withExtension: "bin").map {
      $0.deletingPathExtension().lastPathComponent
    }
  }
}

/// Expected samples: width, height, channels and bytes per sample as one byte each, then the
/// samples in big-endian order.
struct ExpectedSamples {
  let width, height, channels, sampleBytes: Int
  let samples: [UInt8]

  init(_ path: String) throws {
    let bytes = try ImageFixtures.bytes(path)
    (width, height) = (Int(bytes[0]), Int(bytes[1]))
    (channels, sampleBytes) = (Int(bytes[2]), Int(bytes[3]))
    samples = Array(bytes.dropFirst(4))
  }

  /// The high byte of each sample.
  var highBytes: [UInt8] {
    stride(from: 0, to: samples.count, by: sampleBytes).map { samples[$0] }
  }
}

extension [UInt8] {
  /// The bytes with `count` bytes from `start` replaced.
  func damaged(count damages: Int, from start: Int = 0, using random: inout SplitMix64) -> [UInt8] {
    var bytes = self
    for _ in 0..<damages {
      bytes[Int.random(in: start..<count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    return bytes
  }
}
