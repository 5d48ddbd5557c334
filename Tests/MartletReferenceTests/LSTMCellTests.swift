import Foundation
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct LSTMCellTests {
  private func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }

  /// Runs one step of one cell and returns its state and output.
  private func step(
    _ cell: LSTMCell, gates: [Float], recurrent: [Float]? = nil, state: Float, bias: [Float],
    norm: [Float] = [], peephole: [Float] = []
  ) -> (Float, Float) {
    var output: [Float] = []
    let state = filled(1, with: state) { state in
      output = filled(1, with: .nan) { hidden in
        withBuffer(gates) { gates in
          withBuffer(recurrent ?? [Float](repeating: 0, count: gates.count)) { recurrent in
            withBuffer(bias) { bias in
              withBuffer(norm) { norm in
                withBuffer(peephole) { peephole in
                  cell.step(
                    gates: gates, recurrent: recurrent, state: state,
                    LSTMParameters(bias: bias, norm: norm, peephole: peephole), into: hidden)
                }
              }
            }
          }
        }
      }
    }
    return (state[0], output[0])
  }

  private func expectNear(_ a: Float, _ b: Float) {
    #expect(abs(a - b) < 1e-6, "\(a) \(b)")
  }

  @Test func followsTheFormulas() {
    let cell = LSTMCell(batches: 1, inputs: 1, cells: 1, outputs: 1)
    let (state, output) = step(
      cell, gates: [0.1, 0.2, 0.3, 0.4], recurrent: [0, 0, 0.5, 0], state: 2,
      bias: [1, -1, 0, 0.5])
    let expected = sigmoid(-0.8) * 2 + sigmoid(1.1) * tanh(0.8)
    expectNear(state, expected)
    expectNear(output, sigmoid(0.9) * tanh(expected))
  }

  @Test func coupledGatesAddUpToOne() {
    var cell = LSTMCell(batches: 1, inputs: 1, cells: 1, outputs: 1)
    cell.isCoupled = true
    cell.activation = .clamp(0...6)
    let (state, output) = step(cell, gates: [0.5, 100, 0], state: -3, bias: [0, 0, 0])
    let expected = sigmoid(0.5) * -3 + (1 - sigmoid(0.5)) * 6
    expectNear(state, expected)
    expectNear(output, 0.5 * max(expected, 0))
  }

  /// The output gate's peephole uses the new cell state, the others use the old one.
  @Test func outputPeepholeUsesTheNewState() {
    var cell = LSTMCell(batches: 1, inputs: 1, cells: 1, outputs: 1)
    cell.cellClip = 0.5
    let (state, output) = step(
      cell, gates: [0, 0, 0, 0], state: 4, bias: [0, 0, 0, 0], peephole: [0, 0.25, 0, 2])
    #expect(state == 0.5)
    expectNear(output, sigmoid(1) * tanh(0.5))
  }

  @Test func standardizesToMeanZeroAndDeviationOne() {
    let y = filled(4, with: Float(0)) { y in
      for (i, value) in [Float(1), 3, 5, 7].enumerated() { y[i] = value }
      Reference.standardize(y)
    }
    for (a, b) in zip(y, [-3, -1, 1, 3]) { expectNear(a, Float(b) / Float(5).squareRoot()) }
  }
}
