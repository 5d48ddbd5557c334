//===--- Float32Depthwise.swift - each channel by its own filter ----------===//
//
// y[p][c] = clamp(bias[c] + Σ over taps t of x[p + t][c] * w[t][c])
//
// Serves a run of neighbouring outputs of one row that see the same taps: the interior of a row, or
// one pixel of its border. Four outputs at a time share each load of the weights.
//
// Order     Taps ascending, starting from the bias, whatever the split.
// Cost      2 · pixels · taps · channels operations.
// Checked   Tests/MartletKernelsTests/Float32DepthwiseTests.swift
//===----------------------------------------------------------------------===//

/// Where a run of outputs finds its taps; distances are in elements.
private struct DepthwiseTaps {
  /// The number of taps that lie within the image.
  var rows: Int
  var columns: Int
  /// From a tap to the one below and to the one beside it, in the image.
  var rowStride: Int
  var columnStride: Int
  /// From a tap to the one below it, in the weights.
  var weightRowStride: Int
  /// From an output's first tap to its neighbour's.
  var pixelStride: Int
}

extension Loops {
  /// Computes `pixels` neighbouring outputs of `channels` channels. `x` and `w` point to the first
  /// tap.
  package static func float32Depthwise(
    _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    pixels: Int, channels: Int, rows: Int, columns: Int, rowStride: Int, columnStride: Int,
    weightRowStride: Int, pixelStride: Int, _ y: UnsafeMutablePointer<Float>,
    low: Float, high: Float
  ) {
    let taps = DepthwiseTaps(
      rows: rows, columns: columns, rowStride: rowStride, columnStride: columnStride,
      weightRowStride: weightRowStride, pixelStride: pixelStride)
    var x = x
    var y = y
    var pixels = pixels
    while pixels >= 4 {
      row(InlineArray<4, Bool>(repeating: false), x, w, bias, channels, taps, y, low, high)
      x += 4 &* pixelStride
      y += 4 &* channels
      pixels &-= 4
    }
    while pixels > 0 {
      row(InlineArray<1, Bool>(repeating: false), x, w, bias, channels, taps, y, low, high)
      x += pixelStride
      y += channels
      pixels &-= 1
    }
  }
}

@inline(__always)
private func row<let pixels: Int>(
  _ shape: InlineArray<pixels, Bool>, _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>,
  _ bias: UnsafePointer<Float>, _ channels: Int, _ taps: DepthwiseTaps,
  _ y: UnsafeMutablePointer<Float>, _ low: Float, _ high: Float
) {
  var c = 0
  #if MARTLET_V4
    while c &+ 16 <= channels {
      let zero = InlineArray<pixels, SIMD16<Float>>(repeating: .zero)
      block(zero, x + c, w + c, bias + c, channels, taps, y + c, low, high)
      c &+= 16
    }
  #endif
  #if MARTLET_V4 || MARTLET_V3
    while c &+ 8 <= channels {
      let zero = InlineArray<pixels, SIMD8<Float>>(repeating: .zero)
      block(zero, x + c, w + c, bias + c, channels, taps, y + c, low, high)
      c &+= 8
    }
  #endif
  while c &+ 4 <= channels {
    let zero = InlineArray<pixels, SIMD4<Float>>(repeating: .zero)
    block(zero, x + c, w + c, bias + c, channels, taps, y + c, low, high)
    c &+= 4
  }
  while c < channels {
    for pixel in 0..<pixels {
      y[pixel &* channels &+ c] = single(
        x + (pixel &* taps.pixelStride &+ c), w + c, bias[c], channels, taps, low, high)
    }
    c &+= 1
  }
}

@inline(__always)
private func block<let pixels: Int, V: SIMD>(
  _ zero: InlineArray<pixels, V>, _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>,
  _ bias: UnsafePointer<Float>, _ channels: Int, _ taps: DepthwiseTaps,
  _ y: UnsafeMutablePointer<Float>, _ low: Float, _ high: Float
) where V.Scalar == Float {
  var sums = InlineArray<pixels, V>(repeating: load(bias))
  for tapRow in 0..<taps.rows {
    var x = x + tapRow &* taps.rowStride
    var w = w + tapRow &* taps.weightRowStride
    for _ in 0..<taps.columns {
      let weights: V = load(w)
      for pixel in 0..<pixels {
        sums[pixel] = multiplyAdd(sums[pixel], load(x + pixel &* taps.pixelStride), weights)
      }
      x += taps.columnStride
      w += channels
    }
  }
  for pixel in 0..<pixels {
    store(
      clamp(sums[pixel], V(repeating: low), V(repeating: high)), to: y + pixel &* channels)
  }
}

/// One channel of one output, with the arithmetic of a lane.
@inline(__always)
private func single(
  _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, _ bias: Float, _ channels: Int,
  _ taps: DepthwiseTaps, _ low: Float, _ high: Float
) -> Float {
  var sum = SIMD2<Float>(repeating: bias)
  for tapRow in 0..<taps.rows {
    for tapColumn in 0..<taps.columns {
      let x = x[tapRow &* taps.rowStride &+ tapColumn &* taps.columnStride]
      let w = w[tapRow &* taps.weightRowStride &+ tapColumn &* channels]
      sum = multiplyAdd(sum, SIMD2(repeating: x), SIMD2(repeating: w))
    }
  }
  return clamp(sum, SIMD2(repeating: low), SIMD2(repeating: high))[0]
}
