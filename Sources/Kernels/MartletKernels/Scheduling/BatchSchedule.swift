//===--- BatchSchedule.swift - splitting of batched products --------------===//
//
// The right matrices are packed when they are needed, a group of panels at a time, in memory of
// each chunk's own. A piece is such a group times some rows of one result: as many rows as stay in
// the cache. Consecutive pieces mostly share their group, which is then packed once.
//
// Contract  Each output is computed by one microkernel call, so results do not depend on the split.
// Cost      Each chunk packs the groups that it uses: a panel at most once per result.
//===----------------------------------------------------------------------===//

import MartletBase

/// The right matrix and the panels that are packed together.
struct PanelGroup: Equatable {
  /// The right matrix.
  var matrix: Int
  var panels: Range<Int>
}

/// The split of `batches` products of `rows` rows by some panels.
struct BatchSchedule: Sendable {
  /// The most bytes of memory of a chunk, unless one panel and the rows of a tile take more.
  static let chunkLimit = 64 << 10

  /// The number of chunks for the workers; each has some of the pieces.
  let chunks: Int
  /// The most rows of a piece.
  let blockRows: Int
  /// The bytes of a group of panels, and of all memory of a chunk.
  let groupBytes: Int
  let chunkBytes: Int
  private let product: BatchMatMul
  private let panels: Int
  private let groupPanels: Int
  private let rowBlocks: Int
  private let pieces: Int

  /// - Parameters:
  ///   - panelBytes: The bytes of the largest panel.
  ///   - rowBytes: The bytes of a row of the left matrix as it is read.
  ///   - packsRows: Whether chunks need memory for rows.
  init(
    _ product: BatchMatMul, panels: Int, panelBytes: Int, rowBytes: Int, packsRows: Bool,
    tileRows: Int, workers: Int
  ) {
    self.product = product
    self.panels = panels
    let half = BatchSchedule.chunkLimit / 2
    let fittingPanels = (packsRows ? half : 2 * half) / max(panelBytes, 1)
    groupPanels = max(min(fittingPanels, panels), 1)
    let groups = (panels + groupPanels - 1) / groupPanels
    groupBytes = groupPanels * panelBytes
    let work = Schedule.product([product.batches, product.rows, product.columns, product.depth])
    let results = Schedule.product([product.batches, groups])
    let wanted = Schedule.chunks(
      of: Schedule.product([results, product.rows]), work: work, grain: Schedule.grain,
      workers: workers)
    let fittingRows = (packsRows ? half : Schedule.cacheBytes) / max(rowBytes, 1)
    let splits = max((wanted + max(results, 1) - 1) / max(results, 1), 1)
    let rows = min(fittingRows, (product.rows + splits - 1) / splits + tileRows - 1)
    blockRows = max(min(max(rows / tileRows * tileRows, tileRows), product.rows), 1)
    rowBlocks = (product.rows + blockRows - 1) / blockRows
    chunkBytes = groupBytes + (packsRows ? blockRows * rowBytes : 0)
    pieces = Schedule.product([results, rowBlocks])
    chunks = max(min(wanted, pieces), 1)
  }

  private var isOnStack: Bool { chunkBytes <= StackMemory.limit }

  /// The bytes of scratch memory that all chunks together need.
  var scratchBytes: Int { isOnStack ? 0 : Schedule.product([chunks, chunkBytes]) }

  /// Calls `body` with a chunk's memory, on the stack or in `scratch`.
  @inline(__always)
  func withMemory(
    of chunk: Int, in scratch: UnsafeMutableRawPointer?, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    if isOnStack {
      StackMemory.with(chunkBytes, body)
    } else if let scratch {
      body(scratch + chunk * chunkBytes)
    }
  }

  /// Calls `multiply` for each piece of a chunk, and `pack` before it if the piece needs another
  /// group of panels than the previous one.
  @inline(__always)
  func forEachPiece(
    of chunk: Int, pack: (PanelGroup) -> Void,
    multiply: (_ batch: Int, _ left: Int, _ rows: Range<Int>, _ panels: Range<Int>) -> Void
  ) {
    var packed: PanelGroup?
    for piece in pieces * chunk / chunks..<pieces * (chunk + 1) / chunks {
      let result = piece / rowBlocks
      let (left, right) = product.matrices(of: result % product.batches)
      let panel = result / product.batches * groupPanels
      let group = PanelGroup(matrix: right, panels: panel..<min(panel + groupPanels, panels))
      if group != packed { pack(group) }
      packed = group
      let first = piece % rowBlocks * blockRows
      multiply(
        result % product.batches, left, first..<min(first + blockRows, product.rows),
        group.panels)
    }
  }
}
