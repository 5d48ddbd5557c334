//===--- FailedFile.swift - errors with file paths ------------------------===//
//
// Checked   Tests/MartletToolTests/FailedFileTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletVision

/// An error and the path of its file.
struct FailedFile: Error {
  let path: String
  let reason: any Error

  /// Returns the result of `body`; an error is thrown with the path of the file.
  static func naming<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(FailedFile) -> Result {
    do { return try body() } catch { throw FailedFile(path: path, reason: error) }
  }
}

extension FailedFile: CustomStringConvertible {
  /// The reason, and the options that may help.
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
  /// Prints the error with the path of its file.
  static func failure(_ failure: FailedFile) { Streams.failure(failure.path, failure) }
}
