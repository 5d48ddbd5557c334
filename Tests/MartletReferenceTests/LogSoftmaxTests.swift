import Foundation
import Testing

@testable import MartletReference

@Suite struct LogSoftmaxTests {
  @Test func exponentialsAddUpToOne() {
    let x: [Float] = [1, -2, 0.5, 100, 3e38, -3e38, -1, -1, -1]
    let y = combined(x, [UInt8](), 9, of: Float.nan) { x, _, y in
      Reference.logSoftmax(x, depth: 3, into: y)
    }
    for row in 0..<3 {
      var sum = 0.0
      for i in 3 * row..<3 * row + 3 { sum += Foundation.exp(Double(y[i])) }
      #expect((sum - 1).magnitude < 1e-6)
    }
  }

  /// Within one step (a sixteenth) of the exact logarithm.
  @Test(arguments: [0.01, 0.05, 0.2, 1])
  func bytesAreWithinAStep(_ scale: Double) {
    let x: [Int8] = (0..<60).map { Int8(truncatingIfNeeded: $0 * 37 - 90) }
    let y = combined(x, [UInt8](), 60, of: Int8(0)) { x, _, y in
      Reference.logSoftmax(x, depth: 20, ByteLogSoftmax(scale: scale), into: y)
    }
    for row in 0..<3 {
      var sum = 0.0
      for i in 20 * row..<20 * row + 20 { sum += Foundation.exp(scale * Double(x[i])) }
      for i in 20 * row..<20 * row + 20 {
        let logarithm: Double = scale * Double(x[i]) - Foundation.log(sum)
        let want: Double = max(logarithm * 16 + 127, -128)
        #expect((Double(y[i]) - want).magnitude <= 1, "\(i)")
      }
    }
  }
}
