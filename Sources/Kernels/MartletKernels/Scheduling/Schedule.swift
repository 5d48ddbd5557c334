//===--- Schedule.swift - splitting of products, convolution loop ---------===//
//
// Rows times panels are split into chunks for the workers. Each chunk is split into blocks of rows
// that stay in the cache while all panels are applied.
//
// All layers with packed weights run in the same loop, `PackedConvolution.run`. The conforming type
// packs a block's rows and multiplies them. Rows are those of the im2col matrix, or whole lines of
// outputs if each channel has its own filter or windows are read without packing.
//
// Products of two computed matrices use a different loop (`BatchSchedule`), which also packs
// panels.
//
// Contract  Each output is computed by one microkernel call, so results do not depend on the split.
// Cost      No allocation. The loop is specialized for each type.
//===----------------------------------------------------------------------===//

import MartletBase

/// The split of `rows` rows by `panels` panels.
struct Schedule: Sendable {
  /// The smallest number of multiplications of a chunk that justifies waking a worker.
  static let grain = 1 << 17
  /// The chunks per worker if a worker has at least eight grains of work. With more than one, an
  /// interrupted worker delays the others less.
  static let chunksPerWorker = 2
  /// The most multiplications of a block, unless the rows of one tile take more: a few
  /// milliseconds, after which work can be cancelled.
  static let blockWork = 1 << 25
  /// The most grains of a chunk that needs no memory of its own.
  static let longestChunk = 256
  /// The most bytes of cache for a block of rows that does not fit on the stack.
  static let cacheBytes = 96 << 10

  let rows: Int
  let panels: Int
  let chunks: Int
  /// The most rows of a block.
  let blockRows: Int
  /// The bytes of memory of a block.
  let blockBytes: Int
  /// The rows of an image, if blocks must not cross images.
  private let imageRows: Int
  private let tileRows: Int
  private let splitsPanels: Bool

  /// Plans the split for `workers`. `columnsInPlace` is the number of columns of a product whose
  /// rows are read without packing, or 0 if each chunk must pack its rows first. Without
  /// `needsMemory`, blocks have the size that `rowBytes` per row would give.
  init(
    rows: Int, columnsInPlace: Int = 0, panels: Int, multiplications: Int, rowBytes: Int,
    needsMemory: Bool = true, tileRows: Int, workers: Int
  ) {
    self.rows = rows
    self.panels = panels
    self.tileRows = tileRows
    imageRows = max(rows, 1)
    let wanted = Schedule.chunks(
      of: Schedule.product([rows, panels]), work: multiplications, grain: Schedule.grain,
      workers: workers)
    let tiles = (rows + tileRows - 1) / tileRows
    // If the weights are larger than the rows, each worker keeps its share of the weights in its
    // cache.
    let splitsWeights = wanted > 1 && wanted <= panels && 2 * rows < columnsInPlace
    splitsPanels = splitsWeights || tiles < wanted && panels > tiles
    chunks = max(min(wanted, splitsPanels ? panels : tiles), 1)
    let most = max(
      splitsPanels ? rows : min((tiles + chunks - 1) / chunks * tileRows, rows), 1)
    let tileBytes = Schedule.product([min(tileRows, most), rowBytes])
    let limit = tileBytes <= StackMemory.limit ? StackMemory.limit : Schedule.cacheBytes
    let fitting = rowBytes > 0 ? limit / rowBytes / tileRows * tileRows : most
    let lasting = Schedule.blockRows(of: rows, work: multiplications) / tileRows * tileRows
    blockRows = min(max(min(fitting, lasting), tileRows), most)
    blockBytes = needsMemory ? blockRows * rowBytes : 0
  }

  /// Plans lines of a window's outputs, with blocks of at most `blockLines` lines of one image, or
  /// limited by `blockWork` if it is `nil`.
  init(
    linesOf window: SlidingWindow, blockLines: Int? = nil, blockBytes: Int = 0, panels: Int = 0,
    multiplications: Int, grain: Int, workers: Int
  ) {
    rows = window.lineCount
    self.panels = panels
    self.blockBytes = blockBytes
    tileRows = 1
    splitsPanels = false
    blockRows = blockLines ?? Schedule.blockRows(of: rows, work: multiplications)
    imageRows = blockLines == nil ? max(rows, 1) : max(window.rows.output, 1)
    chunks = Schedule.chunks(of: rows, work: multiplications, grain: grain, workers: workers)
  }

