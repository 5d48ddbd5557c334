//===--- FailedFile.swift - which file is at fault, and the way out -------===//
//
// Checked   Tests/MartletToolTests/FailedFileTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// An error with the file that it is about.
struct FailedFile: Error {
  let path: String
  let reason: any Error

  /// What `body` returns; its error is one about the file at `path`.
  static func naming<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(FailedFile) -> Result {
    do { return try body() } catch { throw FailedFile(path: path, reason: error) }
  }
}

extension FailedFile: CustomStringConvertible {
  /// The reason, and which options help.
  var description: String {
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
  /// Reports the file that is at fault.
  static func failure(_ failure: FailedFile) { Streams.failure(failure.path, failure) }
}
