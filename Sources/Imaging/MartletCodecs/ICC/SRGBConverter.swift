//===--- SRGBConverter.swift - colors of a profile to sRGB ----------------===//
//
// red, green, blue ▶ light (the profile's curves) ▶ light of sRGB's primaries (a matrix) ▶ sRGB
//
// Contract  Within one step of Little CMS with the relative colorimetric intent, which is that of
//           profiles without tables. Colors outside sRGB are clamped. Fixed point with 14
//           fraction bits: the same samples on every machine.
// Cost      Six table lookups and nine multiplications a pixel.
// Source    IEC 61966-2-1 (sRGB), adapted to D50 as in ICC's sRGB profiles
// Checked   Tests/MartletCodecsTests/ICCTests.swift
//===----------------------------------------------------------------------===//

import enum MartletBase.VectorMath

/// Converts pixels from the colors of a profile to sRGB.
struct SRGBConverter {
  /// One in fixed point.
  private static let one = 1 << 14

  /// The light of each device value of red, then of green, then of blue.
  private let light: [Int32]
  /// The matrix, row by row: the light of an sRGB primary from those of the profile.
  private let matrix: [Int32]

  /// A converter for an ICC profile; `nil` if the profile cannot be used or is that of sRGB.
  init?(_ bytes: [UInt8]) {
    guard let profile = ICCProfile(bytes) else { return nil }
    light = profile.curves.flatMap { curve in
      (0...255).map { Self.fixed(curve.light(Float($0) / 255)) }
    }
    var matrix: [Int32] = []
    for row in Self.fromXYZ {
      for primary in profile.primaries {
        let factor = zip(row, primary).reduce(0) { $0 + $1.0 * $1.1 }
        // Products of larger factors could overflow; the primaries of real devices give up to 3.
        guard factor.magnitude < 16 else { return nil }
        matrix.append(Int32((factor * Double(Self.one)).rounded()))
      }
    }
    self.matrix = matrix
    guard !isIdentity else { return nil }
  }

  /// Converts packed red, green and blue in place, until the work is stopped.
  func convert(_ pixels: inout [UInt8], _ work: DecodingWork) {
    work.allow(samples: Int64(pixels.count))
    var start = 0
    while start < pixels.count, work.charge(Self.stepBytes) {
      let end = min(start + Self.stepBytes, pixels.count)
      convert(&pixels, start..<end)
      start = end
    }
  }

  /// The bytes of whole pixels after which the work is counted.
  private static let stepBytes = 3 << 14

  private func convert(_ pixels: inout [UInt8], _ range: Range<Int>) {
    var pixels = pixels.mutableSpan
    let (lights, factors, allCodes) = (light, matrix, Self.codes)
    let (light, matrix, codes) = (lights.span, factors.span, allCodes.span)
    for start in stride(from: range.lowerBound, to: range.upperBound - 2, by: 3) {
      let r = Int64(light[Int(pixels[start])])
      let g = Int64(light[256 &+ Int(pixels[start + 1])])
      let b = Int64(light[512 &+ Int(pixels[start + 2])])
      for channel in 0..<3 {
        let row = 3 &* channel
        let sum =
          Int64(matrix[row]) &* r &+ Int64(matrix[row &+ 1]) &* g &+ Int64(matrix[row &+ 2]) &* b
        let light = (sum &+ Int64(Self.one / 2)) &>> 14
        pixels[start + channel] = codes[Int(min(max(light, 0), Int64(Self.one)))]
      }
    }
  }

  /// Whether no color would change by more than a step.
  private var isIdentity: Bool {
    let unit = [1, 0, 0, 0, 1, 0, 0, 0, 1].map { Int32($0 * Self.one) }
    guard zip(matrix, unit).allSatisfy({ abs($0 - $1) <= Int32(Self.one / 1024) }) else {
      return false
    }
    return light.indices.allSatisfy { index in
      let (code, next) = (index % 256, min(index % 256, 254))
      return abs(light[index] - Self.light[code]) * 2 <= Self.light[next + 1] - Self.light[next]
    }
  }
}

extension SRGBConverter {
  /// The light of sRGB's primaries from X, Y and Z.
  private static let fromXYZ = [
    [3.134274, -1.617274, -0.490735], [-0.978796, 1.916162, 0.033454],
    [0.071979, -0.228990, 1.405748],
  ]

  /// The light of each value of sRGB.
  private static let light: [Int32] = (0...255).map { code in
    let x = Float(code) / 255
    return fixed(x > 0.04045 ? VectorMath.pow((x + 0.055) / 1.055, 2.4) : x / 12.92)
  }

  /// The value of sRGB for each amount of light.
  private static let codes: [UInt8] = (0...one).map { light in
    let x = Float(light) / Float(one)
    let code = x > 0.0031308 ? 1.055 * VectorMath.pow(x, 1 / 2.4) - 0.055 : x * 12.92
    return UInt8(min(max(code * 255 + 0.5, 0), 255))
  }

  private static func fixed(_ x: Float) -> Int32 { Int32((x * Float(one)).rounded()) }
}
