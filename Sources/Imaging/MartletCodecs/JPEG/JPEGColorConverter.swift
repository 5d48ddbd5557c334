//===--- JPEGColorConverter.swift - components to RGB ---------------------===//
//
// A microkernel converts YCbCr (see `Uint8YCbCr.swift`). Four components are CMYK or YCCK, stored
// inverted: C' = 255 - C. They become R = K' - (255 - C') K' / 255, with the quotient rounded.
//
// Contract  Products are rounded as in the tables of common decoders, so the samples are identical.
// Cost      One pass over a cached row.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels

/// One row of samples of each component; missing components repeat the first.
struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

/// Converts rows of components to rows of pixels.
struct JPEGColorConverter {
  let color: JPEGColor
  let width: Int

  /// Writes one row of pixels from one row of each component.
  func convert(_ rows: JPEGRows, to pixels: UnsafeMutablePointer<UInt8>) {
    switch color {
    case .gray: pixels.update(from: rows.first, count: width)
    case .rgb: interleave(rows, pixels)
    case .yCbCr: convertYCbCr(rows, pixels)
    case .cmyk:
      interleave(rows, pixels)
      for i in 0..<3 * width { pixels[i] = 255 - pixels[i] }
      printBlack(rows.fourth, on: pixels)
    case .yCbCrK:
      convertYCbCr(rows, pixels)
      printBlack(rows.fourth, on: pixels)
    }
  }

  private func convertYCbCr(_ rows: JPEGRows, _ pixels: UnsafeMutablePointer<UInt8>) {
    Microkernels.current.uint8YCbCr(
      Uint8YCbCr(y: rows.first, cb: rows.second, cr: rows.third, count: width, rgb: pixels))
  }

  private func interleave(_ rows: JPEGRows, _ pixels: UnsafeMutablePointer<UInt8>) {
    for x in 0..<width {
      pixels[3 &* x] = rows.first[x]
      pixels[3 &* x &+ 1] = rows.second[x]
      pixels[3 &* x &+ 2] = rows.third[x]
    }
  }

  /// Applies black to pixels that hold the amounts of cyan, magenta and yellow.
  private func printBlack(
    _ black: UnsafePointer<UInt8>, on pixels: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<width {
      let light = Int(black[x])
      for channel in 0..<3 {
        let product = Int(pixels[3 * x + channel]) * light + 128
        pixels[3 * x + channel] = UInt8(clamping: light - (product >> 8 + product) >> 8)
      }
    }
  }
}
