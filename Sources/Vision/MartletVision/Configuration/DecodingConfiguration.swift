//===--- DecodingConfiguration.swift - how image files are decoded --------===//

public import MartletImage

/// How the files of images are decoded, and how long an image may take.
///
/// ```swift
/// var configuration = ObjectConfiguration()
/// configuration.decoding.timeout = 2
/// configuration.decoding.limits = ImageLimits(memory: 64 << 20)
/// ```
public struct DecodingConfiguration: Sendable, Hashable {
  /// Whether damage is an error instead of a warning. Default: `false`.
  public var isStrict = false
  /// The memory for decoding. Default: 256 MiB.
  public var limits = ImageLimits()
  /// Whether all pixels of large images are decoded. Default: `false`, a part of them.
  public var isFullResolution = false
  /// Whether colors are converted to sRGB. Default: `true`.
  public var convertsColors = true
  /// The most seconds, 0.001 to 1000000, for decoding an image and running networks on it. Default:
  /// `nil`, no limit. A program needs a clock for it.
  public var timeout: Double?

  /// The defaults.
  public init() {}

  /// The permitted limits of memory, in MiB.
  package static let memoryRange = 1...min(1 << 20, Int.max >> 20)
  /// The permitted time limits, in seconds.
  package static let timeoutRange = 0.001...1_000_000
}

/// A configuration of a detector that decodes files.
package protocol DecodingConfigured: JSONConfiguration {
  var decoding: DecodingConfiguration { get set }
}

extension DecodingConfigured {
  /// The members that all detectors have.
  static var decodingMembers: [ConfigurationMember<Self>] {
    [
      .flag("strict", { $0.decoding.isStrict }) { $0.decoding.isStrict = $1 },
      .mebibytes("maxMemory", { $0.decoding.limits.memory }) { $0.decoding.limits.memory = $1 },
      .flag("fullResolution", { $0.decoding.isFullResolution }) {
        $0.decoding.isFullResolution = $1
      },
      .flag("colorConversion", { $0.decoding.convertsColors }) { $0.decoding.convertsColors = $1 },
      .seconds("timeout", { $0.decoding.timeout }) { $0.decoding.timeout = $1 },
    ]
  }
}
