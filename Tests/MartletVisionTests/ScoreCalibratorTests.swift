import Foundation
import Testing

@testable import MartletVision
@testable import MartletModel

@Suite struct ScoreCalibratorTests {
  func calibrated(
    _ score: Float, _ transformation: ScoreTransformation, _ parameters: SigmoidParameters?
  ) -> Double {
    let calibrator = ScoreCalibrator(
      calibration: ScoreCalibration(transformation: transformation, defaultScore: 0.25),
      parameters: [parameters])
    return Double(calibrator([score])[0])
  }

  /// The formula in double precision.
  func expected(_ g: Double, _ p: SigmoidParameters) -> Double {
    Double(p.scale) / (1 + exp(-(Double(p.slope) * g + Double(p.offset))))
  }

  @Test(arguments: [Float(0.001), 0.1, 0.5, 0.75, 0.999])
  func followsTheFormula(_ score: Float) {
    let parameters = SigmoidParameters(scale: 0.9, slope: 1.5, offset: -0.4, minimumScore: nil)
    let x = Double(score)
    for (kind, g) in [
      (.identity, x), (.log, log(x)), (.inverseLogistic, log(x) - log(1 - x)),
    ] as [(ScoreTransformation, Double)] {
      #expect(abs(calibrated(score, kind, parameters) - expected(g, parameters)) < 1e-6)
    }
  }

  @Test func scoresOfZeroAndOneStayFinite() {
    let parameters = SigmoidParameters(scale: 1, slope: 0.1, offset: 0, minimumScore: nil)
    // 2·log(t) - log(2t) = log(t / 2) with t = 1e-16.
    let least = log(0.5e-16)
    #expect(abs(calibrated(0, .log, parameters) - expected(least, parameters)) < 1e-6)
    #expect(abs(calibrated(0, .inverseLogistic, parameters) - expected(least, parameters)) < 1e-6)
    #expect(abs(calibrated(1, .inverseLogistic, parameters) - expected(-least, parameters)) < 1e-6)
  }

  @Test func missingParametersAndLowScoresGetTheDefault() {
    let parameters = SigmoidParameters(scale: 1, slope: 1, offset: 0, minimumScore: 0.3)
    #expect(calibrated(0.9, .identity, nil) == 0.25)
    #expect(calibrated(0.29, .identity, parameters) == 0.25)
    #expect(calibrated(0.3, .identity, parameters) > 0.5)
  }

  @Test(arguments: [(0, Float(0.5)), (1, 0.25), (7, 0.25)])
  func classWithoutParametersGetsTheDefault(_ index: Int, _ expected: Float) {
    let parameters = SigmoidParameters(scale: 1, slope: 1, offset: 0, minimumScore: nil)
    let calibrator = ScoreCalibrator(
      calibration: ScoreCalibration(transformation: .identity, defaultScore: 0.25),
      parameters: [parameters, nil])
    #expect(calibrator(0, ofClass: index) == expected)
  }
}
