//===--- TIFFSamples.swift - rows of segments to samples ------------------===//
//
// rows of planes ▶ differences are summed ▶ 8 bits ▶ colors
//
// Contract  Of samples of more than 8 bits the highest 8 are kept, fewer are scaled to 0...255.
//           Floating-point numbers are clamped to 0...255 and rounded down. CMYK is converted without
//           a color profile, as in Pillow. Premultiplied colors are divided by alpha, rounded down.
// Source    TIFF 6.0 sections 4 to 6, 14, 16 and 18
//===----------------------------------------------------------------------===//

import MartletBase

/// Converts rows of segments to samples.
struct TIFFSamples {
  private let layout: TIFFLayout
  private let order: ByteOrder
  /// The value in 8 bits of each sample of fewer bits; empty for others and for a palette.
  private let levels: [UInt8]
  private let zeros: [UInt8]
  /// The tables of YCbCr; `nil` for other colors.
  private let yCbCr: TIFFYCbCr?
  /// A row of a plane after the differences were summed.
  private var restored: [UInt8]
  /// The number of samples of a pixel that its color depends on, which are the first.
  private let used: Int
  /// The used samples of a row of pixels, in 8 bits.
  private var values: [UInt8]

  init(_ layout: TIFFLayout, _ directory: TIFFDirectory) {
    (self.layout, order) = (layout, directory.order)
    yCbCr = layout.color == .yCbCr ? TIFFYCbCr(directory) : nil
    let highest = 1 << layout.bits - 1
    let isScaled = layout.bits < 8 && layout.color != .palette
    levels = isScaled ? (0...highest).map { UInt8($0 * 255 / highest) } : []
    // The filter may read up to four bytes at a time.
    zeros = [UInt8](repeating: 0, count: layout.rowBytes)
    restored = zeros
    used =
      switch layout.color {
      case .gray, .invertedGray, .rgb: layout.channels
      case .palette: 1
      case .yCbCr: 3
      case .cmyk: 4
      }
    values = [UInt8](repeating: 0, count: layout.segmentWidth * used)
  }

  /// Writes `count` pixels of row `line` of a segment, given by its planes, to `pixels` from
  /// `place` on.
  mutating func convert(
    _ planes: [[UInt8]], line: Int, count: Int, to pixels: inout MutableSpan<UInt8>, _ place: Int
  ) {
    precondition(place >= 0 && place + count * layout.channels <= pixels.count)
    let unitRow = line / layout.unit.height
    let range = unitRow * layout.rowBytes..<(unitRow + 1) * layout.rowBytes
    if layout.unit != (1, 1) {
      let plane = planes[0]
      spread(plane.span.extracting(range), line: line % layout.unit.height)
      return color(values.span, samples: used, count: count, to: &pixels, place)
    }
    let isPlain = layout.bits == 8 && planes.count == 1 && layout.color != .invertedGray
    if isPlain, !layout.isPredicted {
      let plane = planes[0]
      return color(
        plane.span.extracting(range), samples: layout.samples, count: count, to: &pixels, place)
    }
    for (index, plane) in planes.prefix(used).enumerated() {
      let row = plane.span.extracting(range)
      if layout.isPredicted { sum(row) }
      if !isPlain, !layout.isPredicted { unpack(row, plane: index) }
      if !isPlain, layout.isPredicted {
        let restored = restored
        unpack(restored.span, plane: index)
      }
    }
    if isPlain {
      color(restored.span, samples: layout.samples, count: count, to: &pixels, place)
    } else {
      color(values.span, samples: used, count: count, to: &pixels, place)
    }
  }

  /// Adds to each sample the one of the pixel to the left.
  private mutating func sum(_ row: Span<UInt8>) {
    let samples = layout.planeSamples
    guard layout.bits == 16 else {
      let zeros = zeros
      var target = restored.mutableSpan
      PNGFilter.sub.restore(row, above: zeros.span, to: &target, pixelBytes: samples)
      return
    }
    let high = order == .big ? 0 : 1
    var sums = [UInt16](repeating: 0, count: samples)
    for index in 0..<row.count / 2 {
      let value = UInt16(row[2 * index + high]) << 8 | UInt16(row[2 * index + 1 - high])
      sums[index % samples] &+= value
      restored[2 * index + high] = UInt8(sums[index % samples] >> 8)
      restored[2 * index + 1 - high] = UInt8(truncatingIfNeeded: sums[index % samples])
    }
  }

  /// Writes a row of pixels from units that share their chroma.
  private mutating func spread(_ row: Span<UInt8>, line: Int) {
    let (width, luma) = (layout.unit.width, layout.unit.width * layout.unit.height)
    for x in 0..<layout.segmentWidth {
      let start = x / width * (luma + 2)
      values[3 * x] = row[start + line * width + x % width]
      values[3 * x + 1] = row[start + luma]
      values[3 * x + 2] = row[start + luma + 1]
    }
  }

