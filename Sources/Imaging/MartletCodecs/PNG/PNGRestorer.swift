//===--- PNGRestorer.swift - filtered rows to samples ---------------------===//
//
// Contract  Rows are restored in order, as far as they have been inflated. A row in the layout of
//           the samples is restored in place, unless the image is reduced; any other is restored to a
//           buffer and unpacked from it. A row with an unknown filter becomes zeros.
// Cost      One pass, or two over a cached row.
//===----------------------------------------------------------------------===//

import MartletBase

/// Restores the rows of an image. It is safe to use while its memory is valid: the filtered bytes, and
/// the samples with room for the image.
@safe struct PNGRestorer {
  private let header: PNGHeader
  private let reader: PNGSamples
  private let passes: [PNGPass]
  private let filtered: UnsafePointer<UInt8>
  /// The samples of the image, or of a row if it is reduced.
  private let samples: UnsafeMutablePointer<UInt8>
  private let reducer: RowReducer?
  /// The row above (zeros before the first of a pass) and the buffer for the next row, if rows are
  /// unpacked.
  private var above, next: [UInt8]
  private let zeros: [UInt8]
  /// The next row, its pass, and its offset in the filtered bytes.
  private var pass = 0
  private var line = 0
  private var position = 0
  /// The first unknown filter; `nil` if there is none.
  private(set) var badFilter: PNGError?

  /// A restorer from `filtered` to `samples`, with room for the image; if it is reduced, which an
  /// interlaced image cannot be, with room for a row.
  init(
    _ header: PNGHeader, _ reader: PNGSamples, from filtered: UnsafePointer<UInt8>,
    to samples: UnsafeMutablePointer<UInt8>, _ reducer: RowReducer?
  ) {
    self.header = header
    self.reader = reader
    self.reducer = reducer
    unsafe self.filtered = filtered
    unsafe self.samples = samples
    passes = PNGPass.all(of: header)
    zeros = [UInt8](repeating: 0, count: header.rowBytes(width: header.width))
    above = zeros
    next = zeros
  }

  /// The number of filtered bytes of an image.
  static func filteredCount(_ header: PNGHeader) -> Int {
    PNGPass.all(of: header).reduce(0) { $0 + $1.height * (1 + header.rowBytes(width: $1.width)) }
  }

  /// Whether no row has been restored.
  var isAtStart: Bool { (pass, line) == (0, 0) }

  /// Restores the rows within the first `count` filtered bytes.
  mutating func restore(until count: Int) {
    while pass < passes.count {
      let current = passes[pass]
      let rowBytes = header.rowBytes(width: current.width)
      guard position + 1 + rowBytes <= count else { return }
      // The position is the start of the row, which ends within `count`.
      let rawFilter = unsafe filtered[position]
      if let filter = PNGFilter(rawValue: rawFilter) {
        let source = unsafe Span(_unsafeStart: filtered + position + 1, count: rowBytes)
        restore(filter, source, current)
      } else {
        badFilter = badFilter ?? .badFilter(rawFilter, row: line)
        restoreZeros()
      }
      position += 1 + rowBytes
    }
  }

  /// Drops the bytes of restored rows if there is not room for `room` more; returns their number.
  mutating func drop(from inflater: Inflate, room: Int) -> Int {
    let number = inflater.drop(before: position, room: room)
    position -= number
    return number
  }

  /// Restores a row of zeros.
  private mutating func restoreZeros() {
    let (current, zeros) = (passes[pass], zeros)
    let rowBytes = header.rowBytes(width: current.width)
    restore(.none, zeros.span.extracting(0..<rowBytes), current)
  }

  /// Restores the missing rows, which are zeros. Missing pixels of the later passes of an interlaced
  /// image repeat those of earlier passes.
  mutating func complete() {
    let (firstPass, firstLine) = (pass, line)
    while pass < passes.count { restoreZeros() }
    for index in firstPass..<passes.count {
      let current = passes[index]
      let bytes = reader.pixelBytes
      let distance = (current.y * header.width + current.x) * bytes
      guard distance > 0 else { continue }
      for line in (index == firstPass ? firstLine : 0)..<current.height {
        let row = (current.y + line * current.dy) * header.width + current.x
        for column in 0..<current.width {
          // The pass begins `distance` bytes after the image, and this pixel not before the pass.
          let pixel = unsafe samples + (row + column * current.dx) * bytes
          unsafe pixel.update(from: pixel - distance, count: bytes)
        }
      }
    }
  }

  /// Restores the next row.
  private mutating func restore(_ filter: PNGFilter, _ source: Span<UInt8>, _ current: PNGPass) {
    defer {
      line += 1
      if line == current.height { (pass, line) = (pass + 1, 0) }
    }
    let rowBytes = source.count
    let pixelBytes = min(max(1, header.bitsPerPixel / 8), rowBytes)
    if reader.isPlain, reducer == nil {
      // Plain images have one pass, whose rows of `rowBytes` bytes fill the samples.
      let row = unsafe samples + line * rowBytes
      var target = unsafe MutableSpan(_unsafeStart: row, count: rowBytes)
      if line == 0 {
        filter.restore(source, above: zeros.span, to: &target, pixelBytes: pixelBytes)
      } else {
        let above = unsafe Span(_unsafeStart: UnsafePointer(row - rowBytes), count: rowBytes)
        filter.restore(source, above: above, to: &target, pixelBytes: pixelBytes)
      }
      return
    }
    if line == 0 {
      above = [UInt8](repeating: 0, count: rowBytes)
      next = above
    }
    let previous = above
    var row = next.mutableSpan
    filter.restore(source, above: previous.span, to: &row, pixelBytes: pixelBytes)
    if let reducer, reader.isPlain {
      reducer.add(next.span)
    } else if let reducer {
      // The only pass begins in the first column, and the samples are those of a row.
      unsafe reader.unpack(next.span, line: 0, of: current, to: samples)
      reducer.add(unsafe Span(_unsafeStart: samples, count: header.width * reader.pixelBytes))
    } else {
      // The line is one of the pass.
      unsafe reader.unpack(next.span, line: line, of: current, to: samples)
    }
    swap(&above, &next)
  }
}
