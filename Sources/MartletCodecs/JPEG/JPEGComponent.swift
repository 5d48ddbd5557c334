//===--- JPEGComponent.swift - one component's coefficients and samples ---===//
//
// The only owner of a component's memory. Samples live in a ring of three bands
// (JPEGBands): one being made, two being read. Coefficients live in a ring of two
// where one scan holds the whole image, else all of them are kept.
//
// Contract  `samples` has `slack` bytes more than its rows, so that a vector may
//           be read at the last sample.
// Cost      About 0.4 MB for the rings; 2 bytes and an eighth a sample where
//           coefficients are kept over scans.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels

/// One component of a frame.
final class JPEGComponent {
  /// Bytes that may be read after the last sample.
  static let slack = 64

  let specification: JPEGFrame.Specification
  /// The size in samples.
  let width: Int
  let height: Int
  /// The size in blocks, without and with those that fill the last units.
  let blocksPerLine: Int
  let blockLines: Int
  let paddedBlocksPerLine: Int
  let paddedBlockLines: Int

  private let samples: UnsafeMutablePointer<UInt8>
  /// The rows of samples that are in memory.
  private let rowCapacity: Int
  /// Samples from one row to the next.
  let stride: Int
  /// The coefficients in natural order, block after block, and the lines of blocks that there is
  /// room for.
  let coefficients: UnsafeMutablePointer<Int16>
  let lineCapacity: Int
  /// For each block, a bit for each AC coefficient, in the order of coding, that is not zero.
  let occupied: UnsafeMutablePointer<UInt64>
  /// The quantization table in natural order, as it stood at the component's first scan.
  let quantization: UnsafeMutablePointer<Int16>
  private(set) var hasQuantization = false
  /// The lowest bit known of each coefficient, in the order of coding; -1 if none is.
  var knownBits = [Int](repeating: -1, count: 64)
  /// What was known of the first coefficients before the component's last scan.
  private(set) var earlierBits = [Int](repeating: 0, count: JPEGSmoother.places)
  /// Estimates coefficients that no scan has brought, if that is wanted.
  var smoother: JPEGSmoother?

  /// A component of `frame`, whose coefficients are kept over scans if `isStored`.
  init(
    _ frame: JPEGFrame, _ specification: JPEGFrame.Specification, _ bands: JPEGBands,
    isStored: Bool
  ) {
    self.specification = specification
    (width, height) = frame.size(of: specification)
    blocksPerLine = (width + 7) / 8
    blockLines = (height + 7) / 8
    paddedBlocksPerLine = frame.unitsPerLine * specification.horizontal
    paddedBlockLines = frame.unitLines * specification.vertical
    stride = paddedBlocksPerLine * 8
    let bandLines = bands.unitLines * specification.vertical
    rowCapacity = 8 * min(3 * bandLines, paddedBlockLines)
    lineCapacity = isStored ? paddedBlockLines : min(2 * bandLines, paddedBlockLines)
    samples = .allocate(capacity: rowCapacity * stride + Self.slack)
    let count = paddedBlocksPerLine * lineCapacity
    coefficients = .allocate(capacity: 64 * count)
    coefficients.initialize(repeating: 0, count: 64 * count)
    occupied = .allocate(capacity: count)
    occupied.initialize(repeating: 0, count: count)
    quantization = .allocate(capacity: 64)
    quantization.initialize(repeating: 0, count: 64)
  }

  deinit {
    samples.deallocate()
    coefficients.deallocate()
    occupied.deallocate()
    quantization.deallocate()
  }

  /// Keeps `table`, unless an earlier scan has brought one.
  func latch(_ table: [UInt16]) {
    guard !hasQuantization else { return }
    for i in 0..<64 { quantization[i] = Int16(bitPattern: table[i]) }
    hasQuantization = true
  }

  /// Keeps which bits a progressive scan holds; `isFirst` if it is the file's first scan.
  func note(_ scan: JPEGScan, isFirst: Bool) {
    if !isFirst { earlierBits = Array(knownBits.prefix(JPEGSmoother.places)) }
    for place in scan.start...scan.end { knownBits[place] = scan.low }
  }

  /// Whether every coefficient is known to its last bit.
  var isComplete: Bool { knownBits.allSatisfy { $0 == 0 } }

  /// The samples of row `y`.
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { samples + y % rowCapacity * stride }

  /// The place of the first block of line `line`.
  func firstBlock(_ line: Int) -> Int { line % lineCapacity * paddedBlocksPerLine }

  /// Turns the coefficients of lines of blocks into samples; makes them zero again if `clearing`.
  func transform(lines: Range<Int>, clearing: Bool) {
    let count = paddedBlocksPerLine
    for line in lines {
      let first = firstBlock(line)
      let blocks = coefficients + 64 * first
      let source: JPEGSmoother.Line =
        smoother?.blocks(self, line: line) ?? (blocks, occupied + first)
      Microkernels.current.int16InverseDCT(
        Int16InverseDCT(
          coefficients: source.coefficients, occupied: source.occupied, count: count,
          quantization: quantization, samples: row(8 * line), stride: stride))
      guard clearing else { continue }
      blocks.update(repeating: 0, count: 64 * count)
      (occupied + first).update(repeating: 0, count: count)
    }
  }
}
