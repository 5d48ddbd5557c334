//===--- TIFFColors.swift - YCbCr to RGB ----------------------------------===//
//
// Contract  YCbCr equals libtiff's `TIFFYCbCrtoRGB`, with the file's coefficients and reference values.
//           Fixed point: the same samples on every machine.
// Source    TIFF 6.0, sections 20 and 21
//===----------------------------------------------------------------------===//

/// Tables for YCbCr of 8 bits.
struct TIFFYCbCr {
  /// For each value: its luma, and what red chroma adds to red and green, and blue chroma to blue and
  /// green. Green has 16 fraction bits.
  private let luma, redToRed, redToGreen, blueToBlue, blueToGreen: [Int32]

  /// Tables for an image. Damaged values count as missing.
  init(_ directory: TIFFDirectory) {
    var weights = directory.fractions(.yCbCrCoefficients, count: 3) ?? []
    if weights.count < 3 || weights[1] == 0 { weights = [0.299, 0.587, 0.114] }
    let references =
      directory.fractions(.referenceBlackWhite, count: 6) ?? [0, 255, 128, 255, 128, 255]
    let (red, blue) = (2 - 2 * weights[0], 2 - 2 * weights[2])
    let factors = [red, weights[0] * red / weights[1], blue, weights[2] * blue / weights[1]].map {
      Int32(Double(min(max($0, 0), 2) * 65536) + 0.5)
    }
    luma = (0...255).map { Self.value($0, black: references[0], white: references[1], range: 255) }
    func chroma(_ black: Float, _ white: Float) -> [Int32] {
      (-128...127).map { Self.value($0, black: black - 128, white: white - 128, range: 127) }
    }
    let blues = chroma(references[2], references[3])
    let reds = chroma(references[4], references[5])
    redToRed = reds.map { (factors[0] * $0 + 1 << 15) >> 16 }
    redToGreen = reds.map { -factors[1] * $0 }
    blueToBlue = blues.map { (factors[2] * $0 + 1 << 15) >> 16 }
    blueToGreen = blues.map { -factors[3] * $0 + 1 << 15 }
  }

  /// The value of a code, between those of black and white.
  private static func value(_ code: Int, black: Float, white: Float, range: Float) -> Int32 {
    let difference = white - black
    let value = Float(code - Int(black)) * range / (difference == 0 ? 1 : difference)
    return Int32(min(max(value, -4096), 4096))
  }

  func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (UInt8, UInt8, UInt8) {
    let (y, cb, cr) = (luma[Int(y)], Int(cb), Int(cr))
    return (
      UInt8(clamping: y + redToRed[cr]),
      UInt8(clamping: y + (blueToGreen[cb] + redToGreen[cr]) >> 16),
      UInt8(clamping: y + blueToBlue[cb])
    )
  }
}
