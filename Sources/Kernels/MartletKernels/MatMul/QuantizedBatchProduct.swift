//===--- QuantizedBatchProduct.swift - batched byte products --------------===//
//
// As `Float32BatchProduct`, with both matrices widened to 16 bits and their zero points subtracted.
//
// Contract  Bit-exact with `Reference.convolve` of a `BatchMatMul` of signed bytes.
// Cost      batches · rows · depth · columns, and passes over both; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// Products of matrices of signed bytes in batches.
package struct QuantizedBatchProduct: Sendable {
  private let product: BatchMatMul
  private let leftZero: Int16
  private let rightZero: Int16
  private let requantizer: Requantizer
  private let pairs: Int
  private let panels: [Panel]
  private let schedule: BatchSchedule
  private let kernels: Microkernels

  /// - Parameter requantizer: One factor for all columns.
  package init(
    _ product: BatchMatMul, leftZero: Int32, rightZero: Int32, requantizer: Requantizer,
    workers: Int, kernels: Microkernels = .current
  ) {
    self.product = product
    self.kernels = kernels
    self.leftZero = Int16(truncatingIfNeeded: leftZero)
    self.rightZero = Int16(truncatingIfNeeded: rightZero)
    self.requantizer = requantizer
    pairs = (product.depth + 1) / 2
    let height = pairs + Int16Panels.fieldCount
    panels = Panel.cut(columns: product.columns, widths: kernels.panelWidths, height: height)
    schedule = BatchSchedule(
      product, panels: panels.count, panelBytes: (panels.first?.width ?? 0) * height * 4,
      // The pairs of a row, and its sums of one panel.
      rowBytes: (pairs + 2 * kernels.lanes) * 4, packsRows: true, tileRows: kernels.int16TileRows,
      workers: workers)
  }

  /// The number of 32-bit elements of scratch memory that a call needs.
  package var scratchCount: Int { schedule.scratchBytes / 4 }

  package func callAsFunction(
    _ left: UnsafeMutableBufferPointer<Int8>, _ right: UnsafeMutableBufferPointer<Int8>,
    scratch: UnsafeMutableBufferPointer<Int32>, into output: UnsafeMutableBufferPointer<Int8>,
    workers: Workers
  ) {
    guard let x = left.baseAddress, let w = right.baseAddress,
      let y = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    else { return }
    let memory = UnsafeMutableRawPointer(scratch.baseAddress)
    workers.perform(schedule.chunks) { chunk in
      schedule.withMemory(of: chunk, in: memory) { memory in
        let packed = memory.assumingMemoryBound(to: Int32.self)
        let block = packed + schedule.groupBytes / 4
        schedule.forEachPiece(of: chunk) { group in
          pack(w, group, into: packed)
        } multiply: { batch, left, rows, panels in
          widen(x + left * product.rows * product.depth, rows, into: block)
          multiply(
            block, rows.count, panels, packed,
            into: y + (batch * product.rows + rows.lowerBound) * product.columns)
        }
      }
    }
  }

  private func multiply(
    _ block: UnsafeMutablePointer<Int32>, _ rows: Int, _ range: Range<Int>,
    _ weights: UnsafeMutablePointer<Int32>, into y: UnsafeMutablePointer<UInt8>
  ) {
    let sums = block + schedule.blockRows * pairs
    panels.withUnsafeBufferPointer { panels in
      for panel in panels[range] {
        let weights = weights + (panel.offset - panels[range.lowerBound].offset)
        kernels.int16GEMM(
          Int16GEMM(
            x: Matrix(block, rowStride: pairs), rows: rows, pairs: pairs, panel: weights,
            width: panel.width, sums: MutableMatrix(sums, rowStride: panel.width)))
        kernels.int32Requantize(
          Int32Requantize(
            sums: Matrix(sums, rowStride: panel.width), rows: rows, panel: weights,
            width: panel.width, y: MutableMatrix(y + panel.first, rowStride: product.columns),
            columns: panel.columns, output: requantizer.output))
      }
    }
  }

  private func widen(
    _ x: UnsafeMutablePointer<Int8>, _ rows: Range<Int>, into block: UnsafeMutablePointer<Int32>
  ) {
    let dest = UnsafeMutableRawPointer(block).assumingMemoryBound(to: Int16.self)
    let down = product.isLeftTransposed ? 1 : product.depth
    let across = product.isLeftTransposed ? product.rows : 1
    for row in rows {
      let target = dest + (row - rows.lowerBound) * 2 * pairs
      target[2 * pairs - 1] = 0
      for k in 0..<product.depth {
        target[k] = Int16(x[row &* down &+ k &* across]) &- leftZero
      }
    }
  }

  private func pack(
    _ w: UnsafeMutablePointer<Int8>, _ group: PanelGroup,
    into packed: UnsafeMutablePointer<Int32>
  ) {
    let source = w + group.matrix * product.depth * product.columns
    let down = product.isRightTransposed ? 1 : product.columns
    let across = product.isRightTransposed ? product.depth : 1
    var dest = packed
    for panel in panels[group.panels] {
      dest.update(repeating: 0, count: panel.width * (Int16Panels.fieldCount + pairs))
      for j in 0..<panel.columns {
        requantizer.multipliers[0].writeFields(at: j, stride: panel.width, in: dest)
        let column = source + (panel.first + j) * across
        for k in 0..<pairs {
          let high = 2 * k + 1 < product.depth ? Int16(column[(2 * k + 1) * down]) - rightZero : 0
          dest[(Int16Panels.fieldCount + k) * panel.width + j] = pair(
            Int16(column[2 * k * down]) - rightZero, high)
        }
      }
      dest += panel.width * (Int16Panels.fieldCount + pairs)
    }
  }
}
