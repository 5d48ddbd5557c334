import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32LogSoftmaxTests {
  @Test(arguments: [(1, 1), (5, 3), (1, 1001), (40_000, 2), (7, 64), (8, 128)])
  func hasTheBitsOfTheReference(_ rows: Int, _ depth: Int) {
    var random = SplitMix64(seed: 71)
    var x = random.floats(rows * depth).map { $0 * 30 }
    x[x.count - 1] = -.infinity
    var expected = [Float](repeating: 99, count: x.count)
    buffer(&x) { x in
      buffer(&expected) { Reference.logSoftmax(x, depth: depth, into: $0) }
    }
    for run in Run.all {
      let kernel = Float32LogSoftmax(depth: depth, kernels: run.kernels)
      var (largest, sums) = ([Float](repeating: 1, count: rows), [Float](repeating: 1, count: rows))
      var result = [Float](repeating: 98, count: x.count)
      buffer(&x) { x in
        buffer(&largest) { largest in
          buffer(&sums) { sums in
            buffer(&result) {
              kernel(x, largest: largest, sums: sums, into: $0, workers: run.workers)
            }
          }
        }
      }
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }
}
