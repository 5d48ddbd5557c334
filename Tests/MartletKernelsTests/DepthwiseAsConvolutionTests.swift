import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct DepthwiseAsConvolutionTests {
  @Test(arguments: [1, 2, 3, 4], [2, 5, 16])
  func sumsEqualTheDepthwiseConvolution(_ channels: Int, _ multiplier: Int) throws {
    let c = WindowCase(batches: 2, filter: (3, 2), stride: (2, 1), channels: channels)
    let depthwise = DepthwiseConvolution(
      window: try #require(c.window), inputDepth: channels, multiplier: multiplier)
    let plain = try #require(Convolution(depthwise))
    var random = SplitMix64(seed: 51)
    var input: [UInt8] = random.integers(c.batches * c.height * c.width * channels)
    var weights: [UInt8] = random.integers(6 * depthwise.outputDepth)
    var filters = weights.withUnsafeBufferPointer { plain.filters(ofDepthwise: $0, zero: 0) }
    let requantizer = random.requantizer(
      channels: depthwise.outputDepth, perChannel: true, zeroPoint: 90, range: 0...255)
    var none: [Int32] = []
    let count = plain.window.outputCount * depthwise.outputDepth
    var (expected, result) = (
      [UInt8](repeating: 1, count: count), [UInt8](repeating: 2, count: count)
    )
    buffer(&input) { x in
      buffer(&none) { bias in
        buffer(&weights) { w in
          buffer(&expected) {
            Reference.convolve(
              x, offset: -3, filter: w, offset: 0, bias: bias, depthwise,
              requantizer: requantizer, into: $0)
          }
        }
        buffer(&filters) { w in
          buffer(&result) {
            Reference.convolve(
              x, offset: -3, filter: w, offset: 0, bias: bias, plain, requantizer: requantizer,
              into: $0)
          }
        }
      }
    }
    #expect(result == expected)
  }

  @Test(arguments: [(5, 8), (3, 1), (0, 4)])
  func convertsOnlyFewChannels(_ channels: Int, _ multiplier: Int) throws {
    let window = try #require(WindowCase().window)
    let depthwise = DepthwiseConvolution(
      window: window, inputDepth: channels, multiplier: multiplier)
    #expect(Convolution(depthwise) == nil)
  }
}
