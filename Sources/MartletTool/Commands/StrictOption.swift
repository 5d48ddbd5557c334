//===--- StrictOption.swift - whether damage is an error ------------------===//
//
// Checked   Tests/MartletToolTests/InputsTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletJSON

/// The option `--strict`, and the warnings that there are without it.
enum StrictOption {
  static let specification = OptionSpecification(
    "--strict", help: "refuse damaged files that other decoders show, instead of warning of them")
}

extension Streams {
  /// Reports damage in a file that was decoded despite it.
  static func warning(_ input: String, _ warning: DecodingWarning) {
    failure(input, DamagedInput(warning: warning))
  }
}

/// Damage, as a line on standard error words it.
private struct DamagedInput: Error, CustomStringConvertible {
  let warning: DecodingWarning
  var description: String { "warning: \(warning)" }
}

extension [DecodingWarning] {
  /// The member that an image's JSON gets, if there are any.
  var json: [(String, JSON)] {
    isEmpty ? [] : [("warnings", .array(map { .string("\($0)") }))]
  }
}
