//===--- FailedFile+Description.swift - errors that name options ----------===//

import MartletCommandLine
import MartletVision

extension FailedFile: CustomStringConvertible {
  /// The reason, and the options that may help.
  package var description: String {
    guard case .unsuitable(let requirement)? = reason as? VisionError else { return "\(reason)" }
    return switch requirement {
    case .classifier: "\(reason); pass it with --detector"
    case .detector: "\(reason); pass a classifier with --model"
    case .detectorHeads, .score: "\(reason) (--detector-head)"
    case .anchors: "\(reason) (--anchors)"
    case .normalization:
      "\(reason); pass --mean and --std, or write them into the file with martlet annotate-model"
    default: "\(reason)"
    }
  }
}

extension Streams {
  /// Prints the error with the path of its file.
  static func failure(_ failure: FailedFile) { Streams.failure(failure.path, failure) }
}
