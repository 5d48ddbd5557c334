import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

/// A window of `height` by `width` taps with stride 1 and, by default, without padding.
func plainWindow(
  rows: Int, columns: Int, height: Int, width: Int, same: Bool = false
) throws -> SlidingWindow {
  SlidingWindow(
    batches: 1,
    rows: try #require(WindowAxis(input: rows, filter: height, stride: 1, isSame: same)),
    columns: try #require(WindowAxis(input: columns, filter: width, stride: 1, isSame: same)))
}

/// A requantizer that divides by a power of two.
func halving(_ exponent: Int, channels: Int, zeroPoint: Int32 = 0) -> Requantizer {
  Requantizer(
    multipliers: [FixedPointMultiplier](
      repeating: FixedPointMultiplier(1 / Double(1 << exponent)), count: channels),
    zeroPoint: zeroPoint, range: -128...127)
}

@Suite struct ConvolutionTests {
  @Test func addsUpProductsAndBias() throws {
    // 1 2 3      1 10
    // 4 5 6  *           by hand
    // 7 8 9      100 1000
    let convolution = Convolution(
      window: try plainWindow(rows: 3, columns: 3, height: 2, width: 2), inputDepth: 1,
      filterDepth: 1, outputDepth: 1)
    let y = filled(4, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4, 5, 6, 7, 8, 9]) { x in
        withBuffer([1, 10, 100, 1000]) { w in
          withBuffer([0.5]) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, convolution, clampedTo: 0...8000, into: y)
          }
        }
      }
    }
    #expect(y == [5421.5, 6532.5, 8000, 8000])
  }

  @Test func groupsReadTheirOwnChannels() throws {
    let convolution = Convolution(
      window: try plainWindow(rows: 1, columns: 1, height: 1, width: 1), inputDepth: 4,
      filterDepth: 2, outputDepth: 4)
    let y = filled(4, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4]) { x in
        withBuffer([1, 0, 0, 1, 1, 0, 1, 1]) { w in
          withBuffer([Float]()) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, convolution, clampedTo: -100...100, into: y)
          }
        }
      }
    }
    #expect(y == [1, 2, 3, 7])
  }

  @Test func paddingCountsAsZeroPoint() throws {
    let convolution = Convolution(
      window: try plainWindow(rows: 1, columns: 2, height: 1, width: 3, same: true),
      inputDepth: 1, filterDepth: 1, outputDepth: 1)
    // Values 6 and 8 after subtracting the zero point: (6 + 8) / 2 + 3 at both positions, with
    // weights of 1.
    let y = filled(2, with: Int8.min) { y in
      withBuffer([Int8(10), 12]) { x in
        withBuffer([Int8(1), 1, 1]) { w in
          withBuffer([Int32(0)]) { bias in
            Reference.convolve(
              x, offset: -4, filter: w, offset: 0, bias: bias, convolution,
              requantizer: halving(1, channels: 1, zeroPoint: 3), into: y)
          }
        }
      }
    }
    #expect(y == [10, 10])
  }

  @Test func sixteenBitSumsAreWide() throws {
    let depth = 600
    let convolution = Convolution(
      window: try plainWindow(rows: 1, columns: 1, height: 1, width: 1), inputDepth: depth,
      filterDepth: depth, outputDepth: 1)
    // 600 · 32767 · 127 exceeds 32 bits; a factor of 2⁻¹⁸ scales it to 9524.66.
    let requantizer = Requantizer(
      multipliers: [FixedPointMultiplier(0x1p-18)], zeroPoint: 0, range: -32768...32767)
    let y = filled(1, with: Int16.min) { y in
      withBuffer([Int16](repeating: 32767, count: depth)) { x in
        withBuffer([Int8](repeating: 127, count: depth)) { w in
          withBuffer([Int64]()) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, convolution, requantizer: requantizer, into: y)
          }
        }
      }
    }
    #expect(y == [9525])
  }
}
