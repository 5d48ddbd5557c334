//===--- Float32Depthwise.swift - each channel by its own filter ----------===//
//
// y[p][c] = clamp(bias[c] + Σ over taps t of x[p + t][c] * w[t][c])
//
// Serves a run of neighbouring outputs of one row that see the same taps: the interior of a row, or
// one pixel of its border. Four outputs at a time share each load of the weights.
//
// Order     Taps ascending, starting from the bias, whatever the split.
// Cost      2 · pixels · taps · channels operations; where the channels are no multiple of a
//           vector, the last vector overlaps the one before.
// Checked   Tests/MartletKernelsTests/Float32DepthwiseTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// Computes `pixels` neighbouring outputs of `channels` channels.
  ///
  /// `x` and `w` point to the first of `rows` by `columns` taps. Distances are in elements: from a
  /// tap to the one below it and beside it in the image, to the one below in the weights, and from
  /// an output's first tap to its neighbour's.
  package static func float32Depthwise(
    _ x: UnsafePointer<Float>, _ w: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    pixels: Int, channels: Int, rows: Int, columns: Int, rowStride: Int, columnStride: Int,
    weightRowStride: Int, pixelStride: Int, _ y: UnsafeMutablePointer<Float>,
    low: Float, high: Float
  ) {
    let row = Float32DepthwiseRow(
      w: w, bias: bias, channels: channels, rows: rows, columns: columns, rowStride: rowStride,
      columnStride: columnStride, weightRowStride: weightRowStride, pixelStride: pixelStride,
      low: low, high: high)
    var pixel = 0
    while pixel &+ 4 <= pixels {
      row.compute(
        InlineArray<4, Int>(repeating: 0), x + pixel &* pixelStride, y + pixel &* channels)
      pixel &+= 4
    }
    while pixel < pixels {
      row.compute(
        InlineArray<1, Int>(repeating: 0), x + pixel &* pixelStride, y + pixel &* channels)
      pixel &+= 1
    }
  }
}

private struct Float32DepthwiseRow {
  let w: UnsafePointer<Float>
  let bias: UnsafePointer<Float>
  let channels: Int
  let rows: Int
  let columns: Int
  let rowStride: Int
  let columnStride: Int
  let weightRowStride: Int
  let pixelStride: Int
  let low: Float
  let high: Float

  /// Computes all channels of some neighbouring outputs, one for each element of `outputs`.
  @inline(__always)
  func compute<let pixels: Int>(
    _ outputs: InlineArray<pixels, Int>, _ x: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>
  ) {
    if channels >= Lanes.scalarCount {
      let zero = InlineArray<pixels, Lanes>(repeating: .zero)
      forEachBlock(of: Lanes.scalarCount) { channel in
        sum(zero, from: channel, x, y, multiplyAdd, clamp)
      }
    } else if channels >= 4 {
      let zero = InlineArray<pixels, SIMD4<Float>>(repeating: .zero)
      forEachBlock(of: 4) { channel in
        sum(zero, from: channel, x, y, multiplyAdd, clamp)
      }
    } else {
      for pixel in 0..<pixels {
        for channel in 0..<channels {
          y[pixel &* channels &+ channel] = single(channel, x + pixel &* pixelStride)
        }
      }
    }
  }

  /// Calls `body` with the first channel of each block; the last may overlap the one before.
  @inline(__always)
  private func forEachBlock(of lanes: Int, _ body: (Int) -> Void) {
    var channel = 0
    while channel &+ lanes <= channels {
      body(channel)
      channel &+= lanes
    }
    if channel < channels { body(channels &- lanes) }
  }

  /// Computes a vector of channels of each output. The vector's operations are given by the caller,
  /// who knows which vector it is.
  @inline(__always)
  private func sum<let pixels: Int, V: SIMD>(
    _ zero: InlineArray<pixels, V>, from channel: Int, _ x: UnsafePointer<Float>,
    _ y: UnsafeMutablePointer<Float>, _ multiplyAdd: (V, V, V) -> V, _ clamp: (V, V, V) -> V
  ) where V.Scalar == Float {
    var sums = zero
    for pixel in 0..<pixels { sums[pixel] = load(bias + channel) }
    for tapRow in 0..<rows {
      var x = x + (tapRow &* rowStride &+ channel)
      var w = w + (tapRow &* weightRowStride &+ channel)
      for _ in 0..<columns {
        let weights: V = load(w)
        for pixel in 0..<pixels {
          sums[pixel] = multiplyAdd(sums[pixel], load(x + pixel &* pixelStride), weights)
        }
        x += columnStride
        w += channels
      }
    }
    let low = V(repeating: low)
    let high = V(repeating: high)
    for pixel in 0..<pixels {
      store(clamp(sums[pixel], low, high), to: y + (pixel &* channels &+ channel))
    }
  }

  /// One channel of one output, with the arithmetic of a lane.
  @inline(__always)
  private func single(_ channel: Int, _ x: UnsafePointer<Float>) -> Float {
    var sum = SIMD4<Float>(repeating: bias[channel])
    for tapRow in 0..<rows {
      for tapColumn in 0..<columns {
        let x = x[tapRow &* rowStride &+ tapColumn &* columnStride &+ channel]
        let w = w[tapRow &* weightRowStride &+ tapColumn &* channels &+ channel]
        sum = multiplyAdd(sum, SIMD4(repeating: x), SIMD4(repeating: w))
      }
    }
    return clamp(sum, SIMD4(repeating: low), SIMD4(repeating: high))[0]
  }
}
