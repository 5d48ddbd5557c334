//===--- Int16MatMul.swift - rows times a matrix of bytes -----------------===//
//
// The bare sums, for operators that make more of them than a byte: gates of recurrent cells, and
// whatever multiplies floats that were quantised on the way.
//
// Contract  Exact; steps and weights are within ±255. A row's elements behind `depth` are zeros, and
//           a row of sums has room for those of the last panel that nobody asked for.
// Cost      rows · units · depth; no allocation.
// Checked   Tests/MartletKernelsTests/Int16MatMulTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletRuntime

/// A matrix of byte weights, packed, that multiplies rows of 16-bit steps.
package struct Int16MatMul: Sendable {
  private let packed: Int16Panels
  private let schedule: Schedule
  private let kernels: Microkernels
  /// The elements from one row of sums to the next.
  package let sumLength: Int

  /// Packs the weights, `units` rows of `depth`.
  package init(
    rows: Int, depth: Int, units: Int, weights: [Int16], workers: Int,
    kernels: Microkernels = .current
  ) {
    self.kernels = kernels
    packed = Int16Panels(
      columns: units, depth: depth, weights: weights,
      bias: UnsafeBufferPointer(start: nil, count: 0), multipliers: [], widths: kernels.panelWidths)
    schedule = Schedule(
      rows: rows, panels: packed.panels.count,
      multiplications: Schedule.product([rows, units, depth]), rowBytes: packed.pairs * 4,
      tileRows: kernels.int16TileRows, workers: workers)
    sumLength = packed.panels.last.map { $0.first + $0.width } ?? 0
  }

  /// Multiplies rows that lie an even number of elements apart, as many as hold `depth`.
  package func callAsFunction(
    _ rows: UnsafeMutablePointer<Int16>, into sums: UnsafeMutablePointer<Int32>, workers: Workers
  ) {
    let pairs = packed.pairs
    let x = UnsafeRawPointer(rows).assumingMemoryBound(to: Int32.self)
    packed.memory.withUnsafeBufferPointer { memory in
      guard let weights = memory.baseAddress else { return }
      workers.perform(schedule.chunks) { chunk in
        schedule.forEachBlock(of: chunk) { rows in
          for panel in packed.panels[schedule.panels(of: chunk)] {
            kernels.int16GEMM(
              Int16GEMM(
                x: Matrix(x + rows.lowerBound * pairs, rowStride: pairs), rows: rows.count,
                pairs: pairs, panel: weights + panel.offset, width: panel.width,
                sums: MutableMatrix(
                  sums + (rows.lowerBound * sumLength + panel.first), rowStride: sumLength)))
          }
        }
      }
    }
  }
}
