//===--- SVDF.swift - filters over features and time ----------------------===//
//
// Each filter computes a weighted sum of a row's features, keeps the last `memory` sums, and returns
// their weighted sum over time; the results of `rank` filters are added to a unit.
//
// Contract  TFLite SVDF. On integers bit for bit LiteRT 2.3.0 with a 16-bit state; with a state of
//           bytes, which LiteRT lacks, the arithmetic is that of TensorFlow Lite Micro: the state's
//           zero point is subtracted, and new values saturate before it is added.
//           Sums wrap.
// Order     A sum runs in index order; the bias comes last.
// Cost      batches · filters · memory, besides the product with the features.
//===----------------------------------------------------------------------===//

import MartletBase

/// The extents of a layer.
@usableFromInline
package struct SVDF: Sendable {
  @usableFromInline
  package let batches: Int
  @usableFromInline
  package let inputs: Int
  @usableFromInline
  package let units: Int
  @usableFromInline
  package let rank: Int
  @usableFromInline
  package let memory: Int

  package init(batches: Int, inputs: Int, units: Int, rank: Int, memory: Int) {
    self.batches = batches
    self.inputs = inputs
    self.units = units
    self.rank = rank
    self.memory = memory
  }

  @export(implementation)
  package var filters: Int { units * rank }

  /// Drops each filter's oldest value and appends the result of `newest`: all values move by one
  /// place, and the value from the next filter is overwritten.
  @export(implementation)
  package func updateState<State>(
    _ state: UnsafeMutableBufferPointer<State>, _ newest: (_ batch: Int, _ filter: Int) -> State
  ) {
    guard !state.isEmpty, let values = state.baseAddress else { return }
    values.update(from: values + 1, count: state.count - 1)
    for batch in 0..<batches {
      for filter in 0..<filters {
        state[(batch &* filters &+ filter &+ 1) &* memory &- 1] = newest(batch, filter)
      }
    }
  }

  /// Sums `accumulate` over the time of a unit's filters, adds the sums and calls `finish` with the
  /// total; the indices are those of weights and of the state.
  @export(implementation)
  package func forEachUnit<Sum: Numeric>(
    adding add: (Sum, Sum) -> Sum,
    _ accumulate: (_ sum: inout Sum, _ weight: Int, _ value: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ unit: Int) -> Void
  ) {
    for batch in 0..<batches {
      for unit in 0..<units {
        var total: Sum = 0
        for filter in unit &* rank..<(unit &+ 1) &* rank {
          var sum: Sum = 0
          let first = (batch &* filters &+ filter) &* memory
          for i in 0..<memory { accumulate(&sum, filter &* memory &+ i, first &+ i) }
          total = add(total, sum)
        }
        finish(total, batch &* units &+ unit, unit)
      }
    }
  }

  /// One step on floats. `features` holds the filters' products with the rows.
  package func step(
    features: UnsafeMutableBufferPointer<Float>, time: UnsafeMutableBufferPointer<Float>,
    bias: UnsafeMutableBufferPointer<Float>, state: UnsafeMutableBufferPointer<Float>,
    _ activation: CellActivation, into output: UnsafeMutableBufferPointer<Float>
  ) {
    updateState(state) { features[$0 * filters + $1] }
    forEachUnit(adding: +) { (sum: inout Float, w, v) in
      sum += time[w] * state[v]
    } finish: { sum, i, unit in
      output[i] = bias.isEmpty ? sum : sum + bias[unit]
    }
    activation(output, into: output)
  }
}

/// A layer on integers, with a state and time weights of one type.
@usableFromInline
package struct QuantizedSVDF: Sendable {
  @usableFromInline
  package let layer: SVDF
  /// The factor from the products with the features to the state.
  @usableFromInline
  package let feature: FixedPointMultiplier
  @usableFromInline
  package let stateZero: Int32
  /// The factor from the sums over time to the output.
  @usableFromInline
  package let result: FixedPointMultiplier
  @usableFromInline
  package let zeroPoint: Int32

  package init(
    layer: SVDF, feature: FixedPointMultiplier, stateZero: Int32, result: FixedPointMultiplier,
    zeroPoint: Int32
  ) {
    self.layer = layer
    self.feature = feature
    self.stateZero = stateZero
    self.result = result
    self.zeroPoint = zeroPoint
  }

  /// One step. Rows of `features` are `pitch` apart.
  @export(implementation)
  package func step<State: FixedWidthInteger & Sendable>(
    features: UnsafeMutableBufferPointer<Int32>, pitch: Int,
    time: UnsafeMutableBufferPointer<State>, bias: UnsafeMutableBufferPointer<Int32>,
    state: UnsafeMutableBufferPointer<State>, into output: UnsafeMutableBufferPointer<Int8>
  ) {
    layer.updateState(state) { batch, filter in
      let value = State(clamping: feature(features[batch &* pitch &+ filter]))
      return State(clamping: Int32(value) &+ stateZero)
    }
    layer.forEachUnit(adding: &+) { (sum: inout Int32, w, v) in
      sum &+= Int32(time[w]) &* (Int32(state[v]) &- stateZero)
    } finish: { sum, i, unit in
      let biased = bias.isEmpty ? sum : sum &+ bias[unit]
      output[i] = Int8(clamping: result(biased) &+ zeroPoint)
    }
  }
}
