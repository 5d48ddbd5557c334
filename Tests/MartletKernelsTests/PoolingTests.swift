import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct PoolingTests {
  /// Windows without dilation, as in pools.
  static let table =
    WindowCase.table(outputs: [1]).filter { $0.dilation == (1, 1) } + [
      WindowCase(height: 7, width: 7, filter: (7, 7), isSame: false, channels: 1001),
      WindowCase(height: 40, width: 40, filter: (2, 2), stride: (2, 2), channels: 160),
    ]

  @Test(arguments: table)
  func floatsHaveTheBitsOfTheReference(_ c: WindowCase) throws {
    let window = try #require(c.window)
    var random = SplitMix64(seed: 10)
    var input = random.floats(c.batches * c.height * c.width * c.channels)
    let garbage = [Float](repeating: .nan, count: window.outputCount * c.channels)
    let range: ClosedRange<Float> = -0.75...0.5
    try buffer(&input) { x in
      var mean = garbage
      buffer(&mean) {
        Reference.averagePool(x, window, depth: c.channels, clampedTo: range, into: $0)
      }
      var largest = garbage
      buffer(&largest) {
        Reference.maxPool(x, window, depth: c.channels, clampedTo: range, into: $0)
      }
      for run in Run.all {
        let pool = try #require(
          Pooling(
            window, depth: c.channels, workers: run.workers.count,
            kernels: run.kernels))
        var result = garbage
        buffer(&result) { pool.average(x, clampedTo: range, into: $0, workers: run.workers) }
        #expect(result.map(\.bitPattern) == mean.map(\.bitPattern))
        result = garbage
        buffer(&result) { pool.maximum(x, clampedTo: range, into: $0, workers: run.workers) }
        #expect(result.map(\.bitPattern) == largest.map(\.bitPattern))
      }
    }
  }

  @Test(arguments: table)
  func signedBytesEqualTheReference(_ c: WindowCase) throws {
    try expectEqual(c, as: Int8.self, range: -100...90)
    try expectEqual(c, as: Int8.self, range: -128...127)
  }

  @Test(arguments: table)
  func unsignedBytesEqualTheReference(_ c: WindowCase) throws {
    try expectEqual(c, as: UInt8.self, range: 10...240)
  }

  @Test func refusesWindowsThatOverflowASum() throws {
    let axis = try #require(WindowAxis(input: 3, filter: 1 << 20, stride: 1, isSame: true))
    #expect(
      Pooling(SlidingWindow(batches: 1, rows: axis, columns: axis), depth: 1, workers: 1) == nil)
  }

  private func expectEqual<Scalar: FixedWidthInteger & BitwiseCopyable>(
    _ c: WindowCase, as: Scalar.Type, range: ClosedRange<Int32>
  ) throws {
    let window = try #require(c.window)
    var random = SplitMix64(seed: 11)
    var input: [Scalar] = random.integers(c.batches * c.height * c.width * c.channels)
    let garbage = [Scalar](repeating: 99, count: window.outputCount * c.channels)
    let narrow = Scalar(range.lowerBound)...Scalar(range.upperBound)
    try buffer(&input) { x in
      var mean = garbage
      buffer(&mean) {
        Reference.averagePool(x, window, depth: c.channels, clampedTo: range, into: $0)
      }
      var largest = garbage
      buffer(&largest) {
        Reference.maxPool(x, window, depth: c.channels, clampedTo: narrow, into: $0)
      }
      let bytes = UnsafeMutableRawBufferPointer(x)
      for run in Run.all {
        let pool = try #require(
          Pooling(
            window, depth: c.channels, workers: run.workers.count,
            kernels: run.kernels))
        var scratch = [Int32](repeating: -1, count: pool.scratchCount)
        var result = garbage
        buffer(&result) { y in
          buffer(&scratch) { s in
            pool.average(
              bytes, isSigned: Scalar.isSigned, clampedTo: range, scratch: s,
              into: UnsafeMutableRawBufferPointer(y), workers: run.workers)
          }
        }
        #expect(result == mean)
        result = garbage
        buffer(&result) { y in
          pool.maximum(
            bytes, isSigned: Scalar.isSigned, clampedTo: range,
            into: UnsafeMutableRawBufferPointer(y), workers: run.workers)
        }
        #expect(result == largest)
      }
    }
  }
}
