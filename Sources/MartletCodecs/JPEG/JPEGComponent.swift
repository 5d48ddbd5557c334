//===--- JPEGComponent.swift - one component's coefficients and samples ---===//
//
// The only owner of a component's memory.
//
// Contract  `samples` has `slack` bytes more than its rows, so that a vector may
//           be read at the last sample.
// Cost      1 byte a sample; 2 and an eighth more where coefficients are kept over scans.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

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

  let samples: UnsafeMutablePointer<UInt8>
  /// Samples from one row to the next.
  let stride: Int
  /// The coefficients in natural order, block after block; `nil` where none are kept.
  let coefficients: UnsafeMutablePointer<Int16>?
  /// For each block, a bit for each AC coefficient, in the order of coding, that is not zero.
  let occupied: UnsafeMutablePointer<UInt64>?
  /// The quantisation table in natural order, as it stood at the component's first scan.
  let quantization: UnsafeMutablePointer<Int16>
  private(set) var hasQuantization = false
  /// Room for one block that is being decoded.
  let block: UnsafeMutablePointer<Int16>
  /// The lowest bit known of each coefficient, in the order of coding; -1 if none is.
  var knownBits = [Int](repeating: -1, count: 64)

  init(_ frame: JPEGFrame, _ specification: JPEGFrame.Specification) {
    self.specification = specification
    (width, height) = frame.size(of: specification)
    blocksPerLine = (width + 7) / 8
    blockLines = (height + 7) / 8
    paddedBlocksPerLine = frame.unitsPerLine * specification.horizontal
    paddedBlockLines = frame.unitLines * specification.vertical
    stride = paddedBlocksPerLine * 8
    let count = paddedBlocksPerLine * paddedBlockLines * 64
    samples = .allocate(capacity: count + Self.slack)
    coefficients = frame.isProgressive ? .allocate(capacity: count) : nil
    coefficients?.initialize(repeating: 0, count: count)
    occupied = frame.isProgressive ? .allocate(capacity: count / 64) : nil
    occupied?.initialize(repeating: 0, count: count / 64)
    quantization = .allocate(capacity: 64)
    quantization.initialize(repeating: 0, count: 64)
    block = .allocate(capacity: 64)
    block.initialize(repeating: 0, count: 64)
  }

  deinit {
    samples.deallocate()
    coefficients?.deallocate()
    occupied?.deallocate()
    quantization.deallocate()
    block.deallocate()
  }

  /// Keeps `table`, unless an earlier scan has brought one.
  func latch(_ table: [UInt16]) {
    guard !hasQuantization else { return }
    for i in 0..<64 { quantization[i] = Int16(bitPattern: table[i]) }
    hasQuantization = true
  }

  /// Makes every sample middle gray, so that what a damaged interval leaves out is defined.
  func clear() {
    samples.update(repeating: 128, count: stride * paddedBlockLines * 8)
  }

  /// Whether every coefficient is known to its last bit.
  var isComplete: Bool { knownBits.allSatisfy { $0 == 0 } }

  /// Turns the coefficients that were kept into samples.
  func transformCoefficients() {
    guard let coefficients, let occupied else { return }
    for row in 0..<blockLines {
      for column in 0..<blocksPerLine {
        let index = row * paddedBlocksPerLine + column
        let block = coefficients + 64 * index
        let target = samples + (8 * row * stride + 8 * column)
        if occupied[index] == 0 {
          JPEGInverseDCT.fill(block[0], quantization[0], to: target, stride: stride)
        } else {
          JPEGInverseDCT.transform(block, quantization, to: target, stride: stride)
        }
      }
    }
  }
}
