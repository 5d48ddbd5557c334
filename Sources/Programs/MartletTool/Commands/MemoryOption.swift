//===--- MemoryOption.swift - the option --max-memory ---------------------===//

import MartletCommandLine
import MartletVision

/// The option `--max-memory`.
enum MemoryOption {
  static let specification = OptionSpecification(
    "--max-memory", "MIB",
    help: "Memory limit for decoding an image, in MiB (default: 256)")

  /// The image limits for the option.
  static func limits(_ arguments: Arguments) throws(UsageError) -> ImageLimits {
    let megabytes = try arguments.integer(specification.name, in: DecodingConfiguration.memoryRange)
    return megabytes.map { ImageLimits(memory: $0 << 20) } ?? ImageLimits()
  }
}
