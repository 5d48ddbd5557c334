import MartletReference
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct Float32SoftmaxTests {
  @Test(arguments: [(1, 1), (5, 3), (1, 1001), (40_000, 2), (7, 64)])
  func hasTheBitsOfTheReference(_ rows: Int, _ depth: Int) {
    var random = SplitMix64(seed: 11)
    var x = random.floats(rows * depth).map { $0 * 30 }
    x[0] = .nan
    x[x.count - 1] = -.infinity
    let garbage = [Float](repeating: 99, count: x.count)
    var expected = garbage
    buffer(&x) { x in
      buffer(&expected) { Reference.softmax(x, depth: depth, beta: 0.7, into: $0) }
    }
    for run in Run.all {
      let softmax = Float32Softmax(depth: depth, beta: 0.7, kernels: run.kernels)
      var result = garbage
      buffer(&x) { x in buffer(&result) { softmax(x, into: $0, workers: run.workers) } }
      #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
    }
  }
}
