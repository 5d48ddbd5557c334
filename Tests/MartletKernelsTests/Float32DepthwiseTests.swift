import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32DepthwiseTests {
  /// Enough channels that they are computed in parts, or all numbers of vectors of channels and of
  /// outputs in a row.
  static let deep =
    [
      WindowCase(height: 5, width: 60, channels: 150),
      WindowCase(height: 9, width: 50, dilation: (2, 2), channels: 130),
    ]
    + zip(4...19, [8, 12, 16, 24, 31, 32, 33, 48, 50, 64, 70, 80, 96, 97, 112, 120]).flatMap {
      [
        WindowCase(height: 4, width: $0, channels: $1),
        WindowCase(height: 5, width: $0, filter: (5, 5), channels: $1),
        WindowCase(height: 6, width: 2 * $0, stride: (2, 2), channels: $1),
      ]
    }

  @Test(arguments: WindowCase.table(outputs: [1]) + deep, [false, true])
  func sumsInTheDocumentedOrder(_ c: WindowCase, hasBias: Bool) throws {
    let convolution = DepthwiseConvolution(
      window: try #require(c.window), inputDepth: c.channels, multiplier: 1)
    var random = SplitMix64(seed: 6)
    var input = random.floats(c.batches * c.height * c.width * c.channels)
    var filter = random.floats(c.filter.0 * c.filter.1 * c.channels)
    var bias = hasBias ? random.floats(c.channels) : []
    let garbage = [Float](
      repeating: .nan, count: convolution.window.outputCount * c.channels)
    let range: ClosedRange<Float> = -1.5...1.25
    let expected = OrderedResults(of: convolution, input, filter, bias, range)
    buffer(&input) { x in
      buffer(&filter) { w in
        buffer(&bias) { b in
          for run in Run.all {
            let kernel = Float32DepthwiseConvolution(
              convolution, constantFilter: run.workers.count > 1 ? UnsafeBufferPointer(w) : nil,
              clampedTo: range, workers: run.workers.count, kernels: run.kernels)
            var result = garbage
            buffer(&result) { y in kernel(x, filter: w, bias: b, into: y, workers: run.workers) }
            expectSame(result, expected[run])
          }
        }
      }
    }
  }
}
