import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct QuantizedConvolutionTests {
  @Test(arguments: Float32ConvolutionTests.table, [false, true])
  func signedBytesEqualTheReference(_ c: WindowCase, perChannel: Bool) throws {
    let problem = try QuantizedProblem<Int8>(
      c, zeroPoint: -37, filterZeroPoint: 0, perChannel: perChannel, range: -128...127)
    let expected = problem.reference()
    for run in Run.all {
      #expect(problem.fast(ByteZeroPoint(isSigned: true, zeroPoint: -37), run) == expected)
    }
  }

  @Test(arguments: Float32ConvolutionTests.table)
  func unsignedBytesEqualTheReference(_ c: WindowCase) throws {
    let problem = try QuantizedProblem<UInt8>(
      c, zeroPoint: 201, filterZeroPoint: 77, perChannel: false, range: 3...250)
    let expected = problem.reference()
    for run in Run.all {
      #expect(problem.fast(ByteZeroPoint(isSigned: false, zeroPoint: 201), run) == expected)
    }
  }

  @Test(arguments: [
    WindowCase(height: 40, width: 41, channels: 16, outputs: 33),
    WindowCase(height: 3, width: 1, filter: (1, 1), channels: 641, outputs: 2000),
  ])
  func largeOnesEqualTheReferenceAtAnyNumberOfWorkers(_ c: WindowCase) throws {
    let problem = try QuantizedProblem<Int8>(
      c, zeroPoint: 127, filterZeroPoint: 0, perChannel: true, range: -128...127)
    let expected = problem.reference()
    for run in Run.all {
      #expect(problem.fast(ByteZeroPoint(isSigned: true, zeroPoint: 127), run) == expected)
    }
  }
}

/// Random numbers for a convolution of bytes, and the two ways to compute it.
struct QuantizedProblem<Scalar: FixedWidthInteger & BitwiseCopyable> {
  let convolution: Convolution
  let zeroPoint: Int32
  let filterZeroPoint: Int32
  var input: [Scalar]
  var filter: [Scalar]
  var bias: [Int32]
  var requantizer: Requantizer

  init(
    _ c: WindowCase, zeroPoint: Int32, filterZeroPoint: Int32, perChannel: Bool,
    range: ClosedRange<Int32>
  ) throws {
    let window = try #require(c.window)
    convolution = Convolution(
      window: window, inputDepth: c.channels, filterDepth: c.channels, outputDepth: c.outputs)
    var random = SplitMix64(seed: 5)
    self.zeroPoint = zeroPoint
    self.filterZeroPoint = filterZeroPoint
    input = random.integers(c.batches * c.height * c.width * c.channels)
    filter = random.integers(c.outputs * c.filter.0 * c.filter.1 * c.channels)
    bias = random.integers(c.outputs, in: -20_000...20_000)
    requantizer = random.requantizer(
      channels: c.outputs, perChannel: perChannel, zeroPoint: range.lowerBound + 90,
      range: range)
  }

  var garbage: [Scalar] {
    [Scalar](repeating: 99, count: convolution.window.outputCount * convolution.outputDepth)
  }

  func reference() -> [Scalar] {
    var (input, filter, bias, output) = (input, filter, bias, garbage)
    buffer(&input) { x in
      buffer(&filter) { w in
        buffer(&bias) { b in
          buffer(&output) { y in
            Reference.convolve(
              x, offset: -zeroPoint, filter: w, offset: -filterZeroPoint, bias: b, convolution,
              requantizer: requantizer, into: y)
          }
        }
      }
    }
    return output
  }

  func fast(_ zero: ByteZeroPoint, _ run: Run) -> [Scalar] {
    let kernel = bias.withUnsafeBufferPointer { bias in
      filter.withUnsafeBufferPointer { filter in
        QuantizedConvolution(
          convolution, zero: zero, filter: ByteWeights(filter, offset: -filterZeroPoint),
          bias: bias, requantizer: .fixed(requantizer), workers: run.workers.count,
          kernels: run.kernels)
      }
    }
    var input = input
    return buffer(&input) { x in
      output(over: garbage, scratch: Int32(-1), count: kernel.scratchCount) {
        kernel(UnsafeMutableRawBufferPointer(x), scratch: $0, into: $1, workers: run.workers)
      }
    }
  }
}
