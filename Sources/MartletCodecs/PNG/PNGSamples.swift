//===--- PNGSamples.swift - from restored rows to samples -----------------===//
//
// A pixel of one sample of at most 8 bits (a palette index, or a gray that does
// not stand for itself) is looked up in a table that has its output samples,
// alpha too. All other pixels are copied sample by sample, and where the file
// names a transparent color, compared with it.
//
// Contract  Palette indices past the palette's end are opaque black. Greys of
//           fewer bits are spread over 0...255. Of a 16-bit sample the first
//           bytes are kept: one for an 8-bit image (libpng's strip-16, and
//           Pillow's RGB), both for an exact one. The transparent color is
//           compared before that.
// Cost      One pass.
// Source    PNG (third edition) sections 7.2, 11.2.2, 11.3.1, 13.12
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// Turns the restored rows of a PNG image into samples.
struct PNGSamples {
  /// The number of output samples of a pixel.
  let channels: Int
  private let header: PNGHeader
  /// The bytes of a pixel that every index or gray becomes; empty if pixels are copied.
  private let table: [UInt8]
  /// The bytes of the transparent color as pixels have them; empty without one.
  private let key: [UInt8]
  /// The number of bytes that a copied sample has in the file and in the output.
  private let sampleBytes, keptBytes: Int

  /// Prepares for an image's rows. 16-bit samples lose their second byte if `isReduced`.
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

  /// The bytes of an output pixel.
  var pixelBytes: Int { channels * keptBytes }

  /// Whether a restored row of the image is as its samples are.
  var isPlain: Bool {
    table.isEmpty && key.isEmpty && keptBytes == sampleBytes && !header.isInterlaced
  }

  /// Writes the samples of row `line` of a pass, whose restored bytes are at `row`.
  ///
  /// 16-bit samples that are kept whole have their high byte first.
  func unpack(
    _ row: UnsafePointer<UInt8>, line: Int, of pass: PNGPass,
    to samples: UnsafeMutablePointer<UInt8>
  ) {
    let start = ((pass.y + line * pass.dy) * header.width + pass.x) * pixelBytes
    let step = pass.dx * pixelBytes
    if table.isEmpty {
      copy(row, to: samples + start, count: pass.width, step: step)
    } else {
      lookUp(row, to: samples + start, count: pass.width, step: step)
    }
  }

  private func lookUp(
    _ row: UnsafePointer<UInt8>, to samples: UnsafeMutablePointer<UInt8>, count: Int, step: Int
  ) {
    let (bits, mask) = (header.bitDepth, 1 << header.bitDepth - 1)
    let channels = channels
    table.withUnsafeBufferPointer { table in
      var target = samples
      for x in 0..<count {
        let bit = x &* bits
        let value = Int(row[bit &>> 3]) &>> (8 &- bits &- bit & 7) & mask
        for channel in 0..<channels { target[channel] = table[value &* channels &+ channel] }
        target += step
      }
    }
  }

  private func copy(
    _ row: UnsafePointer<UInt8>, to samples: UnsafeMutablePointer<UInt8>, count: Int, step: Int
  ) {
    let colors = header.colorType.samples
    var (source, target) = (row, samples)
    for _ in 0..<count {
      for sample in 0..<colors {
        for byte in 0..<keptBytes {
          target[sample &* keptBytes &+ byte] = source[sample &* sampleBytes &+ byte]
        }
      }
      if !key.isEmpty {
        let alpha: UInt8 = isTransparent(source) ? 0 : 255
        for byte in 0..<keptBytes { target[colors &* keptBytes &+ byte] = alpha }
      }
      source += colors &* sampleBytes
      target += step
    }
  }

  private func isTransparent(_ pixel: UnsafePointer<UInt8>) -> Bool {
    for index in key.indices where pixel[index] != key[index] { return false }
    return true
  }
}
