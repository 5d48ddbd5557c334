//===--- JPEGComponent.swift - coefficients and samples -------------------===//
//
// Owns all memory of a component. Samples are in a ring of three bands (JPEGBands): one is written,
// two are read. Coefficients are in a ring of two bands if one scan holds the whole image;
// otherwise all are kept.
//
// Contract  `samples` has `slack` extra bytes after its rows, so that a vector load at the last
//           sample is valid.
// Cost      About 0.4 MB for the rings; 2 1/8 bytes per sample of the file, or less for
//           a reduced image, if all coefficients are kept.
//===----------------------------------------------------------------------===//

/// One component of a frame.
final class JPEGComponent {
  /// The number of readable bytes after the last sample.
  static let slack = 64

  let specification: JPEGFrame.Specification
  /// The size in samples of the decoded image, and the side of a block of them.
  let side: Int
  let width: Int
  let height: Int
  /// The size in blocks, without and with the padding to whole units.
  let blocksPerLine: Int
  let blockLines: Int
  let paddedBlocksPerLine: Int
  let paddedBlockLines: Int

  private let samples: UnmanagedMemory<UInt8>
  /// The number of rows of samples in memory.
  private let rowCapacity: Int
  /// The distance between rows, in samples: whole vectors of 16, so that a vector at the end of a
  /// row does not reach the next row, which another worker may be writing.
  let stride: Int
  /// The coefficients, and the capacity in lines of blocks.
  let blocks: JPEGBlocks
  let lineCapacity: Int
  /// The quantization table in natural order, as defined at the component's first scan.
  let quantization = UnmanagedMemory<Int16>(zeros: 64)
  private(set) var hasQuantization = false
  /// The lowest known bit of each coefficient, in coding order; -1 if none is known.
  private(set) var knownBits = [Int](repeating: -1, count: 64)
  /// The known bits of the first coefficients before the component's last scan.
  private(set) var earlierBits = [Int](repeating: 0, count: JPEGSmoother.places)
  /// Estimates coefficients that no scan has coded; `nil` if smoothing is off.
  var smoother: JPEGSmoother?

  /// A component of `frame`; `isStored` keeps all coefficients for later scans.
  init(
    _ frame: JPEGFrame, _ specification: JPEGFrame.Specification, _ bands: JPEGBands,
    isStored: Bool
  ) {
    self.specification = specification
    side = frame.blockSide(of: specification)
    (width, height) = frame.decodedSize(of: specification)
    (blocksPerLine, blockLines) = frame.blockCounts(of: specification)
    paddedBlocksPerLine = frame.unitsPerLine * specification.horizontal
    paddedBlockLines = frame.unitLines * specification.vertical
    stride = (paddedBlocksPerLine * side + 15) / 16 * 16
    let bandLines = bands.unitLines * specification.vertical
    rowCapacity = side * min(3 * bandLines, paddedBlockLines)
    lineCapacity = isStored ? paddedBlockLines : min(2 * bandLines, paddedBlockLines)
    samples = UnmanagedMemory(zeros: rowCapacity * stride + Self.slack)
    let count = paddedBlocksPerLine * lineCapacity
    blocks = JPEGBlocks(count: count, side: side)
  }

  /// Coders and upsamplers, which use the memory, do not outlive their component.
  deinit {
    unsafe samples.deallocate()
    unsafe blocks.deallocate()
    unsafe quantization.deallocate()
  }

  /// Stores `table`, unless an earlier scan has set one.
  func latch(_ table: [UInt16]) {
    guard !hasQuantization else { return }
    for i in 0..<64 { quantization[i] = Int16(bitPattern: table[i]) }
    hasQuantization = true
  }

  /// Records that a sequential scan codes all bits.
  func noteAll() { knownBits = Array(repeating: 0, count: 64) }

  /// Records the bits that a progressive scan codes; `isFirst` marks the file's first scan.
  func note(_ scan: JPEGScan, isFirst: Bool) {
    if !isFirst { earlierBits = Array(knownBits.prefix(JPEGSmoother.places)) }
    for place in scan.start...scan.end { knownBits[place] = scan.low }
  }

  /// Whether every coefficient is known down to bit 0.
  var isComplete: Bool { knownBits.allSatisfy { $0 == 0 } }

  /// The samples of row `y`, which must not be negative: `stride` of them, and as many more as
  /// later rows and the slack have.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(y >= 0)
    return unsafe samples.base + y % rowCapacity * stride
  }

  /// The index of the first block of line `line`.
  func firstBlock(_ line: Int) -> Int { line % lineCapacity * paddedBlocksPerLine }

  /// Transforms lines of blocks to samples; `clearing` then resets their coefficients to zero.
  func transform(lines: Range<Int>, clearing: Bool) {
    let count = paddedBlocksPerLine
    for line in lines {
      let first = firstBlock(line)
      let smoothed = smoother?.blocks(self, line: line)
      // The rows of a line of blocks follow each other: the capacity is a multiple of its rows.
      unsafe (smoothed ?? blocks).transform(
        smoothed == nil ? first : 0, count: count, quantization, to: row(side * line),
        stride: stride)
      if clearing { blocks.clear(first, count: count) }
    }
  }
}
