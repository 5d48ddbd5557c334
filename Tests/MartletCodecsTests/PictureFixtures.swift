import Foundation
import MartletCodecs

/// Files of `Tests/Fixtures`, and the samples they were made from.
enum PictureFixtures {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")

  /// The bytes of a file, named from `Tests/Fixtures` on.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  /// The names, without ending, of the pictures in a folder that have expected samples.
  static func names(in path: String) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: path).path)
    return (files ?? []).filter { $0.hasSuffix(".bin") }.map { String($0.dropLast(4)) }.sorted()
  }
}

/// The samples that a picture was made from: width, height, channels and bytes a sample, each in
/// one byte, then the samples, the high byte first.
struct ExpectedSamples {
  let width, height, channels, sampleBytes: Int
  let samples: [UInt8]

  init(_ path: String) throws {
    let bytes = try PictureFixtures.bytes(path)
    (width, height) = (Int(bytes[0]), Int(bytes[1]))
    (channels, sampleBytes) = (Int(bytes[2]), Int(bytes[3]))
    samples = Array(bytes.dropFirst(4))
  }

  /// The high byte of each sample.
  var highBytes: [UInt8] {
    stride(from: 0, to: samples.count, by: sampleBytes).map { samples[$0] }
  }
}

/// The SplitMix64 generator: the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension [UInt8] {
  /// The bytes with `count` of them, from `start` on, replaced by others.
  func damaged(count damages: Int, from start: Int = 0, using random: inout SplitMix) -> [UInt8] {
    var bytes = self
    for _ in 0..<damages {
      bytes[Int.random(in: start..<count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    return bytes
  }
}
