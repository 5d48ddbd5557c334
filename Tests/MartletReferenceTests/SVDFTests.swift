import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct SVDFTests {
  /// Two units with one filter and a memory of three values.
  private let layer = SVDF(batches: 1, inputs: 1, units: 2, rank: 1, memory: 3)

  @Test func floatsWeighTheStoredFeatures() {
    var outputs: [[Float]] = []
    let state = filled(6, with: Float(0)) { state in
      for features: [Float] in [[1, 10], [2, 20], [3, 30], [4, 40]] {
        outputs.append(
          filled(2, with: .nan) { y in
            withBuffer(features) { features in
              withBuffer([1, 1, 1, 0, 0.5, 1] as [Float]) { time in
                withBuffer([0, -20] as [Float]) { bias in
                  layer.step(
                    features: features, time: time, bias: bias, state: state,
                    .clamp(0...Float.infinity), into: y)
                }
              }
            }
          })
      }
    }
    #expect(outputs == [[1, 0], [3, 5], [6, 20], [9, 35]])
    #expect(state == [2, 3, 4, 20, 30, 40])
  }

  @Test func sumsTheFiltersOfAUnit() {
    let layer = SVDF(batches: 2, inputs: 1, units: 1, rank: 2, memory: 1)
    let y = filled(2, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4] as [Float]) { features in
        withBuffer([10, 1] as [Float]) { time in
          withBuffer([0, 0, 0, 0] as [Float]) { state in
            withBuffer([Float]()) { bias in
              layer.step(
                features: features, time: time, bias: bias, state: state,
                .clamp(-Float.infinity...Float.infinity), into: y)
            }
          }
        }
      }
    }
    #expect(y == [12, 34])
  }

  /// A byte state has a zero point. New values are clamped before it is added.
  @Test func byteStatesHaveAZeroPoint() {
    let quantized = QuantizedSVDF(
      layer: layer, feature: FixedPointMultiplier(0.5), stateZero: -50,
      result: FixedPointMultiplier(0.25), zeroPoint: -128)
    var y: [Int8] = []
    let state = filled(6, with: Int8(-50)) { state in
      y = filled(2, with: 0) { y in
        withBuffer([40, 0, 1000] as [Int32]) { features in
          withBuffer([1, 2, 3, 1, 1, 1] as [Int8]) { time in
            withBuffer([4, 0] as [Int32]) { bias in
              quantized.step(
                features: UnsafeMutableBufferPointer(rebasing: features[0..<3]), pitch: 3,
                time: time, bias: bias, state: state, into: y)
            }
          }
        }
      }
    }
    // 40 · 0.5 = 20 above the zero point, with weight 3: (60 + 4) / 4 above -128.
    #expect(state == [-50, -50, -30, -50, -50, -50])
    #expect(y == [-112, -128])
  }

  /// Each filter's sum over time is 2 · 32767², just below 2³¹; four of them are -8 · 65535.
  @Test func sumsOfFiltersWrapAround() {
    let quantized = QuantizedSVDF(
      layer: SVDF(batches: 1, inputs: 1, units: 1, rank: 4, memory: 2),
      feature: FixedPointMultiplier(1), stateZero: 0, result: FixedPointMultiplier(0x1p-14),
      zeroPoint: 0)
    let y = filled(1, with: Int8(0)) { y in
      withBuffer([Int32](repeating: 32767, count: 4)) { features in
        withBuffer([Int16](repeating: 32767, count: 8)) { time in
          withBuffer([Int16](repeating: 32767, count: 8)) { state in
            withBuffer([Int32]()) { bias in
              quantized.step(
                features: features, pitch: 4, time: time, bias: bias, state: state, into: y)
            }
          }
        }
      }
    }
    #expect(y == [-32])
  }
}
