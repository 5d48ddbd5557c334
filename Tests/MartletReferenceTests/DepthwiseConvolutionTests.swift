import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct DepthwiseConvolutionTests {
  @Test func keepsChannelsApart() throws {
    // Two channels, two outputs each: channel 0 is 1 2, channel 1 is 10 20.
    let convolution = DepthwiseConvolution(
      window: try plainWindow(rows: 1, columns: 2, height: 1, width: 2), inputDepth: 2,
      multiplier: 2)
    let y = filled(4, with: Float.nan) { y in
      withBuffer([1, 10, 2, 20]) { x in
        withBuffer([1, 2, 3, 4, 5, 6, 7, 8]) { w in
          withBuffer([0, 0, 0, 1000]) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, convolution, clampedTo: 0...1150, into: y)
          }
        }
      }
    }
    #expect(y == [11, 14, 170, 1150])
  }

  @Test func unsignedBytesHaveTwoZeroPoints() throws {
    let convolution = DepthwiseConvolution(
      window: try plainWindow(rows: 1, columns: 1, height: 1, width: 1), inputDepth: 1,
      multiplier: 1)
    let requantizer = Requantizer(
      multipliers: [FixedPointMultiplier(0.25)], zeroPoint: 128, range: 0...255)
    // (200 - 100) · (90 - 100) / 4 + 128 = -122, clamped.
    let y = filled(1, with: UInt8.max) { y in
      withBuffer([UInt8(200)]) { x in
        withBuffer([UInt8(90)]) { w in
          withBuffer([Int32]()) { bias in
            Reference.convolve(
              x, offset: -100, filter: w, offset: -100, bias: bias, convolution,
              requantizer: requantizer, into: y)
          }
        }
      }
    }
    #expect(y == [0])
  }
}
