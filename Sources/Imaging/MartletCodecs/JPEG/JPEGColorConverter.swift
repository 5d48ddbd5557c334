//===--- JPEGColorConverter.swift - components to RGB ---------------------===//
//
// A microkernel converts YCbCr (see `Uint8YCbCr.swift`). Four components are CMYK or YCCK, stored
// inverted: C' = 255 - C. They become R = K' - (255 - C') K' / 255, with the quotient rounded.
//
// Contract  Products are rounded as in the tables of common decoders, so the samples are identical.
// Cost      One pass over a cached row.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletMicrokernels

/// One row of samples of each component, in memory that is readable up to a multiple of 16 samples;
/// missing components repeat the first.
@safe struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

/// Converts rows of components to rows of pixels.
struct JPEGColorConverter {
  let color: JPEGColor
  let width: Int
  /// Looked up once for all rows.
  private let convertYCbCr = Microkernels.pixels.uint8YCbCr

  init(color: JPEGColor, width: Int) {
    self.color = color
    self.width = width
  }

  /// Writes one row of pixels from one row of each component. All of them have room for `width`
  /// pixels, to which each loop below is limited.
  func convert(_ rows: JPEGRows, to pixels: UnsafeMutablePointer<UInt8>) {
    switch color {
    case .gray: unsafe pixels.update(from: rows.first, count: width)
    case .rgb: unsafe interleave(rows, pixels)
    case .pair:
      for x in 0..<width {
        unsafe pixels[2 &* x] = rows.first[x]
        unsafe pixels[2 &* x &+ 1] = rows.second[x]
      }
    case .inks:
      for x in 0..<width {
        unsafe pixels[4 &* x] = rows.first[x]
        unsafe pixels[4 &* x &+ 1] = rows.second[x]
        unsafe pixels[4 &* x &+ 2] = rows.third[x]
        unsafe pixels[4 &* x &+ 3] = rows.fourth[x]
      }
    case .yCbCr: unsafe convertYCbCr(samples(rows, pixels))
    case .cmyk:
      unsafe interleave(rows, pixels)
      for i in 0..<3 * width { unsafe pixels[i] = 255 - pixels[i] }
      unsafe printBlack(rows.fourth, on: pixels)
    case .yCbCrK:
      unsafe convertYCbCr(samples(rows, pixels))
      unsafe printBlack(rows.fourth, on: pixels)
    }
  }

  private func samples(_ rows: JPEGRows, _ pixels: UnsafeMutablePointer<UInt8>) -> Uint8YCbCr {
    unsafe Uint8YCbCr(y: rows.first, cb: rows.second, cr: rows.third, count: width, rgb: pixels)
  }

  private func interleave(_ rows: JPEGRows, _ pixels: UnsafeMutablePointer<UInt8>) {
    for x in 0..<width {
      unsafe pixels[3 &* x] = rows.first[x]
      unsafe pixels[3 &* x &+ 1] = rows.second[x]
      unsafe pixels[3 &* x &+ 2] = rows.third[x]
    }
  }

  /// Applies black to pixels that hold the amounts of cyan, magenta and yellow.
  private func printBlack(
    _ black: UnsafePointer<UInt8>, on pixels: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<width {
      let light = unsafe Int(black[x])
      for index in 3 * x..<3 * x + 3 {
        let product = unsafe Int(pixels[index]) * light + 128
        unsafe pixels[index] = UInt8(clamping: light - (product >> 8 + product) >> 8)
      }
    }
  }
}
