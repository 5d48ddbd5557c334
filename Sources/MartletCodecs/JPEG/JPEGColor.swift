//===--- JPEGColor.swift - from components to red, green and blue ---------===//
//
// ITU-T T.871 (JFIF) and Adobe's APP14 marker. In 16-bit fixed point:
//
//   R = Y + 1.402 Cr,  G = Y - 0.34414 Cb - 0.71414 Cr,  B = Y + 1.772 Cb
//
// Four components are ink, stored inverted: C' = 255 - C. They become
// R = K' - (255 - C') K' / 255, the quotient rounded.
//
// Contract  The rounding of each product is that of the widespread decoders'
//           tables, so the samples are the same numbers.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// What the components of a frame stand for.
enum JPEGColor {
  case gray, yCbCr, rgb, cmyk, yCbCrK

  /// Judges by the markers, or, without one, by the components' identifiers.
  init(_ frame: JPEGFrame, hasJFIF: Bool, adobeTransform: UInt8?) {
    let identifiers = frame.specifications.map { $0.identifier }
    switch (identifiers.count, adobeTransform) {
    case (1, _): self = .gray
    case (4, nil), (4, 0): self = .cmyk
    case (4, _): self = .yCbCrK
    case (_, 0) where !hasJFIF: self = .rgb
    case (_, nil) where !hasJFIF && identifiers == [0x52, 0x47, 0x42]: self = .rgb
    default: self = .yCbCr
    }
  }

  /// Channels of the picture.
  var channels: Int { self == .gray ? 1 : 3 }

  /// Writes `width` pixels made of the samples of one row of each component.
  func convert(
    _ rows: JPEGRows, width: Int, to pixels: UnsafeMutablePointer<UInt8>
  ) {
    switch self {
    case .gray: pixels.update(from: rows.first, count: width)
    case .rgb: Self.interleave(rows, width, pixels)
    case .yCbCr: Self.convertYCbCr(rows, width, pixels)
    case .cmyk: Self.convertInk(rows, width, pixels)
    case .yCbCrK:
      Self.convertYCbCr(rows, width, pixels)
      Self.convertInverseInk(rows.fourth, width, pixels)
    }
  }
}

/// The samples of one row of each component; those that a frame lacks repeat the first.
struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

extension JPEGColor {
  private typealias Lanes = SIMD8<Int16>
  private typealias Wide = SIMD8<Int32>

  private static func interleave(
    _ rows: JPEGRows, _ width: Int, _ pixels: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<width {
      pixels[3 &* x] = rows.first[x]
      pixels[3 &* x &+ 1] = rows.second[x]
      pixels[3 &* x &+ 2] = rows.third[x]
    }
  }

  private static func convertYCbCr(
    _ rows: JPEGRows, _ width: Int, _ pixels: UnsafeMutablePointer<UInt8>
  ) {
    // A group's last store reaches one byte beyond its eight pixels: the last ones go by hand.
    let grouped = max(width - 1, 0) / 8 * 8
    var x = 0
    while x < grouped {
      let packed = pack(rows, x)
      let target = UnsafeMutableRawPointer(pixels + 3 &* x)
      for i in 0..<8 {
        target.storeBytes(of: packed[i], toByteOffset: 3 &* i, as: UInt32.self)
      }
      x &+= 8
    }
    let packed = pack(rows, x)
    for i in 0..<width - x {
      for channel in 0..<3 {
        pixels[3 * (x + i) + channel] = UInt8(truncatingIfNeeded: packed[i] >> UInt32(8 * channel))
      }
    }
  }

  /// Eight pixels, red in the byte that is stored first.
  @inline(__always) private static func pack(_ rows: JPEGRows, _ x: Int) -> SIMD8<UInt32> {
    let y = load(rows.first + x)
    let cb = load(rows.second + x) &- 128
    let cr = load(rows.third + x) &- 128
    // Constants times 2^16, less whole multiples of 2^16, which are added in 16 bits.
    let red = y &+ cr &+ product(cr, 26345)
    let green = y &- cr &+ product(cb, -22554, cr, 18734)
    let blue = y &+ cb &+ cb &+ product(cb, -14942)
    let packed = level(red) | level(green) &<< 8 | level(blue) &<< 16
    return packed
  }

  /// a x / 2^16, rounded.
  @inline(__always) private static func product(_ x: Lanes, _ a: Int32) -> Lanes {
    let sum = Wide(truncatingIfNeeded: x) &* Wide(repeating: a) &+ Wide(repeating: 1 << 15)
    return Lanes(truncatingIfNeeded: sum &>> 16)
  }

  /// (a x + b y) / 2^16, rounded.
  @inline(__always)
  private static func product(_ x: Lanes, _ a: Int32, _ y: Lanes, _ b: Int32) -> Lanes {
    let sum =
      Wide(truncatingIfNeeded: x) &* Wide(repeating: a)
      &+ Wide(truncatingIfNeeded: y) &* Wide(repeating: b)
    return Lanes(truncatingIfNeeded: (sum &+ Wide(repeating: 1 << 15)) &>> 16)
  }

  @inline(__always) private static func level(_ lanes: Lanes) -> SIMD8<UInt32> {
    let clamped = lanes.clamped(lowerBound: Lanes(), upperBound: Lanes(repeating: 255))
    return SIMD8<UInt32>(truncatingIfNeeded: clamped)
  }

  @inline(__always) private static func load(_ samples: UnsafePointer<UInt8>) -> Lanes {
    Lanes(truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<UInt8>.self))
  }
}

// MARK: - Ink

extension JPEGColor {
  private static func convertInk(
    _ rows: JPEGRows, _ width: Int, _ pixels: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<width {
      let black = rows.fourth[x]
      pixels[3 * x] = light(255 - rows.first[x], black)
      pixels[3 * x + 1] = light(255 - rows.second[x], black)
      pixels[3 * x + 2] = light(255 - rows.third[x], black)
    }
  }

  /// Prints black over pixels that hold amounts of cyan, magenta and yellow.
  private static func convertInverseInk(
    _ black: UnsafePointer<UInt8>, _ width: Int, _ pixels: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<width {
      for channel in 0..<3 {
        pixels[3 * x + channel] = light(pixels[3 * x + channel], black[x])
      }
    }
  }

  /// What `ink` leaves of the light that black ink leaves.
  private static func light(_ ink: UInt8, _ black: UInt8) -> UInt8 {
    let product = Int(ink) * Int(black) + 128
    return UInt8(clamping: Int(black) - (product >> 8 + product) >> 8)
  }
}
