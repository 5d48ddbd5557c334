//===--- GIFCanvas.swift - composition of GIF frames ----------------------===//
//
// Contract  The canvas has the size of the logical screen or, if it is larger, the extent of the
//           first frame; later frames are clipped. Before the first frame, the canvas has that
//           frame's transparent color, or else its first color. Restoring the background fills the
//           frame with its transparent color or, without one, the background color; with its first
//           color if its table has no such color (as Pillow).
// Source    GIF89a section 23
//===----------------------------------------------------------------------===//

import MartletBase
import struct MartletImage.ImageLimits

/// The image that frames are drawn on.
struct GIFCanvas {
  /// What happens to a frame before the next one is drawn.
  private enum Disposal {
    case keep
    case fill(columns: Range<Int>, rows: Range<Int>, pixel: [UInt8])
    case restore(columns: Range<Int>, rows: Range<Int>, samples: [UInt8])
  }

  let width, height: Int
  /// 3, or 4 with alpha.
  let channels: Int
  private(set) var samples: [UInt8]
  private let background: UInt8
  /// Whether each frame becomes an image of its own, so that the canvas is copied before it changes.
  private let isVideo: Bool
  private var disposal = Disposal.keep

  /// A canvas for a file's first frame.
  init(
    _ first: GIFFrame, in blocks: GIFBlocks, hasAlpha: Bool, isVideo: Bool = false,
    _ limits: ImageLimits
  ) throws(GIFError) {
    self.isVideo = isVideo
    width = max(blocks.width, first.x + first.width)
    height = max(blocks.height, first.y + first.height)
    channels = hasAlpha ? 4 : 3
    background = blocks.background
    samples = []
    try check(first, limits)
    samples = [UInt8](repeating: 0, count: width * height * channels)
    let isCovered = first.width == width && first.height == height
    if !isCovered { fill(0..<width, 0..<height, pixel(of: first.fillIndex, first)) }
  }

  /// Throws if a frame or the canvas is empty or too large.
  private func check(_ frame: GIFFrame, _ limits: ImageLimits) throws(GIFError) {
    for (width, height) in [(frame.width, frame.height), (width, height)]
    where !Limits.allow(width: width, height: height) {
      throw .badSize(width: width, height: height)
    }
    // The indices, the codes, the frame before, and what is or will be restored.
    let area = Int64(frame.width) * Int64(frame.height)
    let restored = frame.control.disposal > 2 ? area * Int64(channels) : 0
    let copy = isVideo ? 3 * Int64(width) * Int64(height) : 0
    try Limits.check(
      width: width, height: height, channels: channels,
      working: area + copy + max(restored, Int64(restoredCount)) + Int64(frame.data.count),
      limits, GIFError.memory)
  }

  /// The memory of the canvas, of its copy, and of what will be restored.
  var byteCount: Int { 2 * samples.count + restoredCount }

  /// The number of samples that will be restored.
  private var restoredCount: Int {
    if case .restore(_, _, let samples) = disposal { samples.count } else { 0 }
  }

  /// Disposes of the frame before, then draws a frame.
  mutating func draw(
    _ frame: GIFFrame, _ limits: ImageLimits, _ work: DecodingWork,
    _ damage: inout Damage<GIFError>
  ) throws(GIFError) {
    try check(frame, limits)
    work.allow(bytes: frame.data.count)
    work.allow(samples: Int64(samples.count))
    let indices = try frame.indices(work, &damage)
    try work.charge(samples.count, GIFError.stopped)
    dispose()
    let columns = (frame.x..<frame.x + frame.width).clamped(to: 0..<width)
    let rows = (frame.y..<frame.y + frame.height).clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return }
    disposal = disposal(of: frame, columns, rows)
    let kept = frame.number > 0 ? frame.control.transparentIndex.map { Int($0) } : nil
    let table = (UInt8.min...UInt8.max).map { index in
      pixel(of: index, frame).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    for (line, row) in frame.rows.enumerated() where rows.contains(frame.y + row) {
      let (source, target) = (line * frame.width, (frame.y + row) * width + frame.x)
      draw(
        indices.span.extracting(source..<source + columns.count), at: target, table.span, kept ?? -1
      )
    }
  }

  /// Draws a row of indices at pixel `target`, except those that equal `kept`. The lowest byte of a
  /// color in the table is its first sample.
  private mutating func draw(
    _ indices: Span<UInt8>, at target: Int, _ table: Span<UInt32>, _ kept: Int
  ) {
    let (channels, hasAlpha) = (channels, channels == 4)
    var place = target * channels
    var pixels = samples.mutableSpan
    precondition(place >= 0 && place + indices.count * channels <= pixels.count)
    for x in indices.indices {
      // The table has all 256 colors, and the samples have room for the indices.
      let index = unsafe Int(indices[unchecked: x])
      if index != kept {
        let color = unsafe table[unchecked: index]
        unsafe pixels[unchecked: place] = UInt8(truncatingIfNeeded: color)
        unsafe pixels[unchecked: place &+ 1] = UInt8(truncatingIfNeeded: color &>> 8)
        unsafe pixels[unchecked: place &+ 2] = UInt8(truncatingIfNeeded: color &>> 16)
        if hasAlpha {
          unsafe pixels[unchecked: place &+ 3] = UInt8(truncatingIfNeeded: color &>> 24)
        }
      }
      place &+= channels
    }
  }

  /// The samples of an index.
  private func pixel(of index: UInt8, _ frame: GIFFrame) -> [UInt8] {
    let color = frame.color(index)
    let alpha: UInt8 = index == frame.control.transparentIndex ? 0 : 255
    return Array([color.red, color.green, color.blue, alpha].prefix(channels))
  }

  private func disposal(
    of frame: GIFFrame, _ columns: Range<Int>, _ rows: Range<Int>
  ) -> Disposal {
    let transparent = frame.control.transparentIndex
    // There is nothing before the first frame: unless it has a transparent color, it stays.
    let isFirst = frame.number == 0
    guard frame.control.disposal > 1, frame.control.disposal == 2 || !isFirst || transparent != nil
    else { return .keep }
    if frame.control.disposal == 2 || isFirst {
      let index = transparent ?? background
      let isKnown = frame.colors.map { 3 * Int(index) < $0.count } ?? true
      let known = isFirst || isKnown ? index : 0
      return .fill(columns: columns, rows: rows, pixel: pixel(of: known, frame))
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(rows.count * columns.count * channels)
    for row in rows {
      let start = (row * width + columns.lowerBound) * channels
      pixels += samples[start..<start + columns.count * channels]
    }
    return .restore(columns: columns, rows: rows, samples: pixels)
  }

  private mutating func dispose() {
    switch disposal {
    case .keep: break
    case .fill(let columns, let rows, let pixel): fill(columns, rows, pixel)
    case .restore(let columns, let rows, let pixels):
      let size = columns.count * channels
      for (line, row) in rows.enumerated() {
        let start = (row * width + columns.lowerBound) * channels
        samples.replaceSubrange(
          start..<start + size, with: pixels[line * size..<(line + 1) * size])
      }
    }
    disposal = .keep
  }

  private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ pixel: [UInt8]) {
    let filled = Array(repeatElement(pixel, count: columns.count).joined())
    for row in rows {
      let start = (row * width + columns.lowerBound) * channels
      samples.replaceSubrange(start..<start + filled.count, with: filled)
    }
  }
}
