//===--- PNGSamples.swift - from restored rows to samples -----------------===//
//
// A pixel of one sample of at most 8 bits (a palette index or a grey) is
// looked up in a table that has its output samples, alpha too. All other
// pixels are copied sample by sample, and where the file names a transparent
// colour, compared with it.
//
// Contract  Palette indices past the palette's end are opaque black. Greys of
//           fewer bits are spread over 0...255. Of a 16-bit sample the first
//           bytes are kept: one for an 8-bit picture (libpng's strip-16, and
//           Pillow's RGB), both for an exact one. The transparent colour is
//           compared before that.
// Cost      One pass.
// Source    PNG (third edition) sections 7.2, 11.2.2, 11.3.1, 13.12
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// Turns the restored rows of a PNG picture into samples.
struct PNGSamples {
  /// The number of output samples of a pixel.
  let channels: Int
  private let header: PNGHeader
  /// The bytes of a pixel that every index or grey becomes; empty if pixels are copied.
  private let table: [UInt8]
  /// The bytes of the transparent colour as pixels have them; empty without one.
  private let key: [UInt8]
  /// The number of bytes that a copied sample has in the file and in the output.
  private let sampleBytes, keptBytes: Int

  /// Prepares for a picture's rows. 16-bit samples lose their second byte if `isReduced`.
  init(_ chunks: PNGChunks, isReduced: Bool) {
    header = chunks.header
    let transparency = chunks.transparency
    let colors = header.colorType == .palette ? 3 : header.colorType.samples
    channels = colors + (transparency == nil ? 0 : 1)
    sampleBytes = header.bitDepth > 8 ? 2 : 1
    keptBytes = isReduced ? 1 : sampleBytes
    switch header.colorType {
    case .palette:
      table = Self.table(palette: chunks.palette, alphas: transparency)
      key = []
    case .gray where header.bitDepth <= 8:
      table = Self.table(bitDepth: header.bitDepth, key: transparency?.uint16(at: 0, .big))
      key = []
    default:
      let skipped = 2 - sampleBytes
      table = []
      key = (transparency ?? []).enumerated().filter { $0.offset % 2 >= skipped }.map { $0.element }
    }
  }

  private static func table(palette: [UInt8], alphas: [UInt8]?) -> [UInt8] {
    var table: [UInt8] = []
    for index in 0..<256 {
      let isInside = index * 3 < palette.count
      table += isInside ? palette[index * 3..<index * 3 + 3] : [0, 0, 0]
      if let alphas { table.append(index < alphas.count ? alphas[index] : 255) }
    }
    return table
  }

  private static func table(bitDepth: Int, key: Int?) -> [UInt8] {
    let highest = 1 << bitDepth - 1
    var table: [UInt8] = []
    for value in 0...highest {
      table.append(UInt8(value * 255 / highest))
      if let key { table.append(key & highest == value ? 0 : 255) }
    }
    return table
  }

  /// The samples of the rows in `rows`, each behind its filter type, pass by pass.
  ///
  /// 16-bit samples that are kept whole have their high byte first.
  func unpack(_ rows: [UInt8]) -> [UInt8] {
    let pixelBytes = channels * keptBytes
    var output = [UInt8](repeating: 0, count: header.width * header.height * pixelBytes)
    var samples = output.mutableSpan
    var row = 0
    for pass in PNGPass.all(of: header) {
      for line in 0..<pass.height {
        let start = ((pass.y + line * pass.dy) * header.width + pass.x) * pixelBytes
        let place = Place(width: pass.width, start: start, step: pass.dx * pixelBytes)
        if table.isEmpty {
          copy(rows.span, row: row + 1, into: &samples, place)
        } else {
          lookUp(rows.span, row: row + 1, into: &samples, place)
        }
        row += 1 + header.rowBytes(width: pass.width)
      }
    }
    return output
  }

  /// Where the pixels of a row go: every `step` bytes from `start` on.
  private struct Place {
    let width, start, step: Int
  }

  private func lookUp(
    _ rows: Span<UInt8>, row: Int, into samples: inout MutableSpan<UInt8>, _ place: Place
  ) {
    let (bits, mask) = (header.bitDepth, 1 << header.bitDepth - 1)
    let colors = table.span
    var target = place.start
    for x in 0..<place.width {
      let bit = x * bits
      let value = Int(rows[row + bit >> 3]) >> (8 - bits - bit & 7) & mask
      for channel in 0..<channels { samples[target + channel] = colors[value * channels + channel] }
      target += place.step
    }
  }

  private func copy(
    _ rows: Span<UInt8>, row: Int, into samples: inout MutableSpan<UInt8>, _ place: Place
  ) {
    let count = header.colorType.samples
    if place.step == count * sampleBytes, key.isEmpty, keptBytes == sampleBytes {
      for index in 0..<place.width * place.step { samples[place.start + index] = rows[row + index] }
      return
    }
    var (source, target) = (row, place.start)
    for _ in 0..<place.width {
      for sample in 0..<count {
        for byte in 0..<keptBytes {
          samples[target + sample * keptBytes + byte] = rows[source + sample * sampleBytes + byte]
        }
      }
      if !key.isEmpty {
        let alpha: UInt8 = isTransparent(rows, at: source) ? 0 : 255
        for byte in 0..<keptBytes { samples[target + count * keptBytes + byte] = alpha }
      }
      source += count * sampleBytes
      target += place.step
    }
  }

  private func isTransparent(_ rows: Span<UInt8>, at pixel: Int) -> Bool {
    for index in key.indices where rows[pixel + index] != key[index] { return false }
    return true
  }
}
