import MartletBase
import MartletReference
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletKernels

@Suite struct NearestResizeTests {
  @Test(arguments: ResizeCase.table)
  func equalsTheReference(_ c: ResizeCase) {
    var random = SplitMix64(seed: 10)
    var x: [UInt8] = random.integers(c.inputCount)
    let garbage = [UInt8](repeating: 99, count: c.outputCount)
    var expected = garbage
    buffer(&x) { x in
      buffer(&expected) { y in
        guard let x = x.baseAddress, let y = y.baseAddress else { return }
        Reference.resizeNearest(x, c.resize, into: y)
      }
    }
    for workers in [Workers.serial, .pool(count: 2), .pool(count: 4)] {
      var result = garbage
      buffer(&x) { x in
        buffer(&result) { y in
          guard let x = x.baseAddress, let y = y.baseAddress else { return }
          NearestResize(c.resize)(x, into: y, workers: workers)
        }
      }
      #expect(result == expected)
    }
  }
}
