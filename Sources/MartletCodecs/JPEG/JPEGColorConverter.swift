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
// Cost      Two passes over a row in the cache: four bytes a pixel, sixteen at a
//           time, then two pixels a store.
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// The samples of one row of each component; those that a frame lacks repeat the first.
struct JPEGRows {
  let first, second, third, fourth: UnsafePointer<UInt8>
}

/// Makes rows of pixels out of rows of components.
final class JPEGColorConverter {
  private typealias Bytes = SIMD16<UInt8>

  private let color: JPEGColor
  private let width: Int
  /// Red, green and blue of each pixel of a row, red lowest.
  private let levels: UnsafeMutablePointer<UInt32>

  init(_ color: JPEGColor, width: Int) {
    self.color = color
    self.width = width
    let capacity = width + 16
    levels = .allocate(capacity: capacity)
    levels.initialize(repeating: 0, count: capacity)
  }

  deinit { levels.deallocate() }

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
      x &+= 16
    }
    // A group's last store reaches two bytes beyond its pixels: the last ones go by hand.
    let grouped = max(width - 1, 0) / 8 * 8
    x = 0
    while x < grouped {
      let pairs = pairs(x)
      let target = UnsafeMutableRawPointer(pixels + 3 &* x)
      for i in 0..<4 { target.storeBytes(of: pairs[i], toByteOffset: 6 &* i, as: UInt64.self) }
      x &+= 8
    }
    for x in x..<width {
      let level = levels[x]
      for channel in 0..<3 {
        pixels[3 * x + channel] = UInt8(truncatingIfNeeded: level >> UInt32(8 * channel))
      }
    }
  }

  /// Eight pixels, two in the low six bytes of each number, red lowest.
  @inline(__always) private func pairs(_ x: Int) -> SIMD4<UInt64> {
    let pixels = UnsafeRawPointer(levels + x).loadUnaligned(as: SIMD4<UInt64>.self)
    return pixels & 0xFF_FFFF | pixels &>> 8 & 0xFFFF_FF00_0000
  }

  /// Works out sixteen pixels of the row.
  @inline(__always) private func makeLevels(_ rows: JPEGRows, _ x: Int) {
    let y = Self.load(rows.first + x)
    let cb = Self.load(rows.second + x)
    let cr = Self.load(rows.third + x)
    let (r0, g0, b0) = Self.colors(y.low, cb.low &- 128, cr.low &- 128)
    let (r1, g1, b1) = Self.colors(y.high, cb.high &- 128, cr.high &- 128)
    let redGreen = Bytes.interleave(Bytes(saturating: r0, r1), Bytes(saturating: g0, g1))
    let blue = Bytes.interleave(Bytes(saturating: b0, b1), Bytes())
    let first = JPEGLanes.interleave(redGreen.low, blue.low)
    let second = JPEGLanes.interleave(redGreen.high, blue.high)
    let target = UnsafeMutableRawPointer(levels + x)
    target.storeBytes(of: first.low, as: JPEGLanes.self)
    target.storeBytes(of: first.high, toByteOffset: 16, as: JPEGLanes.self)
    target.storeBytes(of: second.low, toByteOffset: 32, as: JPEGLanes.self)
    target.storeBytes(of: second.high, toByteOffset: 48, as: JPEGLanes.self)
  }

  /// Eight pixels' colours, which may lie beyond 0...255.
  @inline(__always)
  private static func colors(
    _ y: JPEGLanes, _ cb: JPEGLanes, _ cr: JPEGLanes
  ) -> (JPEGLanes, JPEGLanes, JPEGLanes) {
    // Constants times 2^16, less whole multiples of 2^16, which are added in 16 bits.
    let red = y &+ cr &+ share(cr, 26345)
    let blue = y &+ cb &+ cb &+ share(cb, -14942)
    let half = SIMD4<Int32>(repeating: 1 << 15)
    let pairs = JPEGLanes.interleave(cb, cr)
    let low = (pairs.low.pairSums(-22554, 18734) &+ half) &>> 16
    let high = (pairs.high.pairSums(-22554, 18734) &+ half) &>> 16
    return (red, y &- cr &+ JPEGLanes(saturating: low, high), blue)
  }

  /// a x / 2^16, rounded: half of 2 a x / 2^16.
  @inline(__always) private static func share(_ x: JPEGLanes, _ a: Int16) -> JPEGLanes {
    ((x &+ x).highProducts(a) &+ 1) &>> 1
  }

  @inline(__always)
  private static func load(_ samples: UnsafePointer<UInt8>) -> (low: JPEGLanes, high: JPEGLanes) {
    Bytes.interleave(UnsafeRawPointer(samples).loadUnaligned(as: Bytes.self), Bytes())
  }
}
