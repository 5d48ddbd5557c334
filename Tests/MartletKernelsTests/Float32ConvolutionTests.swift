import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32ConvolutionTests {
  static let table = WindowCase.table(outputs: [8, 1, 13, 24, 40])

  @Test(arguments: table)
  func sumsInTheDocumentedOrder(_ c: WindowCase) throws {
    let problem = try Float32Problem(c, seed: 1)
    let expected = OrderedResults(
      of: problem.convolution, problem.input, problem.filter, problem.bias, problem.range)
    for run in Run.all { expectSame(problem.fast(run), expected[run]) }
  }

  @Test(arguments: [
    WindowCase(height: 40, width: 41, channels: 16, outputs: 33),
    WindowCase(height: 3, width: 1, filter: (1, 1), channels: 640, outputs: 2000),
  ])
  func bitsDoNotDependOnTheNumberOfWorkers(_ c: WindowCase) throws {
    let problem = try Float32Problem(c, seed: 2)
    for run in Run.all {
      let alone = problem.fast(Run(workers: .serial, kernels: run.kernels)).map(\.bitPattern)
      #expect(problem.fast(run).map(\.bitPattern) == alone)
    }
  }

  @Test func emptyBiasIsZero() throws {
    var problem = try Float32Problem(WindowCase(channels: 3, outputs: 5), seed: 3)
    problem.bias = []
    let absent = problem.fast(.plain)
    problem.bias = [Float](repeating: 0, count: 5)
    #expect(absent == problem.fast(.plain))
  }

  @Test func clampsToTheRange() throws {
    var problem = try Float32Problem(WindowCase(channels: 9, outputs: 9), seed: 4)
    problem.range = -0.5...0.75
    let result = problem.fast(.plain)
    #expect(result.min() == -0.5)
    #expect(result.max() == 0.75)
  }
}

/// Random numbers for a convolution, and the ways to compute it.
struct Float32Problem {
  let convolution: Convolution
  var input: [Float]
  var filter: [Float]
  var bias: [Float]
  var range: ClosedRange<Float> = -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude

  init(_ c: WindowCase, seed: UInt64) throws {
    let window = try #require(c.window)
    convolution = Convolution(
      window: window, inputDepth: c.channels, filterDepth: c.channels, outputDepth: c.outputs)
    var random = SplitMix64(seed: seed)
    input = random.floats(c.batches * c.height * c.width * c.channels)
    filter = random.floats(c.outputs * c.filter.0 * c.filter.1 * c.channels)
    bias = random.floats(c.outputs)
  }

  var garbage: [Float] {
    [Float](repeating: .nan, count: convolution.window.outputCount * convolution.outputDepth)
  }

  func fast(_ run: Run) -> [Float] {
    let kernel = filter.withUnsafeBufferPointer { filter in
      bias.withUnsafeBufferPointer { bias in
        Float32Convolution(
          convolution, filter: filter, bias: bias, clampedTo: range, workers: run.workers.count,
          kernels: run.kernels)
      }
    }
    var (input, output) = (input, garbage)
    var scratch = [Float](repeating: .nan, count: kernel.scratchCount)
    buffer(&input) { x in
      buffer(&scratch) { s in
        buffer(&output) { y in kernel(x, scratch: s, into: y, workers: run.workers) }
      }
    }
    return output
  }
}
