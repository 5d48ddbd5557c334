//===--- Float32BatchProduct.swift - matrices in batches, floats ----------===//
//
// Both matrices are computed by the graph: the right ones are packed into panels, and left ones that
// are stored transposed are laid out in rows, before each block of rows meets the panels.
//
// Contract  As `Reference.convolve` of a `BatchMatMul`. Inputs are finite.
// Order     See `float32Multiply`.
// Cost      batches · rows · depth · columns, and one pass over the right matrices; no allocation.
// Checked   Tests/MartletKernelsTests/BatchProductTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// Products of float matrices in batches.
package struct Float32BatchProduct: Sendable {
  private let product: BatchMatMul
  private let panels: [Panel]
  /// The elements of one right matrix, packed.
  private let packedCount: Int
  private let schedule: BatchSchedule
  private let kernels: Microkernels

  package init(_ product: BatchMatMul, workers: Int, kernels: Microkernels = .current) {
    self.product = product
    self.kernels = kernels
    panels = Panel.cut(
      columns: product.columns, widths: kernels.widths, height: product.depth + 1)
    packedCount = panels.reduce(0) { $0 + $1.width * (product.depth + 1) }
    schedule = BatchSchedule(
      product, panels: panels.count, rowBytes: product.depth * 4, tileRows: kernels.tileRows,
      workers: workers)
  }

  /// The number of elements of scratch memory that a call needs, or `nil` for too many.
  package var scratchCount: Int? {
    let (packed, overflow) = product.rightCount.multipliedReportingOverflow(by: packedCount)
    let (sum, isTooLarge) = packed.addingReportingOverflow(leftRowCount)
    return overflow || isTooLarge ? nil : sum
  }

  /// The elements of left matrices that have to be laid out in rows.
  private var leftRowCount: Int {
    product.isLeftTransposed ? product.leftCount * product.rows * product.depth : 0
  }

  package func callAsFunction(
    _ left: UnsafeMutableBufferPointer<Float>, _ right: UnsafeMutableBufferPointer<Float>,
    scratch: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>,
    workers: Workers
  ) {
    guard let w = right.baseAddress, let packed = scratch.baseAddress, let y = output.baseAddress,
      let x = rows(of: left, in: scratch)
    else { return }
    workers.split(product.rightCount, grain: 1) { matrices in
      for matrix in matrices { pack(w, matrix, into: packed + matrix * packedCount) }
    }
    panels.withUnsafeBufferPointer { panels in
      workers.perform(schedule.chunks) { chunk in
        schedule.forEachPiece(of: chunk) { batch, rows, range in
          let (left, right) = product.matrices(of: batch)
          let block = x + (left * product.rows + rows.lowerBound) * product.depth
          let result = y + (batch * product.rows + rows.lowerBound) * product.columns
          for panel in panels[range] {
            kernels.float32Multiply(
              block, product.depth, rows.count, product.depth,
              packed + (right * packedCount + panel.offset), panel.width, result + panel.first,
              product.columns, panel.columns, -Float.infinity, Float.infinity)
          }
        }
      }
    }
  }

  /// The left matrices in rows: where they are, or behind the packed right ones.
  private func rows(
    of left: UnsafeMutableBufferPointer<Float>, in scratch: UnsafeMutableBufferPointer<Float>
  ) -> UnsafePointer<Float>? {
    guard product.isLeftTransposed else { return UnsafePointer(left.baseAddress) }
    let rows = UnsafeMutableBufferPointer(
      rebasing: scratch[(product.rightCount * packedCount)...])
    Reference.transpose(left, rows: product.depth, columns: product.rows, into: rows)
    return UnsafePointer(rows.baseAddress)
  }

  private func pack(
    _ w: UnsafeMutablePointer<Float>, _ matrix: Int, into packed: UnsafeMutablePointer<Float>
  ) {
    let source = w + matrix * product.depth * product.columns
    let down = product.isRightTransposed ? 1 : product.columns
    let across = product.isRightTransposed ? product.depth : 1
    for panel in panels {
      var dest = packed + panel.offset
      dest.update(repeating: 0, count: panel.width)
      for k in 0..<product.depth {
        dest += panel.width
        for j in 0..<panel.columns { dest[j] = source[k &* down &+ (panel.first &+ j) &* across] }
        for j in panel.columns..<panel.width { dest[j] = 0 }
      }
    }
  }
}
