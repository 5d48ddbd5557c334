//===--- JPEGColorConverter.swift - from components to red, green, blue ---===//
//
// Luma and color differences become colors by a microkernel (see `Uint8YCbCr.swift`). Four
// components are ink, stored inverted: C' = 255 - C. They become R = K' - (255 - C') K' / 255, the
// quotient rounded.
//
// Contract  The rounding of each product is that of the widespread decoders' tables, so the samples
//           are the same numbers.
// Cost      One pass over a row in the cache.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels

/// The samples of one row of each component; those that a frame lacks repeat the first.
struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

/// Makes rows of pixels out of rows of components.
struct JPEGColorConverter {
  let color: JPEGColor
  let width: Int

  /// Writes the pixels made of one row of each component.
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

  /// Prints black over pixels that hold amounts of cyan, magenta and yellow.
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
