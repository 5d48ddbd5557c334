//===--- BatchSchedule.swift - how products in batches are split ----------===//
//
// The pieces are some rows of one result by some of its panels: as many rows as stay in the cache,
// and all panels unless there would be too few pieces for the workers.
//
// Contract  Each output is computed whole by one microkernel call, so that no split changes a bit.
// Checked   Tests/MartletKernelsTests/BatchProductTests.swift
//===----------------------------------------------------------------------===//

import MartletTensor

/// The split of `batches` products of `rows` rows by `panels` panels.
struct BatchSchedule: Sendable {
  /// The number of chunks for the workers, each some of the pieces.
  let chunks: Int
  /// The most rows of a piece.
  let blockRows: Int
  private let rows: Int
  private let panels: Int
  private let rowBlocks: Int
  private let panelBlocks: Int
  private let pieces: Int

  init(
    _ product: BatchMatMul, panels: Int, rowBytes: Int, tileRows: Int, workers: Int
  ) {
    let fitting = Schedule.blockBytes / max(rowBytes, 1) / tileRows * tileRows
    let work = Schedule.product([product.batches, product.rows, product.columns, product.depth])
    blockRows = max(min(max(fitting, tileRows), product.rows), 1)
    rows = product.rows
    self.panels = panels
    rowBlocks = (product.rows + blockRows - 1) / blockRows
    let blocks = Schedule.product([product.batches, rowBlocks])
    let wanted = Schedule.chunks(
      of: Schedule.product([blocks, panels]), work: work, grain: Schedule.grain, workers: workers)
    panelBlocks = blocks == 0 ? 1 : min((wanted + blocks - 1) / blocks, max(panels, 1))
    pieces = Schedule.product([blocks, panelBlocks])
    chunks = max(min(wanted, pieces), 1)
  }

  /// Calls `body` for each piece of a chunk.
  @inline(__always)
  func forEachPiece(
    of chunk: Int, _ body: (_ batch: Int, _ rows: Range<Int>, _ panels: Range<Int>) -> Void
  ) {
    for piece in pieces * chunk / chunks..<pieces * (chunk + 1) / chunks {
      let block = piece / panelBlocks
      let part = piece % panelBlocks
      let first = block % rowBlocks * blockRows
      body(
        block / rowBlocks, first..<min(first + blockRows, rows),
        panels * part / panelBlocks..<panels * (part + 1) / panelBlocks)
    }
  }
}
