import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct QuantizingTests {
  static let counts = [0, 1, 15, 16, 100, 50_001]

  @Test(arguments: counts, [(0.1, 3), (0.5, -128), (1e-30, 127), (3e30, 0)] as [(Float, Int)])
  func equalsTheReference(_ count: Int, _ map: (scale: Float, zeroPoint: Int)) throws {
    try expectEqual(count, map.scale, map.zeroPoint, Int8.self)
    try expectEqual(count, map.scale, map.zeroPoint + 128, UInt8.self)
    try expectEqual(count, map.scale, map.zeroPoint * 256, Int16.self)
  }

  @Test func refusesScalesForSlices() {
    let map = Quantization(scales: [1, 2], zeroPoints: [0, 0], axis: 0)
    #expect(Quantizing(ScaleLayout(map, of: Shape(2, 3)), of: .int8) == nil)
  }

  private func expectEqual<Scalar: Element & FixedWidthInteger>(
    _ count: Int, _ scale: Float, _ zeroPoint: Int, _: Scalar.Type
  ) throws {
    let layout = ScaleLayout(
      Quantization(scale: scale, zeroPoint: zeroPoint), of: Shape(count))
    var random = SplitMix64(seed: 8)
    // Many ties, and values beyond every integer.
    var reals = random.floats(count).map { ($0 * 512).rounded() * 0.5 * min(scale, 1) }
    for (place, value) in [Float.nan, .infinity, -.infinity, 1e20, -1e20, -0.0].enumerated()
    where place < count {
      reals[place] = value
    }
    var integers: [Scalar] = random.integers(count)
    let limits = Scalar.min + 5...Scalar.max - 7
    var expected = [Scalar](repeating: 99, count: count)
    var expectedReals = [Float](repeating: 99, count: count)
    buffer(&reals) { x in
      buffer(&expected) { Reference.quantize(x, layout, clampedTo: limits, into: $0) }
    }
    buffer(&integers) { x in buffer(&expectedReals) { Reference.dequantize(x, layout, into: $0) } }
    for run in Run.all {
      let quantizing = try #require(
        Quantizing(layout, of: Scalar.elementType, kernels: run.kernels))
      var result = [Scalar](repeating: 99, count: count)
      buffer(&reals) { x in
        buffer(&result) { y in
          guard let y = y.baseAddress else { return }
          quantizing.quantize(
            x, clampedTo: Int32(limits.lowerBound)...Int32(limits.upperBound), into: y,
            workers: run.workers)
        }
      }
      #expect(result == expected)
      var resultReals = [Float](repeating: 99, count: count)
      buffer(&integers) { x in
        guard let x = x.baseAddress else { return }
        buffer(&resultReals) { quantizing.dequantize(x, into: $0, workers: run.workers) }
      }
      #expect(resultReals.map(\.bitPattern) == expectedReals.map(\.bitPattern))
    }
  }
}
