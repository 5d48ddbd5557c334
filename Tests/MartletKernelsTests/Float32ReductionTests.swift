import MartletBase
import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32ReductionTests {
  static let extents = [
    (1, 1), (1, 1001), (3, 7), (4, 4), (5, 6), (8, 128), (17, 9), (33, 5), (70, 130), (4000, 31),
  ]

  @Test(arguments: extents, FloatReduction.allCases)
  func hasTheBitsOfTheReference(_ extents: (Int, Int), _ reduction: FloatReduction) {
    let (rows, depth) = extents
    var random = SplitMix64(seed: 61)
    var x = random.floats(rows * depth).map { $0 * 1.5 }
    // The sign of zero is that of the first zero.
    for i in 0..<x.count / 3 { x[i] = i % 5 < 3 ? -0.0 : 0 }
    x[x.count - 1] = .nan
    // A row of NaN, and one of infinity.
    if rows > 2 {
      for i in 0..<depth {
        x[i] = .nan
        x[depth + i] = i % 2 == 0 ? -.infinity : .nan
        x[2 * depth + i] = .infinity
      }
    }
    var expected = [Float](repeating: 99, count: rows)
    let walk = Broadcast([Shape([rows, 1])], over: Shape([rows, depth]))
    buffer(&x) { x in
      buffer(&expected) { y in
        switch reduction {
        case .sum: Reference.reduce(x, walk, from: 0, into: y) { $0 + $1 }
        case .product: Reference.reduce(x, walk, from: 1, into: y) { $0 * $1 }
        case .minimum: Reference.minimum(x, walk, into: y)
        case .maximum: Reference.maximum(x, walk, into: y)
        }
      }
    }
    for run in Run.all {
      let kernel = Float32Reduction(reduction, depth: depth, kernels: run.kernels)
      var result = [Float](repeating: 98, count: rows)
      buffer(&x) { x in buffer(&result) { kernel(x, into: $0, workers: run.workers) } }
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }
}
