//===--- DecodingConfiguration.swift - how image files are decoded --------===//
//
// Checked   Tests/MartletVisionTests/Configuration/ConfigurationTests.swift
//===----------------------------------------------------------------------===//

/// How the files of images are decoded, and how long an image may take.
public struct DecodingConfiguration: Sendable, Hashable {
  /// Whether all pixels of large images are decoded. Default: `false`, a part of them.
  public var isFullResolution = false
  /// Whether colors are converted to sRGB. Default: `true`.
  public var convertsColors = true
  /// The most seconds, 0.001 to 1000000, for decoding an image and running networks on it. Default:
  /// `nil`, no limit. A program needs a clock for it.
  public var timeout: Double?

  /// The defaults.
  public init() {}
}

/// A configuration of a detector that decodes files.
package protocol DecodingConfigured: JSONConfiguration {
  var decoding: DecodingConfiguration { get set }
}

extension DecodingConfigured {
  /// The members that all detectors have.
  static var decodingMembers: [ConfigurationMember<Self>] {
    [
      .flag("fullResolution", { $0.decoding.isFullResolution }) {
        $0.decoding.isFullResolution = $1
      },
      .flag("colorConversion", { $0.decoding.convertsColors }) { $0.decoding.convertsColors = $1 },
      .seconds("timeout", { $0.decoding.timeout }) { $0.decoding.timeout = $1 },
    ]
  }
}
