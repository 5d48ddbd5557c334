//===--- StrictOption.swift - the option --strict -------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine

/// The option `--strict`, and the warnings without it.
enum StrictOption {
  static let specification = OptionSpecification(
    "--strict", help: "Reject damaged files instead of decoding them with a warning")
}

extension Streams {
  /// Prints a warning about damage in a decoded file.
  static func warning(_ input: FilePath, _ warning: DecodingWarning) {
    failure(input, DamagedInput(warning: warning))
  }
}

/// The wording of a damage warning on standard error.
private struct DamagedInput: Error, CustomStringConvertible {
  let warning: DecodingWarning
  var description: String { "warning: \(warning)" }
}

extension [DecodingWarning] {
  /// The JSON member with the warnings; empty if there are none.
  var json: [(String, JSON)] {
    isEmpty ? [] : [("warnings", .array(map { .string("\($0)") }))]
  }
}
