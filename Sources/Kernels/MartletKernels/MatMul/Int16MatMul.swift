//===--- Int16MatMul.swift - sums of byte products ------------------------===//
//
// Computes unscaled sums, for operators that do not convert each sum to a byte: gates of recurrent
// cells, and products of floats that were quantized at run time.
//
// Contract  Exact; rows and weights are within ±255. The elements of a row after `depth` are zeros,
//           and a row of sums has room for the unused columns of the last panel.
// Cost      rows · units · depth; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// A packed matrix of byte weights that multiplies rows of 16-bit integers.
package struct Int16MatMul: PackedConvolution {
  typealias Operands = (x: UnsafePointer<Int32>, sums: UnsafeMutablePointer<Int32>)

  private let packed: Int16Panels
  let schedule: Schedule
  private let kernels: Microkernels
  /// The elements from one row of sums to the next.
  package let sumLength: Int

  var panels: [Panel] { packed.panels }

  /// Packs the weights, `units` rows of `depth`.
  package init(
    rows: Int, depth: Int, units: Int, weights: ByteWeights, workers: Int,
    kernels: Microkernels = .current
  ) {
    self.kernels = kernels
    packed = Int16Panels(
      columns: units, depth: depth, weights: weights,
      bias: UnsafeBufferPointer(start: nil, count: 0), multipliers: [], widths: kernels.panelWidths)
    schedule = Schedule(
      rows: rows, panels: packed.panels.count,
      multiplications: Schedule.product([rows, units, depth]), rowBytes: packed.pairs * 4,
      needsMemory: false, tileRows: kernels.int16TileRows, workers: workers)
    sumLength = packed.panels.last.map { $0.first + $0.width } ?? 0
  }

  /// Multiplies rows whose distance is `depth` rounded up to an even number of elements.
  package func callAsFunction(
    _ rows: UnsafeMutablePointer<Int16>, into sums: UnsafeMutablePointer<Int32>, workers: Workers
  ) {
    run(
      (UnsafeRawPointer(rows).assumingMemoryBound(to: Int32.self), sums), scratch: nil,
      workers: workers)
  }

  @inline(__always)
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    UnsafeRawPointer(operands.x + rows.lowerBound * packed.pairs)
  }

  @inline(__always)
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer
  ) {
    let x = Matrix(x.assumingMemoryBound(to: Int32.self), rowStride: packed.pairs)
    for panel in panels {
      kernels.int16GEMM(
        Int16GEMM(
          x: x, rows: rows.count, pairs: packed.pairs, panel: packed.start + panel.offset,
          width: panel.width,
          sums: MutableMatrix(
            operands.sums + (rows.lowerBound * sumLength + panel.first), rowStride: sumLength)))
    }
  }
}
