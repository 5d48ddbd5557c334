import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct QuantizedLSTMCellTests {
  /// Compares the integer cell with the float cell on the same numbers.
  @Test(arguments: [false, true])
  func isNearTheRealCell(_ isCoupled: Bool) {
    var cell = LSTMCell(batches: 1, inputs: 1, cells: 3, outputs: 3)
    cell.isCoupled = isCoupled
    let one = FixedPointMultiplier(1)
    let gate = QuantizedLSTMGate(
      input: one, recurrent: one, peephole: one, norm: one, varianceGuard: 1)
    let quantized = QuantizedLSTMCell(
      cell: cell, gates: [QuantizedLSTMGate](repeating: gate, count: cell.gateCount),
      stateExponent: -12, cellClip: 0, hidden: FixedPointMultiplier(0x1p-30 * 128),
      hiddenZero: -3)
    let sums = (0..<cell.gateLength).map { Int32($0 * 2113 % 9000 - 4500) }
    let none = [Int32](repeating: 0, count: cell.gateLength)
    var bytes: [Int8] = []
    let state = filled(3, with: Int16(2000)) { state in
      bytes = filled(3, with: 0) { result in
        var (sums, recurrent) = (sums, none)
        withBuffer(none) { bias in
          withBuffer([Int16]()) { absent in
            withBuffer([Int16](repeating: 0, count: cell.gateLength)) { gates in
              sums.withUnsafeMutableBufferPointer { sums in
                recurrent.withUnsafeMutableBufferPointer { recurrent in
                  guard let x = sums.baseAddress, let r = recurrent.baseAddress else { return }
                  quantized.step(
                    input: x, recurrent: r, state: state,
                    QuantizedLSTMParameters(bias: bias, norm: absent, peephole: absent),
                    gates: gates, into: result)
                }
              }
            }
          }
        }
      }
    }
    func real(_ gate: Int, _ i: Int) -> Double { Double(sums[gate * 3 + i]) / 4096 }
    func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
    for i in 0..<3 {
      let first = isCoupled ? 0 : 1
      let kept = sigmoid(real(first, i))
      let taken = isCoupled ? 1 - kept : sigmoid(real(0, i))
      let expected = kept * 2000 / 4096 + taken * tanh(real(first + 1, i))
      #expect(abs(Double(state[i]) / 4096 - expected) < 2e-3)
      let output = sigmoid(real(first + 2, i)) * tanh(expected) * 128 - 3
      #expect(abs(Double(bytes[i]) - output) < 1)
    }
  }

  @Test func standardizesIntegers() {
    // Mean 4, deviation √5. Weights of 2¹⁰ represent one; results have steps of 2⁻¹².
    let y = filled(4, with: Int16(0)) { y in
      for (i, value) in [Int16(1000), 3000, 5000, 7000].enumerated() { y[i] = value }
      withBuffer([Int16](repeating: 1024, count: 4)) { weights in
        withBuffer([Int32](repeating: 0, count: 4)) { bias in
          Reference.standardize(
            y, weights: weights, bias: bias, scale: FixedPointMultiplier(0x1p-10),
            varianceGuard: 1)
        }
      }
    }
    for (value, exact) in zip(y, [-3.0, -1, 1, 3]) {
      #expect(abs(Double(value) / 4096 - exact / 5.0.squareRoot()) < 2e-3)
    }
  }
}
