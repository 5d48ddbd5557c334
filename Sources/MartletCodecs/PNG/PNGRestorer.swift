//===--- PNGRestorer.swift - from filtered rows to samples ----------------===//
//
// Contract  Rows are restored in order, as far as they have been inflated. A row
//           that is as its samples are is restored where they belong, any other
//           beside the one above, and unpacked from there.
// Cost      One pass, or two over a row in the cache.
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// Restores the rows of a picture.
struct PNGRestorer {
  private let header: PNGHeader
  private let reader: PNGSamples
  private let passes: [PNGPass]
  private let filtered: UnsafePointer<UInt8>
  private let samples: UnsafeMutablePointer<UInt8>
  /// The row above, zeros before the first, and room for the next.
  private var above, next: UnsafeMutablePointer<UInt8>
  private let zeros: UnsafeMutablePointer<UInt8>
  /// The next row, its pass, and its place among the filtered bytes.
  private var pass = 0
  private var line = 0
  private var position = 0

  /// Restores from `filtered` to `samples`; `scratch` has room for three rows and is zeros.
  init(
    _ header: PNGHeader, _ reader: PNGSamples, from filtered: UnsafePointer<UInt8>,
    to samples: UnsafeMutablePointer<UInt8>, scratch: UnsafeMutablePointer<UInt8>
  ) {
    self.header = header
    self.reader = reader
    self.filtered = filtered
    self.samples = samples
    passes = PNGPass.all(of: header)
    let rowBytes = header.rowBytes(width: header.width)
    zeros = scratch
    above = scratch + rowBytes
    next = scratch + 2 * rowBytes
  }

  /// Restores the rows that lie within the first `count` filtered bytes.
  mutating func restore(until count: Int) throws(PNGError) {
    while pass < passes.count {
      let current = passes[pass]
      let rowBytes = header.rowBytes(width: current.width)
      guard position + 1 + rowBytes <= count else { return }
      guard let filter = PNGFilter(rawValue: filtered[position]) else {
        throw .badFilter(filtered[position], row: line)
      }
      restore(filter, rowBytes: rowBytes, current)
      position += 1 + rowBytes
      line += 1
      if line == current.height { (pass, line) = (pass + 1, 0) }
    }
  }

  private mutating func restore(_ filter: PNGFilter, rowBytes: Int, _ current: PNGPass) {
    let pixelBytes = min(max(1, header.bitsPerPixel / 8), rowBytes)
    let source = filtered + position + 1
    if reader.isPlain {
      let row = samples + line * rowBytes
      filter.restore(
        source, above: line == 0 ? zeros : row - rowBytes, to: row, count: rowBytes,
        pixelBytes: pixelBytes)
      return
    }
    filter.restore(
      source, above: line == 0 ? zeros : above, to: next, count: rowBytes, pixelBytes: pixelBytes)
    reader.unpack(next, line: line, of: current, to: samples)
    swap(&above, &next)
  }
}