  /// Writes the used samples of a plane's row to the row of pixels.
  private mutating func unpack(_ row: Span<UInt8>, plane: Int) {
    let bits = layout.bits
    let inversion: UInt8 = layout.color == .invertedGray ? 255 : 0
    let high = order == .big ? 0 : 1
    // A bit of the place of a byte in a number is inverted if the lowest byte is the first.
    let lowest = order == .big ? 0 : 3
    let levels = levels
    precondition(row.count == (layout.segmentWidth * layout.planeSamples * bits + 7) / 8)
    switch bits {
    case 8:
      store(plane) { row[$0] ^ inversion }
    case 16:
      store(plane) { row[2 * $0 + high] ^ inversion }
    case 32:
      store(plane) { index in
        var bits: UInt32 = 0
        for byte in 0..<4 { bits = bits << 8 | UInt32(row[4 * index + (byte ^ lowest)]) }
        let value = Float(bitPattern: bits)
        return value >= 255 ? 255 : value > 0 ? UInt8(value) : 0
      }
    case 1, 2, 4:
      // The value of each sample is that of a byte's bits, the highest first.
      let mask = 1 << bits - 1
      let values = levels.isEmpty ? (0...mask).map { UInt8($0) } : levels.map { $0 ^ inversion }
      store(plane) { index in
        values[Int(row[(index * bits) >> 3] >> (8 - bits - index * bits & 7)) & mask]
      }
    default:
      store(plane) { index in
        let value = Self.bits(bits, at: index * bits, of: row)
        let level =
          levels.isEmpty
          ? UInt8(truncatingIfNeeded: bits > 8 ? value >> (bits - 8) : value) : levels[value]
        return level ^ inversion
      }
    }
  }

  /// Writes the used samples of a plane's row, given by their index in it, to the row of pixels.
  @inline(__always)
  private mutating func store(_ plane: Int, _ sample: (Int) -> UInt8) {
    let (width, stride, used) = (layout.segmentWidth, layout.planeSamples, used)
    let range = layout.planes == 1 ? 0..<used : plane..<plane + 1
    var values = values.mutableSpan
    for pixel in 0..<width {
      for index in range {
        values[pixel * used + index] = sample(pixel * stride + index - range.lowerBound)
      }
    }
  }

  /// The number of `count` bits, at most 16, at `place`, the highest bit first.
  private static func bits(_ count: Int, at place: Int, of row: Span<UInt8>) -> Int {
    let first = place >> 3
    var window = 0
    for index in first..<first + 3 {
      window = window << 8 | (index < row.count ? Int(row[index]) : 0)
    }
    return window >> (24 - place & 7 - count) & (1 << count - 1)
  }

  /// Converts pixels of `samples` samples to colors.
  private func color(
    _ values: Span<UInt8>, samples: Int, count: Int, to pixels: inout MutableSpan<UInt8>,
    _ place: Int
  ) {
    let channels = layout.channels
    switch layout.color {
    case .gray, .invertedGray, .rgb:
      if samples == channels {
        for index in 0..<count * channels {
          // Checked by the caller; the values have `samples` for each pixel.
          unsafe pixels[unchecked: place &+ index] = values[unchecked: index]
        }
      } else {
        for index in 0..<count {
          for channel in 0..<channels {
            pixels[place + index * channels + channel] = values[index * samples + channel]
          }
        }
      }
    case .palette:
      for index in 0..<count {
        let color = 3 * Int(values[index * samples])
        for channel in 0..<3 {
          pixels[place + 3 * index + channel] = layout.palette[color + channel]
        }
      }
    case .yCbCr:
      for index in 0..<count {
        let start = index * samples
        let target = place + 3 * index
        (pixels[target], pixels[target + 1], pixels[target + 2]) =
          yCbCr?.rgb(values[start], values[start + 1], values[start + 2]) ?? (0, 0, 0)
      }
    case .cmyk:
      for index in 0..<count {
        let light = 255 - Int(values[index * samples + 3])
        for channel in 0..<3 {
          let product = Int(values[index * samples + channel]) * light + 128
          pixels[place + 3 * index + channel] =
            UInt8(clamping: light - (product >> 8 + product) >> 8)
        }
      }
    }
    if layout.alpha == .premultiplied { divide(count, &pixels, place) }
  }

  /// Divides colors by their alpha.
  private func divide(_ count: Int, _ pixels: inout MutableSpan<UInt8>, _ place: Int) {
    let channels = layout.channels
    for index in 0..<count {
      let start = place + index * channels
      let alpha = Int(pixels[start + channels - 1])
      for channel in 0..<channels - 1 {
        let value = Int(pixels[start + channel])
        pixels[start + channel] = alpha == 0 ? 0 : UInt8(clamping: value * 255 / alpha)
      }
    }
  }
}
