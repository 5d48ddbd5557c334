import MartletBase
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct FullyConnectedTests {
  static let layer = FullyConnected(rows: 2, depth: 3, units: 2)

  @Test func multipliesRows() {
    let y = filled(4, with: Float.nan) { y in
      withBuffer([1, 2, 3, -1, 0, 1]) { x in
        withBuffer([1, 1, 1, 0, 1, 10]) { w in
          withBuffer([100, 0]) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, Self.layer, clampedTo: -1000...1000, into: y)
          }
        }
      }
    }
    #expect(y == [106, 32, 100, 10])
  }

  /// Two blocks of two weights for each of two units; the activation is a clamp at 100.
  @Test func scalesEachBlock() {
    let layer = FullyConnected(rows: 2, depth: 4, units: 2)
    let y = filled(4, with: Float.nan) { y in
      withBuffer([Int16(1), 2, 3, 4, -1, 0, 1, 127]) { values in
        withBuffer([Float(0.5), 2]) { scales in
          withBuffer([Int8(1), -1, 2, 0, 7, 7, -8, 1]) { w in
            withBuffer([Float(0), 3]) { bias in
              Reference.convolve(
                values: values, scales: scales, filter: w, blockScales: [1, 10, 0.5, 1], bias: bias,
                layer, clampedTo: -1000...100, into: y)
            }
          }
        }
      }
    }
    // (-1 + 60) / 2; (10.5 - 20) / 2 + 3; (-1 + 20) · 2; (-3.5 + 119) · 2 + 3.
    #expect(y == [29.5, -1.75, 38, 100])
  }

  /// Sums are rounded once: 3 · 0.5 is 2, and -3 · 0.5 is -2, ties away from zero.
  @Test(arguments: [(Int8(3), Int8(2)), (-3, -2), (5, 3), (-5, -3), (127, 64), (4, 2)])
  func roundsTiesAwayFromZero(_ x: Int8, _ expected: Int8) {
    let requantizer = RealRequantizer(factors: [0.5], zeroPoint: 0, range: -128...127)
    let layer = FullyConnected(rows: 1, depth: 1, units: 1)
    let y = filled(1, with: Int8.min) { y in
      withBuffer([x]) { x in
        withBuffer([Int8(1)]) { w in
          withBuffer([Int32]()) { bias in
            Reference.convolve(
              x, offset: 0, filter: w, offset: 0, bias: bias, layer, requantizer: requantizer,
              into: y)
          }
        }
      }
    }
    #expect(y == [expected])
  }
}
