import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct WinogradConvolutionTests {
  @Test(arguments: [
    WindowCase(height: 1, width: 1, outputs: 3),
    WindowCase(batches: 3, height: 6, width: 5, channels: 16, outputs: 20),
    WindowCase(batches: 2, height: 8, width: 31, isSame: false, channels: 24, outputs: 12),
    WindowCase(height: 2, width: 64, channels: 64, outputs: 8),
    WindowCase(height: 1, width: 1, stride: (2, 2), outputs: 3),
    WindowCase(batches: 3, height: 6, width: 5, stride: (2, 2), channels: 16, outputs: 20),
    WindowCase(
      batches: 2, height: 8, width: 31, stride: (2, 2), isSame: false, channels: 24, outputs: 12),
    WindowCase(height: 4, width: 128, stride: (2, 2), channels: 64, outputs: 8),
  ])
  func tilesEqualTheReference(_ c: WindowCase) throws {
    expectEqual(try QuantizedProblem(c))
  }

  @Test(arguments: 1...9, [1, 2])
  func incompleteTilesEqualTheReference(height: Int, stride: Int) throws {
    for width in 1...9 {
      expectEqual(
        try QuantizedProblem(
          WindowCase(height: height, width: width, stride: (stride, stride), outputs: 4)))
    }
  }

  @Test(arguments: [-128, 0, 127] as [Int32], [1, 2])
  func extremesEqualTheReference(zeroPoint: Int32, stride: Int) throws {
    let c = WindowCase(
      batches: 4, height: 6, width: 7, stride: (stride, stride), channels: 16, outputs: 8)
    var problem = try QuantizedProblem(c, zeroPoint: zeroPoint)
    var random = SplitMix64(seed: 3)
    // Each image and each output channel has its own pattern of extremes.
    let signs: [Int] = random.integers(64, in: 0...1)
    problem.filter = problem.filter.indices.map {
      signs[($0 / 16 + $0 / 144 * 7) % 64] == 0 ? .min : .max
    }
    let pixels = 42
    problem.input = problem.input.indices.map {
      signs[($0 / 16 + $0 / 16 / pixels * 5) % 64] == 0 ? .min : .max
    }
    problem.requantizer = scale(1.0 / Double(1 << 16), channels: 8)
    expectEqual(problem)
  }

  @Test(arguments: [1 << 25 - 1, 1 << 25])
  func largeOutputsEqualTheReference(largest: Int) throws {
    var problem = try QuantizedProblem(WindowCase(height: 6, width: 6), zeroPoint: -128)
    problem.input = problem.input.map { _ in .max }
    problem.filter = problem.filter.map { _ in .max }
    problem.bias = problem.bias.map { _ in Int32(largest - 72 * 127 * 255) }
    problem.requantizer = scale(64.0 / Double(1 << 25), channels: 8)
    expectEqual(problem)
    #expect((problem.packed() == nil) == (largest == 1 << 25))
  }

  private func expectEqual(_ problem: QuantizedProblem<Int8>) {
    let expected = problem.reference()
    let zero = ByteZeroPoint(isSigned: true, zeroPoint: problem.zeroPoint)
    for run in Run.all { #expect(problem.fast(zero, run) == expected) }
  }

  private func scale(_ factor: Double, channels: Int) -> Requantizer {
    Requantizer(
      multipliers: Array(repeating: FixedPointMultiplier(factor), count: channels), zeroPoint: 0,
      range: -128...127)
  }
}

extension QuantizedProblem<Int8> {
  /// A problem with one scale per channel.
  fileprivate init(_ c: WindowCase, zeroPoint: Int32 = 11) throws {
    try self.init(
      c, zeroPoint: zeroPoint, filterZeroPoint: 0, perChannel: true, range: -128...127)
  }

  /// The convolution with transformed weights, if they are accepted.
  fileprivate func packed() -> WinogradConvolution<AdjacentWindows>? {
    bias.withUnsafeBufferPointer { bias in
      filter.withUnsafeBufferPointer { filter in
        WinogradConvolution(
          convolution, zero: ByteZeroPoint(isSigned: true, zeroPoint: zeroPoint),
          filter: ByteWeights(filter, offset: 0), bias: bias, requantizer: .fixed(requantizer),
          workers: 1, kernels: .current)
      }
    }
  }
}
