//===--- Float32BatchProduct.swift - batched float products ---------------===//
//
// The graph computes both matrices. Right matrices are packed into panels, a group at a time.
//
// Contract  As `Reference.convolve` of a `BatchMatMul` whose left matrices are not transposed. Inputs
//           are finite.
// Order     See `float32GEMM`.
// Cost      batches · rows · depth · columns, and a pass over the right matrices; no allocation.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// Products of float matrices in batches.
package struct Float32BatchProduct: Sendable {
  private let product: BatchMatMul
  private let panels: [Panel]
  private let schedule: BatchSchedule
  private let kernels: Microkernels

  package init(_ product: BatchMatMul, workers: Int, kernels: Microkernels = .current) {
    self.product = product
    self.kernels = kernels
    panels = Panel.cut(
      columns: product.columns, widths: kernels.panelWidths, height: product.depth + 1)
    schedule = BatchSchedule(
      product, panels: panels.count,
      panelBytes: (panels.first?.width ?? 0) * (product.depth + 1) * 4,
      rowBytes: product.depth * 4, packsRows: false, tileRows: kernels.float32TileRows,
      workers: workers)
  }

  /// The number of elements of scratch memory that a call needs.
  package var scratchCount: Int { schedule.scratchBytes / 4 }

  package func callAsFunction(
    _ left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>,
    scratch: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let w = right.baseAddress, let y = output.baseAddress,
      let x = UnsafePointer(left.baseAddress)
    else { return }
    let memory = scratch.baseAddress.map { UnsafeMutableRawPointer($0) }
    panels.withUnsafeBufferPointer { panels in
      workers.perform(schedule.chunks) { chunk in
        schedule.withMemory(of: chunk, in: memory) { memory in
          let packed = memory.assumingMemoryBound(to: Float.self)
          schedule.forEachPiece(of: chunk) { group in
            pack(w, group, into: packed)
          } multiply: { batch, left, rows, range in
            let block = x + (left * product.rows + rows.lowerBound) * product.depth
            let result = y + (batch * product.rows + rows.lowerBound) * product.columns
            for panel in panels[range] {
              let weights = packed + (panel.offset - panels[range.lowerBound].offset)
              kernels.float32GEMM(
                Float32GEMM(
                  x: Matrix(block, rowStride: product.depth), rows: rows.count,
                  runs: .one(product.depth), weights: panel.weights(at: weights),
                  y: MutableMatrix(result + panel.first, rowStride: product.columns),
                  columns: panel.columns, range: -Float.infinity...Float.infinity))
            }
          }
        }
      }
    }
  }

  private func pack(
    _ w: UnsafeMutablePointer<Float>, _ group: PanelGroup,
    into packed: UnsafeMutablePointer<Float>
  ) {
    let source = w + group.matrix * product.depth * product.columns
    let down = product.isRightTransposed ? 1 : product.columns
    let across = product.isRightTransposed ? product.depth : 1
    var dest = packed
    for panel in panels[group.panels] {
      dest.update(repeating: 0, count: panel.width)
      dest += panel.width
      for k in 0..<product.depth {
        for j in 0..<panel.columns { dest[j] = source[k &* down &+ (panel.first &+ j) &* across] }
        for j in panel.columns..<panel.width { dest[j] = 0 }
        dest += panel.width
      }
    }
  }
}
