//===--- FailedFile+Description.swift - errors that name options ----------===//
//
// Checked   Tests/MartletToolTests/FailedFileTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

extension FailedFile: CustomStringConvertible {
  /// The reason, and the options that may help.
  package var description: String {
    guard case .unsuitable(let requirement)? = reason as? VisionError else { return "\(reason)" }
    return switch requirement {
    case .classifier: "\(reason); --detector takes it"
    case .detector: "\(reason); --model takes classifiers"
    case .normalization:
      """
      \(reason); --mean and --std give them, and martlet annotate-model writes them into the file
      """
    default: "\(reason)"
    }
  }
}

extension Streams {
  /// Prints the error with the path of its file.
  static func failure(_ failure: FailedFile) { Streams.failure(failure.path, failure) }
}
