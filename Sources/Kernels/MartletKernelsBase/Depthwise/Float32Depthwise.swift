//===--- Float32Depthwise.swift - float depthwise loops -------------------===//
//
// y[p][c] = clamp(bias[c] + Σ over taps t of x[p + t][c] * w[t][c])
//
// Computes a run of adjacent outputs that use the same taps. Four or eight outputs at a time share
// each load of the weights. Eight sums hide each other's latency.
//
// Order     Taps ascending, starting from the bias, for any split.
// Cost      2 · pixels · taps · channels operations. If the channels do not fill vectors, or the
//           pixels groups of four, the last block overlaps the previous one and computes some
//           outputs twice.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32Depthwise(_ convolution: Float32Depthwise) {
    let run = Float32DepthwiseRun(convolution)
    let channels = run.channels
    if channels >= Lanes.scalarCount {
      return run.compute(Lanes.self) { clamp($0, $1, $2) }
    }
    #if MARTLET_V4
      if channels >= 8 { return run.compute(SIMD8<Float>.self) { clamp($0, $1, $2) } }
    #endif
    if channels >= 4 {
      run.compute(SIMD4<Float>.self) { clamp($0, $1, $2) }
    } else {
      run.computeSingly()
    }
  }
}

struct Float32DepthwiseRun {
  let x: UnsafePointer<Float>
  let w: UnsafePointer<Float>
  let bias: UnsafePointer<Float>
  let pixels: Int
  let pixelStride: Int
  let channels: Int
  let rows: Int
  let columns: Int
  let rowStride: Int
  let columnStride: Int
  let weightRowStride: Int
  let weightColumnStride: Int
  let y: UnsafeMutablePointer<Float>
  let yStride: Int
  let low: Float
  let high: Float

  @inline(__always)
  init(_ convolution: Float32Depthwise) {
    x = convolution.x.start
    w = convolution.weights.start
    bias = convolution.bias
    pixels = convolution.pixels
    pixelStride = convolution.pixelStride
    channels = convolution.channels
    rows = convolution.tapRows
    columns = convolution.tapColumns
    rowStride = convolution.x.rowStride
    columnStride = convolution.x.columnStride
    weightRowStride = convolution.weights.rowStride
    weightColumnStride = convolution.weights.columnStride
    y = convolution.y.start
    yStride = convolution.y.rowStride
    low = convolution.range.lowerBound
    high = convolution.range.upperBound
  }

  /// Computes all outputs. Rows of three or five taps are unrolled, and adjacent outputs share the
  /// inputs they have in common.
  @inline(__always)
  func compute<V: SIMD>(_ vector: V.Type, _ clamp: (V, V, V) -> V) where V.Scalar == Float {
    let step = pixelStride == columnStride ? 1 : pixelStride == 2 &* columnStride ? 2 : 0
    switch (pixels, columns, step) {
    case (4..., 3, 1): computeBlocks(Static3.self, Static1.self, clamp)
    case (4..., 3, 2): computeBlocks(Static3.self, Static2.self, clamp)
    case (4..., 5, 1): computeBlocks(Static5.self, Static1.self, clamp)
    case (4..., 5, 2): computeBlocks(Static5.self, Static2.self, clamp)
    case (4..., 2, _): computeBlocks(Static2.self, Static0.self, clamp)
    case (4..., 3, _): computeBlocks(Static3.self, Static0.self, clamp)
    case (4..., _, _): computeBlocks(Static0.self, Static0.self, clamp)
    default: computeEach(V.self, clamp)
    }
  }

  /// Computes all outputs in blocks of eight sums: eight outputs, or four and two vectors of
  /// channels. Where registers are few, blocks have four sums.
  @inline(never)
  private func computeBlocks<V: SIMD, Taps: Static, Step: Static>(
    _ taps: Taps.Type, _ step: Step.Type, _ clamp: (V, V, V) -> V
  ) where V.Scalar == Float {
    var (pixel, channel) = (0, 0)
    #if arch(arm64)
      if Step.value > 0 {
        if Taps.value == 3, Step.value == 1 {
          pixel = pixels & ~7
          compute(Registers8<V>.self, 0..<pixel, taps, step, clamp)
        }
        return compute(Registers4<V>.self, pixel..<pixels, taps, step, clamp)
      }
    #elseif MARTLET_V3 || MARTLET_V4
      if V.scalarCount >= 8, pixels >= 8 {
        pixel = min((pixels &+ 3) & ~7, pixels)
        compute(Registers8<V>.self, 1, 0..<pixel, 0..<channels, taps, step, clamp)
      }
      if V.scalarCount == Lanes.scalarCount {
        channel = channels / (2 &* V.scalarCount) &* (2 &* V.scalarCount)
        compute(Registers8<V>.self, 2, pixel..<pixels, 0..<channel, taps, step, clamp)
      }
    #endif
    compute(Registers4<V>.self, 1, pixel..<pixels, channel..<channels, taps, step, clamp)
  }

