import Foundation
import MartletTestSupport
import Testing

@testable import MartletBase

@testable import MartletReference

@Suite struct BasicLSTMCellTests {
  private let cell = BasicLSTMCell(batches: 1, inputs: 1, cells: 1)
  private func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  @Test func floatsFollowTheFormulas() {
    let sums: [Float] = [0.1, 0.2, 0.3, 0.4]
    var result: [Float] = []
    let state = filled(1, with: Float.nan) { newState in
      result = filled(1, with: .nan) { y in
        withBuffer(sums) { sums in
          withBuffer([0, 1, 0, 0] as [Float]) { bias in
            withBuffer([2] as [Float]) { state in
              cell.step(sums: sums, bias: bias, state: state, into: newState, y)
            }
          }
        }
      }
    }
    let expected = sigmoid(0.1) * tanh(1.2) + sigmoid(0.3) * 2
    #expect(abs(Double(state[0]) - expected) < 1e-6)
    #expect(abs(Double(result[0]) - sigmoid(0.4) * tanh(expected)) < 1e-6)
  }

  @Test func bytesAreNearTheFormulas() {
    var result: [UInt8] = []
    let state = filled(1, with: Int16(0)) { newState in
      result = filled(1, with: 0) { y in
        withBuffer([410, 4915, 1229, 1638] as [Int16]) { sums in
          withBuffer([4096] as [Int16]) { state in
            cell.step(sums: sums, state: state, into: newState, y)
          }
        }
      }
    }
    let expected = sigmoid(0.1) * tanh(1.2) + sigmoid(0.3) * 2
    #expect(abs(Double(state[0]) / 2048 - expected) < 2e-3)
    #expect(abs(Double(result[0]) - 128 - sigmoid(0.4) * tanh(expected) * 128) < 1)
  }

  /// A sum of 2 becomes 0.5, which rounds up to 1; -2 becomes -0.5, which rounds up to 0.
  @Test(arguments: [(UInt8(129), Int16(1)), (127, 0), (131, 2), (125, -1)])
  func sumsRoundTiesUp(_ x: UInt8, _ expected: Int16) {
    let sums = filled(4, with: Int16.min) { sums in
      withBuffer([x, 128]) { rows in
        withBuffer([UInt8](repeating: 12, count: 8)) { weights in
          withBuffer([0, 0, 0, 0] as [Int32]) { bias in
            cell.multiply(
              rows, by: weights, zeroPoint: 10, bias: bias,
              scaledBy: FixedPointMultiplier(mantissa: 1 << 30, shift: -1), into: sums)
          }
        }
      }
    }
    #expect(sums == [Int16](repeating: expected, count: 4))
  }
}
