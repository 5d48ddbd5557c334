//===--- SRGBConverter.swift - colors of a profile to sRGB ----------------===//
//
// red, green, blue ▶ light (the profile's curves) ▶ light of sRGB's primaries (a matrix) ▶ sRGB
//
// Contract  Within one step of Little CMS with the relative colorimetric intent, which is that of
//           profiles without tables. Colors outside sRGB are clamped. Fixed point with 14
//           fraction bits: the same samples on every machine.
// Cost      Six table lookups a pixel.
// Source    IEC 61966-2-1 (sRGB), adapted to D50 as in ICC's sRGB profiles
//===----------------------------------------------------------------------===//

import MartletBase
import enum MartletBase.VectorMath

/// Converts pixels from the colors of a profile to sRGB.
struct SRGBConverter {
  /// One in fixed point.
  private static let one = 1 << 14

  /// The light of each device value of red, then of green, then of blue.
  private let light: [Int32]
  /// The matrix, row by row: the light of an sRGB primary from those of the profile.
  private let matrix: [Int32]
  /// The parts of the light of sRGB's primaries for each device value, with 28 fraction bits.
  private let parts: [SIMD4<Int64>]

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
    let light = light
    parts = light.indices.map { index in
      var part = SIMD4<Int64>()
      for row in 0..<3 { part[row] = Int64(matrix[3 * row + index / 256]) * Int64(light[index]) }
      // The sum of the three parts is rounded.
      if index < 256 { part &+= SIMD4(repeating: Int64(Self.one / 2)) }
      return part
    }
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
    let (allParts, allCodes) = (parts, Self.codes)
    let (parts, codes) = (allParts.span, allCodes.span)
    precondition(parts.count == 3 * 256 && codes.count == Self.one + 1)
    for start in stride(from: range.lowerBound, to: range.upperBound - 2, by: 3) {
      // The indices are those of 256 values for each of three channels.
      let light =
        unsafe parts[unchecked: Int(pixels[start])]
        &+ parts[unchecked: 256 &+ Int(pixels[start + 1])]
        &+ parts[unchecked: 512 &+ Int(pixels[start + 2])]
      for channel in 0..<3 {
        let light = min(max(light[channel] &>> 14, 0), Int64(Self.one))
        pixels[start + channel] = unsafe codes[unchecked: Int(truncatingIfNeeded: light)]
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
