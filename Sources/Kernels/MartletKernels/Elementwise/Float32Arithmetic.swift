//===--- Float32Arithmetic.swift - float arithmetic -----------------------===//
//
// ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE, MAXIMUM, MINIMUM and PRELU on floats, with broadcasting.
//
// Contract  Bit-exact with the reference kernels.
// Cost      One pass; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// An elementwise operation on two float tensors.
package struct Float32Arithmetic: Sendable {
  private let runs: BroadcastRuns
  private let combination: FloatCombination
  private let range: ClosedRange<Float>
  private let kernels: Microkernels

  package init(
    _ combination: FloatCombination, _ walk: Broadcast,
    clampedTo range: ClosedRange<Float> = -.infinity ... .infinity, workers: Int,
    kernels: Microkernels = .current
  ) {
    self.combination = combination
    self.range = range
    self.kernels = kernels
    runs = BroadcastRuns(walk, size: (4, 4, 4), lanes: kernels.lanes, workers: workers)
  }

  package func callAsFunction(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    into y: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let a = a.baseAddress, let b = b.baseAddress, let y = y.baseAddress else { return }
    runs.forEach(a, b, into: y, workers: workers) { run in
      kernels.float32Binary(Float32Binary(run: run, function: combination, range: range))
    }
  }
}