  /// Whether a block is on the stack of the thread that runs the chunk, rather than in scratch
  /// memory.
  var isOnStack: Bool { blockBytes <= StackMemory.limit }

  /// The bytes of scratch memory that all chunks together need.
  var scratchBytes: Int { isOnStack ? 0 : chunks * blockBytes }

  /// Calls `body` with memory for a chunk's blocks, on the stack or in `scratch`.
  @inline(__always)
  func withBlock(
    of chunk: Int, in scratch: UnsafeMutableRawPointer?, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    if isOnStack {
      StackMemory.with(blockBytes, body)
    } else if let scratch {
      body(scratch + chunk * blockBytes)
    }
  }

  /// The product of factors that may come from a file, or `Int.max` if it overflows.
  static func product(_ factors: [Int]) -> Int {
    factors.reduce(1) { product, factor in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? Int.max : next
    }
  }

  /// The most rows of a block of at most `blockWork` multiplications, of `rows` that take `work`.
  private static func blockRows(of rows: Int, work: Int) -> Int {
    max(blockWork / max(work / max(rows, 1), 1), 1)
  }

  /// The number of chunks of `pieces` pieces that need no memory of their own and take `work`
  /// operations: as `chunks`, or more so that work can be cancelled.
  static func shortChunks(of pieces: Int, work: Int, grain: Int, workers: Int) -> Int {
    max(
      chunks(of: pieces, work: work, grain: grain, workers: workers),
      min(work / product([grain, longestChunk]), pieces))
  }

  /// The number of chunks for `pieces` pieces of work that take `work` multiplications in total.
  static func chunks(of pieces: Int, work: Int, grain: Int, workers: Int) -> Int {
    guard workers > 1 else { return 1 }
    let most = work / grain
    let wanted = most / 8 < workers ? workers : workers * chunksPerWorker
    return max(min(wanted, most, pieces), 1)
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
      let imageEnd = (first / imageRows + 1) * imageRows
      let end = min(first + blockRows, rows.upperBound, imageEnd)
      body(first..<end)
      first = end
    }
  }
}

// MARK: - The loop

/// A convolution with packed weights.
protocol PackedConvolution: Sendable {
  /// The inputs and outputs of a call.
  associatedtype Operands

  var schedule: Schedule { get }
  /// The panels that multiply each block of rows; empty if a microkernel processes all channels at
  /// once.
  var panels: [Panel] { get }

  /// Packs rows into `block`, or uses them where they are, and returns the address of the first.
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer

  /// Computes the results of packed rows and some panels. `block` is the memory passed to `pack`.
  func multiply(
    _ x: UnsafeRawPointer, _ rows: Range<Int>, by panels: UnsafeBufferPointer<Panel>,
    of operands: Operands, block: UnsafeMutableRawPointer)
}

extension PackedConvolution {
  var panels: [Panel] { [] }

  @inline(__always)
  func pack(
    _ rows: Range<Int>, of operands: Operands, into block: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer {
    UnsafeRawPointer(block)
  }

  /// Computes all results. `scratch` has `schedule.scratchBytes` bytes.
  @inline(__always)
  func run(_ operands: Operands, scratch: UnsafeMutableRawPointer?, workers: Workers) {
    workers.perform(schedule.chunks) { run(chunk: $0, operands, scratch: scratch, workers) }
  }

  /// Computes a chunk. Inlined, there would be one copy for a single chunk and one for several.
  @inline(never)
  private func run(
    chunk: Int, _ operands: Operands, scratch: UnsafeMutableRawPointer?, _ workers: Workers
  ) {
    panels.withUnsafeBufferPointer { panels in
      let panels = UnsafeBufferPointer(rebasing: panels[schedule.panels(of: chunk)])
      schedule.withBlock(of: chunk, in: scratch) { block in
        schedule.forEachBlock(of: chunk) { rows in
          if workers.isInterrupted { return }
          let x = pack(rows, of: operands, into: block)
          multiply(x, rows, by: panels, of: operands, block: block)
        }
      }
    }
  }
}
