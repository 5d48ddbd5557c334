//===--- ScoreCalibrator.swift - score calibration ------------------------===//
//
// score = scale / (1 + exp(-(slope · g(s) + offset))), with parameters per class and the function g
// in the metadata. Classes without parameters, and scores below a class's minimum, get the default
// score.
//
// Contract  The logarithm below 1e-16 is replaced by 2·log(t) - log(2t - x), which is finite at 0.
// Source    TFLite Support `score_calibration`.
//===----------------------------------------------------------------------===//

import MartletBase

/// Calibrates the scores of a classifier's or a detector's classes.
struct ScoreCalibrator {
  let calibration: ScoreCalibration
  /// The parameters of each class.
  let parameters: [SigmoidParameters?]

  /// Returns the calibrated scores of all classes.
  func callAsFunction(_ scores: [Float]) -> [Float] {
    zip(scores, parameters).map { calibrated($0, $1) }
  }

  /// Returns the calibrated score of class `index`.
  func callAsFunction(_ score: Float, ofClass index: Int) -> Float {
    calibrated(score, parameters.indices.contains(index) ? parameters[index] : nil)
  }

  private func calibrated(_ score: Float, _ parameters: SigmoidParameters?) -> Float {
    guard let parameters, score >= parameters.minimumScore ?? -.infinity else {
      return calibration.defaultScore
    }
    let exponent = parameters.slope * calibration.transformation(score) + parameters.offset
    if exponent >= 0 { return parameters.scale / (1 + VectorMath.exp(-exponent)) }
    let power = VectorMath.exp(exponent)
    return parameters.scale * power / (1 + power)
  }
}

extension ScoreTransformation {
  fileprivate func callAsFunction(_ score: Float) -> Float {
    switch self {
    case .identity: score
    case .log: clampedLog(score)
    case .inverseLogistic: clampedLog(score) - clampedLog(1 - score)
    }
  }
}

private func clampedLog(_ x: Float) -> Float {
  let least: Float = 1e-16
  return x < least
    ? 2 * VectorMath.log(least) - VectorMath.log(2 * least - x) : VectorMath.log(x)
}
