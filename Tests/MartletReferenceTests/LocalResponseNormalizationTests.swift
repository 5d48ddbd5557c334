import Foundation
import MartletReference
import Testing

@Suite struct LocalResponseNormalizationTests {
  @Test(arguments: [0, 1, 2, 100, Int(Int32.max)])
  func windowsAreClippedAtBothEnds(_ radius: Int) {
    let x: [Float] = [1, -2, 3, -4, 5, 0.5]
    let found = combined(x, [UInt8](), 6, of: Float.nan) { x, _, y in
      Reference.normalizeLocally(
        x, depth: 3, radius: radius, bias: 1, alpha: 0.5, beta: 0.75, into: y)
    }
    for i in 0..<6 {
      let row = i / 3 * 3
      var sum = 0.0
      for j in row..<row + 3 where abs(j - i) <= radius { sum += Double(x[j] * x[j]) }
      let want: Double = Double(x[i]) * Foundation.pow(1 + 0.5 * sum, -0.75)
      #expect((Double(found[i]) - want).magnitude < 1e-6)
    }
  }
}
