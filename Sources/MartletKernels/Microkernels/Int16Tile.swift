//===--- Int16Tile.swift - rows times a panel, integers -------------------===//
//
// y[i][j] = clamp(zeroPoint + factor[j] · (bias[j] + Σ over k of x[i][k] * w[k][j]))
//
// Rows and weights are 16-bit integers with their zero points taken off, so that signed, unsigned
// and per-channel tensors are one case and borders are zeros. A panel holds some columns as they
// are read: [width] each of biases, left factors, mantissas, right exponents and masks, as 32-bit
// integers; then the weights as [depth / 2][width][2].
//
// Contract  Bit for bit the reference kernel. |x| and |w| are at most 255. Sums wrap.
// Cost      2 · rows · depth · width operations; each row of x is read once for each panel.
// Checked   Tests/MartletKernelsTests/QuantizedConvolutionTests.swift
//===----------------------------------------------------------------------===//

/// How sums become bytes, whatever the channel.
struct ByteRange {
  let zeroPoint: Int32
  let low: Int32
  let high: Int32
  /// Whether a factor shifts left, which is rare.
  let shiftsLeft: Bool
}

/// The number of 32-bit integers for each column before a panel's weights.
let panelHeaderFields = 5

extension Loops {
  /// Multiplies `rows` rows of `pairs` pairs, `xStride` pairs apart, by a panel `width` wide, and
  /// writes the low bytes of the first `columns` columns to rows `yStride` apart.
  package static func int16Multiply(
    _ x: UnsafePointer<Int32>, _ xStride: Int, rows: Int, pairs: Int,
    panel: UnsafePointer<Int32>, width: Int,
    _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int, columns: Int,
    zeroPoint: Int32, low: Int32, high: Int32, shiftsLeft: Bool
  ) {
    let range = ByteRange(zeroPoint: zeroPoint, low: low, high: high, shiftsLeft: shiftsLeft)
    #if MARTLET_V4
      if width == 32 {
        return multiply(
          SIMD16<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride, columns, range)
      }
    #endif
    #if MARTLET_V4 || MARTLET_V3
      if width == 16 {
        return multiply(
          SIMD8<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride, columns, range)
      }
    #endif
    multiply(SIMD4<Int32>.zero, x, xStride, rows, pairs, panel, y, yStride, columns, range)
  }
}

@inline(__always)
private func multiply<V: Int32Lanes>(
  _ zero: V, _ x: UnsafePointer<Int32>, _ xStride: Int, _ rows: Int, _ pairs: Int,
  _ panel: UnsafePointer<Int32>, _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int,
  _ columns: Int, _ range: ByteRange
) {
  var x = x
  var y = y
  var rows = rows
  #if MARTLET_V4
    let most = InlineArray<12, V>(repeating: zero)
  #elseif MARTLET_V3
    let most = InlineArray<6, V>(repeating: zero)
  #elseif arch(arm64)
    let most = InlineArray<8, V>(repeating: zero)
  #else
    let most = InlineArray<5, V>(repeating: zero)
  #endif
  while rows >= most.count {
    tile(most, x, xStride, pairs, panel, y, yStride, columns, range)
    x += most.count &* xStride
    y += most.count &* yStride
    rows &-= most.count
  }
  while rows >= 4 {
    let four = InlineArray<4, V>(repeating: zero)
    tile(four, x, xStride, pairs, panel, y, yStride, columns, range)
    x += 4 &* xStride
    y += 4 &* yStride
    rows &-= 4
  }
  while rows > 0 {
    let one = InlineArray<1, V>(repeating: zero)
    tile(one, x, xStride, pairs, panel, y, yStride, columns, range)
    x += xStride
    y += yStride
    rows &-= 1
  }
}

@inline(__always)
private func tile<let rows: Int, V: Int32Lanes>(
  _ zero: InlineArray<rows, V>, _ x: UnsafePointer<Int32>, _ xStride: Int, _ pairs: Int,
  _ panel: UnsafePointer<Int32>, _ y: UnsafeMutablePointer<UInt8>, _ yStride: Int,
  _ columns: Int, _ range: ByteRange
) {
  let lanes = V.scalarCount
  let (left, right) = sums(zero, x, xStride, pairs, panel)
  for i in 0..<rows {
    let y = y + i &* yStride
    let first = requantize(left[i], panel, 2 &* lanes, range)
    let second = requantize(right[i], panel + lanes, 2 &* lanes, range)
    if columns == 2 &* lanes {
      first.storeLowBytes(to: y)
      second.storeLowBytes(to: y + lanes)
    } else {
      for j in 0..<columns {
        y[j] = UInt8(truncatingIfNeeded: j < lanes ? first[j] : second[j &- lanes])
      }
    }
  }
}

/// The sums of a tile, its left and its right half.
@inline(__always)
func sums<let rows: Int, V: Int32Lanes>(
  _ zero: InlineArray<rows, V>, _ x: UnsafePointer<Int32>, _ xStride: Int, _ pairs: Int,
  _ panel: UnsafePointer<Int32>
) -> (InlineArray<rows, V>, InlineArray<rows, V>) {
  let lanes = V.scalarCount
  var left = InlineArray<rows, V>(repeating: load(panel))
  var right = InlineArray<rows, V>(repeating: load(panel + lanes))
  var w = panel + 2 &* lanes &* panelHeaderFields
  for pair in 0..<pairs {
    let w0: V = load(w)
    let w1: V = load(w + lanes)
    for i in 0..<rows {
      let x = V(repeating: x[i &* xStride &+ pair])
      left[i] = V.addPairs(left[i], x, w0)
      right[i] = V.addPairs(right[i], x, w1)
    }
    w += 2 &* lanes
  }
  return (left, right)
}

/// Scales a vector of sums; `fields` points to its columns' biases, the other fields lie behind,
/// `width` apart.
@inline(__always)
func requantize<V: Int32Lanes>(
  _ sum: V, _ fields: UnsafePointer<Int32>, _ width: Int, _ range: ByteRange
) -> V {
  var v = sum
  if range.shiftsLeft { v = v &* (load(fields + width) as V) }
  let scaled = v.doublingHighMultiplied(by: load(fields + 2 &* width))
    .roundingShiftedRight(by: load(fields + 3 &* width), mask: load(fields + 4 &* width))
  return clamp(
    scaled &+ V(repeating: range.zeroPoint), V(repeating: range.low), V(repeating: range.high))
}
