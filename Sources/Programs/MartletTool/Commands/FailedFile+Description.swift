//===--- FailedFile+Description.swift - errors that name options ----------===//

import MartletCommandLine
import MartletVision

extension FailedFile: CustomStringConvertible {
  /// The reason, and the options that may help.
  package var description: String {
    guard case .unsuitable(let requirement)? = reason as? VisionError else { return "\(reason)" }
    return switch requirement {
    case .classifier: "\(reason); pass it with --detector"
    case .detector(let outputs) where outputs.count == 1 && outputs[0].isOfScores:
      "\(reason); pass a classifier with --model"
    case .detectorHeads, .otherHead, .score: "\(reason) (--detector-head)"
    case .anchors(.grids): "\(reason) (--anchors)"
    case .normalization:
      "\(reason); pass --mean and --std, or write them into the file with martlet annotate-model"
    default: "\(reason)"
    }
  }
}

extension Shape {
  /// Whether a classifier may have an output of this shape.
  fileprivate var isOfScores: Bool { rank > 1 && self[rank - 1] == elementCount }
}

extension Streams {
  /// Prints the error with the path of its file.
  static func failure(_ failure: FailedFile) { Streams.failure(failure.path, failure) }
}