  /// Computes outputs one by one. With many channels, six or three vectors at a time hide the
  /// latency of the sums.
  @inline(__always)
  private func computeEach<V: SIMD>(
    _ vector: V.Type, _ clamp: (V, V, V) -> V
  ) where V.Scalar == Float {
    for pixel in 0..<pixels {
      var channel = 0
      while channel &+ 6 &* V.scalarCount <= channels {
        sum(Registers6<V>.self, vector, pixel, channel, clamp)
        channel &+= 6 &* V.scalarCount
      }
      while channel &+ 3 &* V.scalarCount <= channels {
        sum(Registers3<V>.self, vector, pixel, channel, clamp)
        channel &+= 3 &* V.scalarCount
      }
      if channel &+ 2 &* V.scalarCount <= channels {
        sum(Registers2<V>.self, vector, pixel, channel, clamp)
        channel &+= 2 &* V.scalarCount
      }
      while channel < channels {
        sum(Registers1<V>.self, vector, pixel, min(channel, channels &- V.scalarCount), clamp)
        channel &+= V.scalarCount
      }
    }
  }

  /// Computes as many adjacent vectors of one output as there are accumulators.
  @inline(__always)
  private func sum<Sums: Registers<V>, V: SIMD>(
    _: Sums.Type, _ vector: V.Type, _ pixel: Int, _ channel: Int, _ clamp: (V, V, V) -> V
  ) where V.Scalar == Float {
    let lanes = V.scalarCount
    let count = Sums.count
    var sums = Sums(repeating: V(repeating: 0))
    for i in 0..<count { sums[i] = load(bias + (channel &+ i &* lanes)) }
    var x = x + (pixel &* pixelStride &+ channel)
    var w = w + channel
    for _ in 0..<rows {
      for column in 0..<columns {
        let (x, w) = (x + column &* columnStride, w + column &* weightColumnStride)
        for i in 0..<count {
          sums[i] = multiplyAdd(sums[i], load(x + i &* lanes), load(w + i &* lanes))
        }
      }
      x += rowStride
      w += weightRowStride
    }
    let y = y + (pixel &* yStride &+ channel)
    for i in 0..<count {
      store(clamp(sums[i], V(repeating: low), V(repeating: high)), to: y + i &* lanes)
    }
  }

  /// Computes ranges in blocks of several outputs and `vectors` vectors of channels; the last block
  /// may overlap the previous one. The array of sums is created here, because the compiler does not
  /// keep one that is passed in in registers. Numbers of taps per row and distances between outputs
  /// in taps that are 0 vary.
  @inline(__always)
  private func compute<Sums: Registers<V>, V: SIMD, Taps: Static, Step: Static>(
    _: Sums.Type, _ vectors: Int, _ range: Range<Int>, _ channelRange: Range<Int>, _: Taps.Type,
    _: Step.Type, _ clamp: (V, V, V) -> V
  ) where V.Scalar == Float {
    let lanes = V.scalarCount
    let count = Sums.count / vectors
    let (low, high) = (V(repeating: low), V(repeating: high))
    var pixel = range.lowerBound
    while pixel < range.upperBound {
      let first = min(pixel, pixels &- count)
      var channel = channelRange.lowerBound
      while channel < channelRange.upperBound {
        let start = min(channel, channels &- vectors &* lanes)
        var sums = Sums(repeating: load(bias + start))
        if vectors == 2 {
          for i in 0..<count { sums[2 &* i &+ 1] = load(bias + (start &+ lanes)) }
        }
        var x = x + (first &* pixelStride &+ start)
        var w = w + start
        var row = 0
        while row < rows {
          for column in 0..<(Taps.value > 0 ? Taps.value : columns) {
            for vector in 0..<vectors {
              let factor: V = load(w + (column &* weightColumnStride &+ vector &* lanes))
              for i in 0..<count {
                let seen =
                  Step.value > 0
                  ? (i &* Step.value &+ column) &* columnStride
                  : i &* pixelStride &+ column &* columnStride
                sums[vectors &* i &+ vector] = multiplyAdd(
                  sums[vectors &* i &+ vector], load(x + (seen &+ vector &* lanes)), factor)
              }
            }
          }
          x += rowStride
          w += weightRowStride
          row &+= 1
        }
        let y = y + (first &* yStride &+ start)
        for i in 0..<count {
          for vector in 0..<vectors {
            store(
              clamp(sums[vectors &* i &+ vector], low, high),
              to: y + (i &* yStride &+ vector &* lanes))
          }
        }
        channel &+= vectors &* lanes
      }
      pixel &+= count
    }
  }

  /// Computes all outputs one channel at a time, with the arithmetic of a lane.
  func computeSingly() {
    let (low, high) = (SIMD4(repeating: low), SIMD4(repeating: high))
    for pixel in 0..<pixels {
      for channel in 0..<channels {
        var sum = SIMD4<Float>(repeating: bias[channel])
        for row in 0..<rows {
          let x = x + (pixel &* pixelStride &+ row &* rowStride &+ channel)
          let w = w + (row &* weightRowStride &+ channel)
          for column in 0..<columns {
            sum = multiplyAdd(
              sum, SIMD4(repeating: x[column &* columnStride]),
              SIMD4(repeating: w[column &* weightColumnStride]))
          }
        }
        y[pixel &* yStride &+ channel] = clamp(sum, low, high)[0]
      }
    }
  }
}
