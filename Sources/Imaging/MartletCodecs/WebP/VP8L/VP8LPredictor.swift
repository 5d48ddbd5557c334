//===--- VP8LPredictor.swift - prediction from neighbors ------------------===//
//
// The fourteen predictors of RFC 9649, section 4.1. L is the pixel to the left; TL, T and TR are
// those above. All components are computed separately.
//===----------------------------------------------------------------------===//

/// Adds predictions to a row. The row above must have one more pixel than the ranges below.
@safe struct VP8LPredictor {
  let line: UnsafeMutablePointer<UInt32>
  let above: UnsafeMutablePointer<UInt32>

  /// Adds the prediction of a mode to the pixels in `range`; only modes 0 and 2 may begin at 0.
  func add(mode: Int, _ range: Range<Int>) {
    switch mode {
    case 1: add(range) { l, _, _, _ in l }
    case 2: addAbove(range, 0)
    case 3: addAbove(range, 1)
    case 4: addAbove(range, -1)
    case 5: add(range) { l, _, t, tr in Self.average(Self.average(l, tr), t) }
    case 6: add(range) { l, tl, _, _ in Self.average(l, tl) }
    case 7: add(range) { l, _, t, _ in Self.average(l, t) }
    case 8: add(range) { _, tl, t, _ in Self.average(tl, t) }
    case 9: add(range) { _, _, t, tr in Self.average(t, tr) }
    case 10:
      add(range) { l, tl, t, tr in Self.average(Self.average(l, tl), Self.average(t, tr)) }
    case 11: add(range) { l, tl, t, _ in Self.select(l, tl, t) }
    case 12: add(range) { l, tl, t, _ in Self.clampedGradient(l, tl, t) }
    case 13: add(range) { l, tl, t, _ in Self.halfGradient(l, tl, t) }
    default:
      for x in range { unsafe line[x] = Self.sum(line[x], 0xFF00_0000) }
    }
  }

  /// Adds the row above, moved by `offset` pixels.
  private func addAbove(_ range: Range<Int>, _ offset: Int) {
    for x in range { unsafe line[x] = Self.sum(line[x], above[x &+ offset]) }
  }

  @inline(__always)
  private func add(
    _ range: Range<Int>,
    _ prediction: (_ l: UInt32, _ tl: UInt32, _ t: UInt32, _ tr: UInt32) -> UInt32
  ) {
    var left = unsafe line[range.lowerBound &- 1]
    var aboveLeft = unsafe above[range.lowerBound &- 1]
    for x in range {
      let top = unsafe above[x]
      left = unsafe Self.sum(line[x], prediction(left, aboveLeft, top, above[x &+ 1]))
      unsafe line[x] = left
      aboveLeft = top
    }
  }

  /// The sum of each component, modulo 256.
  @inline(__always) static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let alphaGreen = (a & 0xFF00_FF00) &+ (b & 0xFF00_FF00)
    let redBlue = (a & 0x00FF_00FF) &+ (b & 0x00FF_00FF)
    return alphaGreen & 0xFF00_FF00 | redBlue & 0x00FF_00FF
  }

  /// The mean of each component, rounded down.
  @inline(__always) private static func average(_ a: UInt32, _ b: UInt32) -> UInt32 {
    ((a ^ b) & 0xFEFE_FEFE) &>> 1 &+ (a & b)
  }

  /// The components as numbers of 16 bits.
  @inline(__always) private static func components(_ pixel: UInt32) -> SIMD4<Int16> {
    SIMD4(truncatingIfNeeded: unsafe unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
  }

  /// The pixel with these components, each limited to a byte.
  @inline(__always) private static func pixel(_ components: SIMD4<Int16>) -> UInt32 {
    let limited = components.limited(0, 255)
    return unsafe unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: limited), to: UInt32.self)
  }

  /// Of L and T, the one nearer to L + T - TL.
  @inline(__always)
  private static func select(_ l: UInt32, _ tl: UInt32, _ t: UInt32) -> UInt32 {
    let (left, corner, top) = (components(l), components(tl), components(t))
    let difference = (top &- corner).magnitudes &- (left &- corner).magnitudes
    return difference.wrappedSum() < 0 ? l : t
  }

  @inline(__always)
  private static func clampedGradient(_ l: UInt32, _ tl: UInt32, _ t: UInt32) -> UInt32 {
    pixel(components(l) &+ components(t) &- components(tl))
  }

  @inline(__always)
  private static func halfGradient(_ l: UInt32, _ tl: UInt32, _ t: UInt32) -> UInt32 {
    let mean = components(average(l, t))
    let difference = mean &- components(tl)
    // Half the difference, rounded toward zero.
    return pixel(mean &+ (difference &- difference &>> 15) &>> 1)
  }
}

// Comparisons of a concrete type are single instructions; those of a generic one are loops.

extension SIMD4<Int16> {
  /// Each element limited to `low...high`.
  @inline(__always) func limited(_ low: Int16, _ high: Int16) -> Self {
    let (low, high) = (Self(repeating: low), Self(repeating: high))
    let raised = replacing(with: low, where: self .< low)
    return raised.replacing(with: high, where: raised .> high)
  }

  /// The magnitude of each element.
  @inline(__always) var magnitudes: Self {
    replacing(with: 0 &- self, where: self .< Self.zero)
  }
}
