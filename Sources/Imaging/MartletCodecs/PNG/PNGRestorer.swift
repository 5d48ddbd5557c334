//===--- PNGRestorer.swift - filtered rows to samples ---------------------===//
//
// Contract  Rows are restored in order, as far as they have been inflated. A row in the layout of
//           the samples is restored in place; any other is restored to a buffer and unpacked from
//           it. A row with an unknown filter becomes zeros.
// Cost      One pass, or two over a cached row.
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// Restores the rows of an image.
struct PNGRestorer {
  private let header: PNGHeader
  private let reader: PNGSamples
  private let passes: [PNGPass]
  private let filtered: UnsafePointer<UInt8>
  private let samples: UnsafeMutablePointer<UInt8>
  /// The row above (zeros before the first), and the buffer for the next row.
  private var above, next: UnsafeMutablePointer<UInt8>
  private let zeros: UnsafeMutablePointer<UInt8>
  /// The next row, its pass, and its offset in the filtered bytes.
  private var pass = 0
  private var line = 0
  private(set) var position = 0
  /// The first unknown filter; `nil` if there is none.
  private(set) var badFilter: PNGError?

  /// A restorer from `filtered` to `samples`. `scratch` holds three rows of zeros.
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

  /// Restores the rows within the first `count` filtered bytes.
  mutating func restore(until count: Int) {
    while pass < passes.count {
      let current = passes[pass]
      let rowBytes = header.rowBytes(width: current.width)
      guard position + 1 + rowBytes <= count else { return }
      if let filter = PNGFilter(rawValue: filtered[position]) {
        restore(filter, filtered + position + 1, rowBytes: rowBytes, current)
      } else {
        badFilter = badFilter ?? .badFilter(filtered[position], row: line)
        restore(.none, zeros, rowBytes: rowBytes, current)
      }
      position += 1 + rowBytes
      line += 1
      if line == current.height { (pass, line) = (pass + 1, 0) }
    }
  }

  /// Restores the missing rows, which begin at `position` of the filtered bytes and are zeros
  /// there. Missing pixels of the later passes of an interlaced image repeat those of earlier
  /// passes.
  mutating func complete(count: Int) {
    let (firstPass, firstLine) = (pass, line)
    restore(until: count)
    for index in firstPass..<passes.count {
      let current = passes[index]
      let bytes = reader.pixelBytes
      let distance = (current.y * header.width + current.x) * bytes
      guard distance > 0 else { continue }
      for line in (index == firstPass ? firstLine : 0)..<current.height {
        let row = (current.y + line * current.dy) * header.width + current.x
        for column in 0..<current.width {
          let pixel = samples + (row + column * current.dx) * bytes
          pixel.update(from: pixel - distance, count: bytes)
        }
      }
    }
  }

  private mutating func restore(
    _ filter: PNGFilter, _ source: UnsafePointer<UInt8>, rowBytes: Int, _ current: PNGPass
  ) {
    let pixelBytes = min(max(1, header.bitsPerPixel / 8), rowBytes)
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
