import MartletBase
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32MapTests {
  /// Each function with the reference kernels' scalar version.
  static let functions: [(FloatFunction, @Sendable (Float) -> Float)] = [
    (.clamp(0...6), { min(max($0, 0), 6) }), (.clamp(-1...1), { min(max($0, -1), 1) }),
    (.leakyRelu(0.1), { $0 > 0 ? $0 : $0 * 0.1 }),
    (.hardSwish, { $0 * min(6, max(0, $0 + 3)) / 6 }),
    (.logistic, { VectorMath.logistic($0) }), (.tanh, { VectorMath.tanh($0) }),
    (.exp, { VectorMath.exp($0) }), (.squareRoot, { $0.squareRoot() }),
    (.inverseSquareRoot, { 1 / $0.squareRoot() }),
    (
      .elu,
      { $0 > 0 ? $0 : VectorMath.expMinusOne(ofNegative: SIMD8(repeating: $0))[0] }
    ),
  ]

  @Test(arguments: functions.indices, [0, 1, 7, 8, 100, 70_003])
  func hasTheBitsOfTheReference(_ index: Int, _ count: Int) {
    let (function, reference) = Self.functions[index]
    var random = SplitMix64(seed: 7)
    var x = random.floats(count).map { $0 * 20 }
    for (place, value) in [Float.nan, 0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude]
      .enumerated()
    where place < count {
      x[place] = value
    }
    let expected = x.map { reference($0).bitPattern }
    for run in Run.all {
      let map = Float32Map(function, kernels: run.kernels)
      var result = [Float](repeating: 99, count: count)
      buffer(&x) { x in buffer(&result) { map(x, into: $0, workers: run.workers) } }
      #expect(result.map(\.bitPattern) == expected)
      var inPlace = x
      buffer(&inPlace) { map($0, into: $0, workers: run.workers) }
      #expect(inPlace.map(\.bitPattern) == expected)
    }
  }
}
