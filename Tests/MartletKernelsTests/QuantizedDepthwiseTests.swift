import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct QuantizedDepthwiseTests {
  @Test(arguments: WindowCase.table(outputs: [1]) + WindowCase.table(outputs: [2, 5]))
  func signedBytesEqualTheReference(_ c: WindowCase) throws {
    try expectEqual(
      c, as: Int8.self, zeroPoint: 11, filterZeroPoint: 0, perChannel: true, range: -128...127)
  }

  @Test(arguments: WindowCase.table(outputs: [1, 3]))
  func unsignedBytesEqualTheReference(_ c: WindowCase) throws {
    try expectEqual(
      c, as: UInt8.self, zeroPoint: 0, filterZeroPoint: 255, perChannel: false, range: 0...200)
  }

  @Test(arguments: [
    WindowCase(height: 70, width: 60, channels: 64, outputs: 1),
    WindowCase(batches: 3, height: 41, width: 200, stride: (2, 2), channels: 40, outputs: 1),
  ])
  func bandsEqualTheReference(_ c: WindowCase) throws {
    try expectEqual(
      c, as: Int8.self, zeroPoint: -128, filterZeroPoint: 0, perChannel: true, range: -128...127)
  }

  @Test func pairsRefuseTooLargeWindows() throws {
    let axis = try #require(
      WindowAxis(input: 3, filter: 3, stride: 1, dilation: 1 << 30, isSame: true))
    let convolution = DepthwiseConvolution(
      window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputDepth: 1, multiplier: 1)
    var random = SplitMix64(seed: 1)
    let requantizer = random.requantizer(
      channels: 1, perChannel: false, zeroPoint: 0, range: 0...255)
    var filter = [UInt8](repeating: 1, count: 9)
    let kernel = buffer(&filter) {
      Int16DepthwiseConvolution(
        convolution, zero: ByteZeroPoint(isSigned: false, zeroPoint: 0),
        filter: ByteWeights(UnsafeBufferPointer($0), offset: 0),
        bias: UnsafeBufferPointer(start: nil, count: 0), requantizer: requantizer, workers: 1)
    }
    #expect(kernel == nil)
  }

  @Test(arguments: [0.5, 0.75, 1, 3.7, 127])
  func bytesAcceptFactorsOfAHalfOrMore(_ factor: Double) throws {
    let convolution = DepthwiseConvolution(
      window: try #require(WindowCase().window), inputDepth: 8, multiplier: 1)
    let requantizer = Requantizer(
      multipliers: [FixedPointMultiplier](repeating: FixedPointMultiplier(factor), count: 8),
      zeroPoint: 0, range: -128...127)
    var filter = [Int8](repeating: 1, count: 9 * 8)
    buffer(&filter) { filter in
      for kernels in Microkernels.available where kernels.bytes != nil {
        let kernel = Int8DepthwiseConvolution(
          convolution, zero: ByteZeroPoint(isSigned: true, zeroPoint: 0),
          filter: ByteWeights(UnsafeBufferPointer(filter), offset: 0),
          bias: UnsafeBufferPointer(start: nil, count: 0), requantizer: requantizer, workers: 1,
          kernels: kernels)
        #expect(kernel != nil)
      }
    }
  }

  private func expectEqual<Scalar: FixedWidthInteger & BitwiseCopyable>(
    _ c: WindowCase, as: Scalar.Type, zeroPoint: Int32, filterZeroPoint: Int32, perChannel: Bool,
    range: ClosedRange<Int32>
  ) throws {
    let convolution = DepthwiseConvolution(
      window: try #require(c.window), inputDepth: c.channels, multiplier: c.outputs)
    let depth = convolution.outputDepth
    var random = SplitMix64(seed: 7)
    var input: [Scalar] = random.integers(c.batches * c.height * c.width * c.channels)
    var filter: [Scalar] = random.integers(c.filter.0 * c.filter.1 * depth)
    var bias: [Int32] = random.integers(depth, in: -5000...5000)
    let requantizer = random.requantizer(
      channels: depth, perChannel: perChannel, zeroPoint: range.lowerBound + 100, range: range)
    let garbage = [Scalar](repeating: 99, count: convolution.window.outputCount * depth)
    try buffer(&input) { x in
      try buffer(&filter) { w in
        try buffer(&bias) { b in
          var expected = garbage
          buffer(&expected) { y in
            Reference.convolve(
              x, offset: -zeroPoint, filter: w, offset: -filterZeroPoint, bias: b, convolution,
              requantizer: requantizer, into: y)
          }
          for run in Run.all {
            let kernel = try #require(
              QuantizedConvolution(
                convolution, zero: ByteZeroPoint(isSigned: Scalar.isSigned, zeroPoint: zeroPoint),
                filter: ByteWeights(UnsafeBufferPointer(w), offset: -filterZeroPoint),
                bias: UnsafeBufferPointer(b), requantizer: requantizer,
                workers: run.workers.count,
                kernels: run.kernels))
            let result = output(over: garbage, scratch: Int32(-77), count: kernel.scratchCount) {
              kernel(UnsafeMutableRawBufferPointer(x), scratch: $0, into: $1, workers: run.workers)
            }
            #expect(result == expected)
          }
        }
      }
    }
  }
}
