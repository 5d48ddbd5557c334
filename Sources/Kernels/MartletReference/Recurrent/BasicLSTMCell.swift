//===--- BasicLSTMCell.swift - LSTM with one matrix -----------------------===//
//
// [i g f o] = W [x h] + b;  c ← σ(i) tanh(g) + σ(f) c;  h ← σ(o) tanh(c)
//
// Contract  TFLite's LSTM of the kernel type BASIC. On bytes bit for bit LiteRT 2.3.0: sums are
//           Q3.12, the cell state Q4.11, inputs and outputs have the zero point 128 and the scale
//           1/128.
// Cost      batches · 4 · cells · (inputs + cells) for the products.
//===----------------------------------------------------------------------===//

import MartletBase

/// The extents of a basic cell.
package struct BasicLSTMCell: Sendable {
  package let batches: Int
  package let inputs: Int
  package let cells: Int

  package init(batches: Int, inputs: Int, cells: Int) {
    self.batches = batches
    self.inputs = inputs
    self.cells = cells
  }

  /// The elements of an input row with an output row.
  package var depth: Int { inputs + cells }

  /// Computes one step from the products of all gates; adds the bias.
  package func step(
    sums: UnsafeMutableBufferPointer<Float>, bias: UnsafeMutableBufferPointer<Float>,
    state: UnsafeMutableBufferPointer<Float>, into newState: UnsafeMutableBufferPointer<Float>,
    _ result: UnsafeMutableBufferPointer<Float>
  ) {
    for batch in 0..<batches {
      let first = batch * 4 * cells
      for i in 0..<4 * cells { sums[first + i] += bias[i] }
      for i in 0..<cells {
        let place = first + i
        let taken = VectorMath.logistic(sums[place]) * VectorMath.tanh(sums[place + cells])
        let kept = VectorMath.logistic(sums[place + 2 * cells]) * state[batch * cells + i]
        newState[batch * cells + i] = taken + kept
        result[batch * cells + i] =
          VectorMath.logistic(sums[place + 3 * cells]) * VectorMath.tanh(taken + kept)
      }
    }
  }

  /// The gates' sums in Q3.12, saturated. Unlike elsewhere, LiteRT's right shift rounds ties
  /// up.
  package func multiply(
    _ rows: UnsafeMutableBufferPointer<UInt8>, by weights: UnsafeMutableBufferPointer<UInt8>,
    zeroPoint: Int32, bias: UnsafeMutableBufferPointer<Int32>,
    scaledBy factor: FixedPointMultiplier, into sums: UnsafeMutableBufferPointer<Int16>
  ) {
    FullyConnected(rows: batches, depth: depth, units: 4 * cells).forEachSum {
      (sum: inout Int32, i, w) in
      sum &+= (Int32(rows[i]) - 128) &* (Int32(weights[w]) - zeroPoint)
    } finish: { sum, i, unit in
      let left = max(factor.shift, 0)
      let right = Int64(max(-factor.shift, 0))
      let product = Int64(
        saturatingRoundingDoublingHighMultiply((sum &+ bias[unit]) &<< left, factor.mantissa))
      sums[i] = Int16(clamping: right > 0 ? (product + 1 << (right - 1)) >> right : product)
    }
  }

  /// Computes one step from the gates' sums.
  package func step(
    sums: UnsafeMutableBufferPointer<Int16>, state: UnsafeMutableBufferPointer<Int16>,
    into newState: UnsafeMutableBufferPointer<Int16>, _ result: UnsafeMutableBufferPointer<UInt8>
  ) {
    for batch in 0..<batches {
      for i in 0..<cells {
        let place = batch * 4 * cells + i
        let taken = FixedPoint.multiply(
          FixedPoint.logistic(sums[place]), FixedPoint.tanh(sums[place + cells], bits: 3))
        let kept = FixedPoint.multiply(
          FixedPoint.logistic(sums[place + 2 * cells]), state[batch * cells + i])
        let sum = Int16(clamping: Int32(FixedPoint.shiftRight(taken, by: 4)) + Int32(kept))
        newState[batch * cells + i] = sum
        let level = FixedPoint.multiply(
          FixedPoint.logistic(sums[place + 3 * cells]), FixedPoint.tanh(sum, bits: 4))
        let byte = min(max(FixedPoint.shiftRight(level, by: 8), -128), 127)
        result[batch * cells + i] = UInt8(truncatingIfNeeded: 128 + byte)
      }
    }
  }
}
