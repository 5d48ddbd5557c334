import Foundation
import Testing

@testable import MartletReference

@Suite struct SigmoidTableTests {
  /// Powers of two, a scale close to one, and others between.
  @Test(arguments: [0x1p-12, 8 / 32767, 0x1p-11, 0.0001, 0.001, 0.7] as [Float])
  func isNearTheRealFunctions(_ scale: Float) {
    let logistic = SigmoidTable(scale: scale, exponents: 0...0)
    let tanh = SigmoidTable(scale: scale, exponents: 0...1)
    for x in stride(from: Int16.min, through: Int16.max - 97, by: 97) {
      let real = Double(scale) * Double(x)
      let logisticError = Double(logistic.logistic(x)) - 32768 / (1 + exp(-real))
      #expect(abs(logisticError) < 3, "\(x)")
      let tanhError = Double(tanh.tanh(x)) - 32768 * Foundation.tanh(real)
      #expect(abs(tanhError) < 6, "\(x)")
    }
  }

  @Test func interpolatesTables() {
    let table = ShortTable(of: -10...0) { exp($0) }
    for x in stride(from: Int16.min, through: Int16.max - 31, by: 31) {
      let real = exp((Double(x) - 32767) * 10 / 65535) * 32768
      let error = abs(Double(table[x]) - real)
      // Arguments span 65535 steps, samples 65536: near the end, where the slope is 5, the error is
      // one step.
      #expect(error < 7)
    }
  }
}
