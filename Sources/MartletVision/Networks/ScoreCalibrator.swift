//===--- ScoreCalibrator.swift - raw scores to comparable ones ------------===//
//
// score = scale / (1 + exp(-(slope · g(s) + offset))), with parameters for each class and g as the
// metadata says. Classes without parameters, and scores under a class's minimum, get the default
// score.
//
// Contract  Logarithms under 1e-16 go on as 2·log(t) - log(2t - x), which stays finite at 0.
// Source    TFLite Support `score_calibration`.
// Checked   Tests/MartletVisionTests/ScoreCalibratorTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

/// Calibrates the scores of a classifier's or a detector's classes.
struct ScoreCalibrator {
  let calibration: ScoreCalibration
  /// One for each class.
  let parameters: [SigmoidParameters?]

  /// The scores after calibration.
  func callAsFunction(_ scores: [Float]) -> [Float] {
    zip(scores, parameters).map { calibrated($0, $1) }
  }

  /// The score of class `index` after calibration.
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
