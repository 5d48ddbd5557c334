//===--- Float32Pairs.swift - arithmetic of two float tensors -------------===//
//
// ADD, SUB, MUL, DIV, SQUARED_DIFFERENCE, MAXIMUM, MINIMUM and PRELU on floats, with broadcasting.
//
// Contract  Bit for bit the reference kernels.
// Cost      One pass; no allocation.
// Checked   Tests/MartletKernelsTests/PairedRunsTests.swift
//===----------------------------------------------------------------------===//

import MartletReference

import MartletRuntime

import MartletTensor

/// Two float tensors to one, element by element.
package struct Float32Pairs: Sendable {
  private let runs: PairedRuns
  private let combination: FloatCombination
  private let range: ClosedRange<Float>
  private let loops: ElementwiseLoops

  package init(
    _ combination: FloatCombination, _ walk: Broadcast,
    clampedTo range: ClosedRange<Float> = -.infinity ... .infinity, workers: Int,
    loops: ElementwiseLoops = .current
  ) {
    self.combination = combination
    self.range = range
    self.loops = loops
    runs = PairedRuns(walk, size: (4, 4, 4), lanes: loops.lanes, workers: workers)
  }

  package func callAsFunction(
    _ a: UnsafeMutableBufferPointer<Float>, _ b: UnsafeMutableBufferPointer<Float>,
    into y: UnsafeMutableBufferPointer<Float>, workers: Workers
  ) {
    guard let a = a.baseAddress, let b = b.baseAddress, let y = y.baseAddress else { return }
    runs.forEach(a, b, into: y, workers: workers) { a, aStep, b, bStep, count, y in
      loops.float32Combine(
        a.assumingMemoryBound(to: Float.self), aStep, b.assumingMemoryBound(to: Float.self), bStep,
        count, combination, range.lowerBound, range.upperBound,
        y.assumingMemoryBound(to: Float.self))
    }
  }
}
