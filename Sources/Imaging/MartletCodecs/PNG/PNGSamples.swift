//===--- PNGSamples.swift - restored rows to samples ----------------------===//
//
// Pixels of one sample of at most 8 bits (palette indices, and grays that need scaling or a
// transparent color) are converted by a table of output samples, including alpha. Other pixels are
// copied sample by sample and compared with the transparent color, if there is one.
//
// Contract  Palette indices beyond the palette are opaque black. Grays of fewer bits are scaled to
//           0...255. Of a 16-bit sample, an 8-bit image keeps the first byte (as libpng's strip-16
//           and Pillow's RGB), an exact one both. The transparent color is compared before that.
// Cost      One pass.
// Source    PNG (third edition) sections 7.2, 11.2.2, 11.3.1, 13.12
//===----------------------------------------------------------------------===//

import MartletBase

/// Converts the restored rows of a PNG image to samples.
struct PNGSamples {
  /// The number of output samples per pixel.
  let channels: Int
  private let header: PNGHeader
  /// The output samples of every index or gray; empty if pixels are copied.
  private let table: [UInt8]
  /// The bytes of the transparent color in the file's layout; empty without one.
  private let key: [UInt8]
  /// The number of bytes of a copied sample in the file and in the output.
  private let sampleBytes, keptBytes: Int

  /// A converter for an image's rows; unless it `isExact`, the second byte of 16-bit samples is dropped.
  init(_ chunks: PNGChunks, isExact: Bool = false) {
    header = chunks.header
    let transparency = chunks.transparency
    let colors = header.colorType == .palette ? 3 : header.colorType.samples
    channels = colors + (transparency == nil ? 0 : 1)
    sampleBytes = header.bitDepth > 8 ? 2 : 1
    keptBytes = isExact ? sampleBytes : 1
    switch header.colorType {
    case .palette:
      table = Self.table(palette: chunks.palette, alphas: transparency)
      key = []
    case .gray where header.bitDepth < 8 || header.bitDepth == 8 && transparency != nil:
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

  /// The number of bytes of an output pixel.
  var pixelBytes: Int { channels * keptBytes }

  /// Whether restored rows already have the layout of the samples.
  var isPlain: Bool {
    table.isEmpty && key.isEmpty && keptBytes == sampleBytes && !header.isInterlaced
  }

  /// Writes the samples of row `line` of a pass from its restored bytes, with which `row` begins.
  /// `samples` must have room for the whole image.
  ///
  /// 16-bit samples that are kept have their high byte first.
  func unpack(
    _ row: Span<UInt8>, line: Int, of pass: PNGPass, to samples: UnsafeMutablePointer<UInt8>
  ) {
    precondition(row.count >= header.rowBytes(width: pass.width))
    let start = ((pass.y + line * pass.dy) * header.width + pass.x) * pixelBytes
    let step = pass.dx * pixelBytes
    if table.isEmpty {
      unsafe copy(row, to: samples + start, count: pass.width, step: step)
    } else {
      unsafe lookUp(row, to: samples + start, count: pass.width, step: step)
    }
  }

  /// The row has `count` values, which the table covers, and the samples as many pixels.
  private func lookUp(
    _ row: Span<UInt8>, to samples: UnsafeMutablePointer<UInt8>, count: Int, step: Int
  ) {
    let (bits, mask) = (header.bitDepth, 1 << header.bitDepth - 1)
    let channels = channels
    let table = table.span
    var target = unsafe samples
    for x in 0..<count {
      let bit = x &* bits
      let packed = unsafe Int(row[unchecked: bit &>> 3])
      let first = (packed &>> (8 &- bits &- bit & 7) & mask) &* channels
      for channel in 0..<channels {
        unsafe target[channel] = table[unchecked: first &+ channel]
      }
      unsafe target += step
    }
  }

  /// The row and the samples have `count` pixels.
  private func copy(
    _ row: Span<UInt8>, to samples: UnsafeMutablePointer<UInt8>, count: Int, step: Int
  ) {
    let colors = header.colorType.samples
    if key.isEmpty, keptBytes == 1 {
      let sampleBytes = sampleBytes
      for sample in 0..<colors {
        var (source, target) = unsafe (sample &* sampleBytes, samples + sample)
        for _ in 0..<count {
          unsafe target.pointee = row[unchecked: source]
          source &+= colors &* sampleBytes
          unsafe target += step
        }
      }
      return
    }
    var (source, target) = unsafe (0, samples)
    for _ in 0..<count {
      for sample in 0..<colors {
        for byte in 0..<keptBytes {
          unsafe target[sample &* keptBytes &+ byte] =
            row[unchecked: source &+ sample &* sampleBytes &+ byte]
        }
      }
      if !key.isEmpty {
        let alpha: UInt8 = isTransparent(row, source) ? 0 : 255
        for byte in 0..<keptBytes { unsafe target[colors &* keptBytes &+ byte] = alpha }
      }
      source += colors &* sampleBytes
      unsafe target += step
    }
  }

  /// Whether the pixel at `start` has the transparent color.
  private func isTransparent(_ row: Span<UInt8>, _ start: Int) -> Bool {
    for index in key.indices where row[start + index] != key[index] { return false }
    return true
  }
}
