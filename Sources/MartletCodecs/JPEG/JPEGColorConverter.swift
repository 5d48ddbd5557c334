//===--- JPEGColorConverter.swift - from components to red, green, blue ---===//
//
// In 16-bit fixed point, with Cb and Cr less 128:
//
//   R = Y + 1.402 Cr,  G = Y - 0.34414 Cb - 0.71414 Cr,  B = Y + 1.772 Cb
//
// Four components are ink, stored inverted: C' = 255 - C. They become
// R = K' - (255 - C') K' / 255, the quotient rounded.
//
// Contract  The rounding of each product is that of the widespread decoders'
//           tables, so the samples are the same numbers. Little-endian.
// Cost      Two passes over a row in the cache: the levels, eight at a time, then
//           two pixels a store. One loop would not do: the compiler takes
//           vectors apart lane by lane when their lanes are used at once.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// The samples of one row of each component; those that a frame lacks repeat the first.
struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

/// Makes rows of pixels out of rows of components.
final class JPEGColorConverter {
  private typealias Lanes = SIMD8<Int16>
  private typealias Wide = SIMD8<Int32>

  private let color: JPEGColor
  private let width: Int
  /// Red, and green in the higher byte, of each pixel of a row.
  private let redGreen: UnsafeMutablePointer<Int16>
  /// Blue of each pixel of a row.
  private let blue: UnsafeMutablePointer<Int16>

  init(_ color: JPEGColor, width: Int) {
    self.color = color
    self.width = width
    let capacity = width + 8
    redGreen = .allocate(capacity: capacity)
    redGreen.initialize(repeating: 0, count: capacity)
    blue = .allocate(capacity: capacity)
    blue.initialize(repeating: 0, count: capacity)
  }

  deinit {
    redGreen.deallocate()
    blue.deallocate()
  }

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

// MARK: - YCbCr

extension JPEGColorConverter {
  private func convertYCbCr(_ rows: JPEGRows, _ pixels: UnsafeMutablePointer<UInt8>) {
    var x = 0
    while x < width {
      makeLevels(rows, x)
      x &+= 8
    }
    // A group's last store reaches two bytes beyond its eight pixels: the last ones go by hand.
    let grouped = max(width - 1, 0) / 8 * 8
    x = 0
    while x < grouped {
      let pairs = pairs(x)
      let target = UnsafeMutableRawPointer(pixels + 3 &* x)
      for i in 0..<4 { target.storeBytes(of: pairs[i], toByteOffset: 6 &* i, as: UInt64.self) }
      x &+= 8
    }
    for x in x..<width {
      let low = UInt16(bitPattern: redGreen[x])
      pixels[3 * x] = UInt8(low & 255)
      pixels[3 * x + 1] = UInt8(low >> 8)
      pixels[3 * x + 2] = UInt8(blue[x])
    }
  }

  /// Eight pixels, two in the low six bytes of each number, red lowest.
  @inline(__always) private func pairs(_ x: Int) -> SIMD4<UInt64> {
    let a = UnsafeRawPointer(redGreen + x).loadUnaligned(as: Lanes.self)
    let b = UnsafeRawPointer(blue + x).loadUnaligned(as: Lanes.self)
    let low = Lanes(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
    let high = Lanes(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    let pixels = unsafeBitCast(SIMD16(lowHalf: low, highHalf: high), to: SIMD4<UInt64>.self)
    return pixels & 0xFF_FFFF | pixels &>> 8 & 0xFFFF_FF00_0000
  }

  /// Works out eight pixels of the row.
  @inline(__always) private func makeLevels(_ rows: JPEGRows, _ x: Int) {
    let y = Self.load(rows.first + x)
    let cb = Self.load(rows.second + x) &- 128
    let cr = Self.load(rows.third + x) &- 128
    // Constants times 2^16, less whole multiples of 2^16, which are added in 16 bits.
    let red = Self.level(y &+ cr &+ Self.product(cr, 26345))
    let green = Self.level(y &- cr &+ Self.product(cb, -22554, cr, 18734))
    let blue = Self.level(y &+ cb &+ cb &+ Self.product(cb, -14942))
    UnsafeMutableRawPointer(redGreen + x).storeBytes(of: red | green &<< 8, as: Lanes.self)
    UnsafeMutableRawPointer(self.blue + x).storeBytes(of: blue, as: Lanes.self)
  }

  /// (a x + b y) / 2^16, rounded.
  @inline(__always)
  private static func product(
    _ x: Lanes, _ a: Int32, _ y: Lanes = Lanes(), _ b: Int32 = 0
  ) -> Lanes {
    let sum =
      Wide(truncatingIfNeeded: x) &* Wide(repeating: a)
      &+ Wide(truncatingIfNeeded: y) &* Wide(repeating: b)
    return Lanes(truncatingIfNeeded: (sum &+ Wide(repeating: 1 << 15)) &>> 16)
  }

  @inline(__always) private static func level(_ lanes: Lanes) -> Lanes {
    lanes.clamped(lowerBound: Lanes(), upperBound: Lanes(repeating: 255))
  }

  @inline(__always) private static func load(_ samples: UnsafePointer<UInt8>) -> Lanes {
    Lanes(truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<UInt8>.self))
  }
}
