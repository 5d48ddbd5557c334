//===--- Schedule.swift - how a product is split --------------------------===//
//
// Rows times panels: chunks for the workers, and within a chunk blocks of rows that stay in the
// cache while all panels pass over them.
//
// Contract  Each output is computed whole by one microkernel call, so that no split changes a bit.
// Checked   Tests/MartletKernelsTests/ScheduleTests.swift
//===----------------------------------------------------------------------===//

/// The split of `rows` rows by `panels` panels.
struct Schedule: Sendable {
  /// Chunks with less work than this many multiplications are not worth a wake-up.
  static let grain = 1 << 18
  /// Chunks for each worker: more than one, so that a worker that is interrupted holds up less.
  static let chunksPerWorker = 2
  /// What a block of rows may take of the cache, in bytes.
  static let blockBytes = 96 << 10

  let rows: Int
  let panels: Int
  /// The number of pieces of work.
  let chunks: Int
  /// The most rows of a block.
  let blockRows: Int
  private let tileRows: Int
  private let splitsPanels: Bool

  init(
    rows: Int, panels: Int, multiplications: Int, rowBytes: Int, tileRows: Int, workers: Int
  ) {
    self.rows = rows
    self.panels = panels
    self.tileRows = tileRows
    let wanted = Schedule.chunks(
      of: Schedule.product([rows, panels]), work: multiplications, grain: Schedule.grain,
      workers: workers)
    let tiles = (rows + tileRows - 1) / tileRows
    splitsPanels = tiles < wanted && panels > tiles
    chunks = max(min(wanted, splitsPanels ? panels : tiles), 1)
    let fitting = Schedule.blockBytes / max(rowBytes, 1) / tileRows * tileRows
    let most = splitsPanels ? rows : (tiles + chunks - 1) / chunks * tileRows
    blockRows = max(min(max(fitting, tileRows), most), 1)
  }

  /// The product of factors that a file may have made as large as it likes: too large a one is
  /// `Int.max`.
  static func product(_ factors: [Int]) -> Int {
    factors.reduce(1) { product, factor in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? Int.max : next
    }
  }

  /// The number of chunks for `pieces` pieces of work, `work` multiplications in all.
  static func chunks(of pieces: Int, work: Int, grain: Int, workers: Int) -> Int {
    guard workers > 1 else { return 1 }
    return max(min(workers * chunksPerWorker, work / grain, pieces), 1)
  }

  /// The rows of a chunk.
  func rows(of chunk: Int) -> Range<Int> {
    guard !splitsPanels else { return 0..<rows }
    let tiles = (rows + tileRows - 1) / tileRows
    return min(
      tiles * chunk / chunks * tileRows, rows)..<min(tiles * (chunk + 1) / chunks * tileRows, rows)
  }

  /// The panels of a chunk.
  func panels(of chunk: Int) -> Range<Int> {
    splitsPanels ? panels * chunk / chunks..<panels * (chunk + 1) / chunks : 0..<panels
  }

  /// Calls `body` for each block of rows of a chunk.
  @inline(__always)
  func forEachBlock(of chunk: Int, _ body: (Range<Int>) -> Void) {
    let rows = rows(of: chunk)
    var first = rows.lowerBound
    while first < rows.upperBound {
      let end = min(first + blockRows, rows.upperBound)
      body(first..<end)
      first = end
    }
  }
}
