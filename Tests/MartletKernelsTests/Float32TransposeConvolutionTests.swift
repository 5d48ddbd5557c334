import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32TransposeConvolutionTests {
  /// Windows map the output, with the given extents, to the input.
  static let table: [WindowCase] = WindowCase.table(outputs: [8, 1, 2, 13]).filter {
    $0.dilation == (1, 1)
  }

  @Test(arguments: table)
  func sumsInTheDocumentedOrder(_ c: WindowCase) throws {
    let problem = try TransposeProblem(c, seed: 31)
    let expected = problem.expected
    for run in Run.all { expectSame(try problem.fast(run), expected[run]) }
  }

  @Test func inputsMayHaveFewerOrMorePixels() throws {
    for extra in [-1, 1, 3] {
      let problem = try TransposeProblem(
        WindowCase(batches: 2, filter: (3, 2), stride: (2, 2), channels: 3, outputs: 5), seed: 32,
        extra: extra)
      expectSame(try problem.fast(.plain), problem.expected[.plain])
    }
  }

  @Test func bitsDoNotDependOnTheNumberOfWorkers() throws {
    let problem = try TransposeProblem(
      WindowCase(height: 130, width: 140, filter: (4, 4), stride: (2, 2), channels: 16, outputs: 9),
      seed: 33)
    for run in Run.all {
      let alone = try problem.fast(Run(workers: .serial, kernels: run.kernels)).map(\.bitPattern)
      #expect(try problem.fast(run).map(\.bitPattern) == alone)
    }
  }

  @Test func clampsToTheRangeAndEmptyBiasIsZero() throws {
    var problem = try TransposeProblem(
      WindowCase(filter: (2, 2), stride: (2, 2), channels: 9, outputs: 9), seed: 34)
    problem.bias = []
    problem.range = -0.5...0.75
    let result = try problem.fast(.plain)
    #expect(result.min() == -0.5)
    #expect(result.max() == 0.75)
    expectSame(result, problem.expected[.plain])
  }

  @Test func refusesHugeProducts() throws {
    let axis = try #require(WindowAxis(input: 1 << 14, filter: 2, stride: 2, isSame: true))
    let convolution = TransposeConvolution(
      window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputRows: 1 << 13,
      inputColumns: 1 << 13, inputDepth: 1, outputDepth: 1)
    let none = UnsafeBufferPointer<Float>(start: nil, count: 0)
    #expect(
      Float32TransposeConvolution(
        convolution, filter: none, bias: none, clampedTo: 0...1, workers: 1) == nil)
  }
}

/// Random numbers for a transposed convolution, and the ways to compute it.
struct TransposeProblem {
  let convolution: TransposeConvolution
  var input: [Float]
  var filter: [Float]
  var bias: [Float]
  var range: ClosedRange<Float> = -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude

  /// - Parameter extra: Rows and columns of the input in addition to those of the window.
  init(_ c: WindowCase, seed: UInt64, extra: Int = 0) throws {
    let window = try #require(c.window)
    convolution = TransposeConvolution(
      window: window, inputRows: window.rows.output + extra,
      inputColumns: window.columns.output + extra, inputDepth: c.channels, outputDepth: c.outputs)
    var random = SplitMix64(seed: seed)
    input = random.floats(
      c.batches * convolution.inputRows * convolution.inputColumns * c.channels)
    filter = random.floats(c.outputs * c.filter.0 * c.filter.1 * c.channels)
    bias = random.floats(c.outputs)
  }

  var garbage: [Float] {
    let window = convolution.window
    return [Float](
      repeating: .nan,
      count: window.batches * window.rows.input * window.columns.input * convolution.outputDepth)
  }

  var expected: OrderedResults { OrderedResults(of: convolution, input, filter, bias, range) }

  func fast(_ run: Run) throws -> [Float] {
    let kernel = try #require(
      filter.withUnsafeBufferPointer { filter in
        bias.withUnsafeBufferPointer { bias in
          Float32TransposeConvolution(
            convolution, filter: filter, bias: bias, clampedTo: range, workers: run.workers.count,
            kernels: run.kernels)
        }
      })
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
