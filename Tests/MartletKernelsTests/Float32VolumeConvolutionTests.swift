import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32VolumeConvolutionTests {
  struct Case: Sendable {
    let input: [Int]
    let filter: [Int]
    let channels: (Int, Int)
    var stride = 1
    var dilation = 1
    var isSame = true
    var hasBias = true
  }

  static let cases = [
    Case(input: [1, 1, 1], filter: [1, 1, 1], channels: (1, 1)),
    Case(input: [4, 9, 7], filter: [3, 2, 3], channels: (3, 20)),
    Case(input: [6, 5, 8], filter: [2, 3, 1], channels: (2, 5), stride: 2, hasBias: false),
    Case(input: [7, 9, 8], filter: [2, 2, 3], channels: (4, 33), dilation: 2, isSame: false),
  ]

  @Test(arguments: cases)
  func sumsInTheDocumentedOrder(_ test: Case) throws {
    var axes: [WindowAxis] = []
    for axis in 0..<3 {
      axes.append(
        try #require(
          WindowAxis(
            input: test.input[axis], filter: test.filter[axis], stride: test.stride,
            dilation: test.dilation, isSame: test.isSame)))
    }
    let window = VolumeWindow(batches: 2, planes: axes[0], rows: axes[1], columns: axes[2])
    let convolution = VolumeConvolution(
      window: window, inputDepth: test.channels.0, outputDepth: test.channels.1)
    var random = SplitMix64(seed: 41)
    var input = random.floats(2 * test.input.reduce(1, *) * test.channels.0)
    var filter = random.floats(window.tapCount * test.channels.0 * test.channels.1)
    var bias = test.hasBias ? random.floats(test.channels.1) : []
    let garbage = [Float](repeating: .nan, count: window.outputCount * test.channels.1)
    let expected = OrderedResults(of: convolution, input, filter, bias, -2...2)
    buffer(&input) { x in
      buffer(&filter) { w in
        buffer(&bias) { b in
          for run in Run.all {
            let kernel = Float32VolumeConvolution(
              convolution, clampedTo: -2...2, workers: run.workers.count, kernels: run.kernels)
            var scratch = [Float](repeating: .nan, count: kernel.scratchCount)
            var result = garbage
            buffer(&scratch) { scratch in
              buffer(&result) { y in
                kernel(x, filter: w, bias: b, scratch: scratch, into: y, workers: run.workers)
              }
            }
            expectSame(result, expected[run])
          }
        }
      }
    }
  }
}
