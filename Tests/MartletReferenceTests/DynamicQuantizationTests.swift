import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct DynamicQuantizationTests {
  private func quantized(_ x: [Float], run: Int, isAsymmetric: Bool) -> ([Int16], [Float]) {
    var scales: [Float] = []
    let steps = filled(x.count, with: Int16.min) { steps in
      scales = filled(x.count / run, with: Float.nan) { scales in
        withBuffer(x) {
          Reference.quantizeRows(
            $0, run: run, isAsymmetric: isAsymmetric, into: steps, scales: scales)
        }
      }
    }
    return (steps, scales)
  }

  @Test func largestMagnitudeIsOneHundredAndTwentySeven() {
    let (steps, scales) = quantized([-2, 1, 0.5, 0, 0, 0], run: 3, isAsymmetric: false)
    #expect(steps == [-127, 64, 32, 0, 0, 0])
    #expect(scales == [2 / 127, 1])
  }

  @Test func asymmetricRangesUseAllSteps() {
    let (steps, scales) = quantized([0, 255, 51], run: 3, isAsymmetric: true)
    #expect(steps == [0, 255, 51])
    #expect(scales == [1])
  }

  @Test func notANumberDoesNotTrap() {
    for isAsymmetric in [true, false] {
      _ = quantized([.nan, .infinity, -.infinity, 1], run: 4, isAsymmetric: isAsymmetric)
      _ = quantized([.nan, 1, 2, 3], run: 4, isAsymmetric: isAsymmetric)
      _ = quantized([3e38, -3e38, 2, 3], run: 4, isAsymmetric: isAsymmetric)
    }
  }

  @Test func fillsGapsBetweenRowsWithZeros() {
    let steps = filled(8, with: Int16(9)) { steps in
      withBuffer([1, -1, 0.5, 2, 4, 0] as [Float]) { x in
        withBuffer([0, 0] as [Float]) { scales in
          Reference.quantizeRows(
            x, run: 3, pitch: 4, isAsymmetric: false, into: steps, scales: scales)
        }
      }
    }
    #expect(steps == [127, -127, 64, 0, 64, 127, 0, 0])
  }
}
