//===--- PoolingLoops.swift - pooling loops -------------------------------===//
//
// Maxima and sums over the channels of pixels. If possible, plain loops that the compiler
// vectorizes.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func float32MaxPool(_ pool: Float32Pool, clampedTo range: ClosedRange<Float>) {
    let windows = Windows(pool)
    let (depth, low, high) = (pool.depth, range.lowerBound, range.upperBound)
    // The closures are created here with concrete vectors, because generic ones are compiled lane
    // by lane.
    if depth >= Lanes.scalarCount {
      return windows.maximum(Lanes(repeating: low), Lanes(repeating: high)) {
        $0.replacing(with: $1, where: $1 .>= $0)
      } limit: {
        $0.replacing(with: $1, where: $1 .< $0)
      }
    }
    #if MARTLET_V4
      if depth >= 8 {
        return windows.maximum(SIMD8(repeating: low), SIMD8(repeating: high)) {
          $0.replacing(with: $1, where: $1 .>= $0)
        } limit: {
          $0.replacing(with: $1, where: $1 .< $0)
        }
      }
    #endif
    if depth >= 4 {
      windows.maximum(SIMD4(repeating: low), SIMD4(repeating: high)) {
        $0.replacing(with: $1, where: $1 .>= $0)
      } limit: {
        $0.replacing(with: $1, where: $1 .< $0)
      }
    } else {
      windows.forEachChannel { windows.maximum(from: $0, $1, low: low, high: high) }
    }
  }

  package static func float32SumPool(_ pool: Float32Pool) {
    let windows = Windows(pool)
    let depth = pool.depth
    if depth >= Lanes.scalarCount { return windows.sum(Lanes.self) }
    #if MARTLET_V4
      if depth >= 8 { return windows.sum(SIMD8<Float>.self) }
    #endif
    if depth >= 4 {
      windows.sum(SIMD4<Float>.self)
    } else {
      windows.forEachChannel { windows.sum(from: $0, $1) }
    }
  }

  package static func uint8Maximum(
    _ x: UnsafePointer<UInt8>, count: Int, flip: UInt8, into y: UnsafeMutablePointer<UInt8>
  ) {
    for i in 0..<count {
      let flipped = x[i] ^ flip
      y[i] = flipped > y[i] ? flipped : y[i]
    }
  }

  package static func uint8Add(
    _ x: UnsafePointer<UInt8>, count: Int, flip: UInt8, into y: UnsafeMutablePointer<Int32>
  ) {
    for i in 0..<count { y[i] &+= Int32(truncatingIfNeeded: x[i] ^ flip) }
  }
}

/// Windows of an image with the same number of pixels.
private struct Windows {
  let x: UnsafePointer<Float>
  let pixels: Int
  let pixelStride: Int
  let rows: Int
  let rowStride: Int
  let columns: Int
  let depth: Int
  let y: UnsafeMutablePointer<Float>
  let yStride: Int

  @inline(__always)
  init(_ pool: Float32Pool) {
    x = pool.x
    pixels = pool.windows
    pixelStride = pool.windowStride
    rows = pool.rows
    rowStride = pool.rowStride
    columns = pool.columns
    depth = pool.depth
    y = pool.y.start
    yStride = pool.y.rowStride
  }

  /// The last vector may overlap the previous one.
  @inline(__always)
  func maximum<V: SIMD>(
    _ low: V, _ high: V, larger: (V, V) -> V, limit: (V, V) -> V
  ) where V.Scalar == Float {
    for pixel in 0..<pixels {
      var i = 0
      while i < depth {
        let at = min(i, depth &- V.scalarCount)
        var largest = low
        var x = x + (pixel &* pixelStride &+ at)
        for _ in 0..<rows {
          for column in 0..<columns {
            largest = larger(largest, load(x + column &* depth))
          }
          x += rowStride
        }
        store(limit(largest, high), to: y + (pixel &* yStride &+ at))
        i &+= V.scalarCount
      }
    }
  }

  /// With many channels, four vectors at a time hide the latency of the additions.
  @inline(__always)
  func sum<V: SIMD>(_ vector: V.Type) where V.Scalar == Float {
    for pixel in 0..<pixels {
      var i = 0
      while i &+ 4 &* V.scalarCount <= depth {
        sum(Registers4<V>.self, vector, pixel, from: i)
        i &+= 4 &* V.scalarCount
      }
      while i < depth {
        sum(Registers1<V>.self, vector, pixel, from: min(i, depth &- V.scalarCount))
        i &+= V.scalarCount
      }
    }
  }

  @inline(__always)
  private func sum<Sums: Registers<V>, V: SIMD>(
    _: Sums.Type, _ vector: V.Type, _ pixel: Int, from channel: Int
  ) where V.Scalar == Float {
    let count = Sums.count
    var sums = Sums(repeating: V(repeating: 0))
    var x = x + (pixel &* pixelStride &+ channel)
    for _ in 0..<rows {
      for column in 0..<columns {
        for i in 0..<count { sums[i] += load(x + (column &* depth &+ i &* V.scalarCount)) }
      }
      x += rowStride
    }
    let y = y + (pixel &* yStride &+ channel)
    for i in 0..<count { store(sums[i], to: y + i &* V.scalarCount) }
  }

  /// Calls `body` with the first pixel and the result of each window, one channel after the other.
  @inline(__always)
  func forEachChannel(_ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void) {
    for pixel in 0..<pixels {
      for i in 0..<depth { body(x + (pixel &* pixelStride &+ i), y + (pixel &* yStride &+ i)) }
    }
  }

  func maximum(
    from x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, low: Float, high: Float
  ) {
    var largest = low
    for row in 0..<rows {
      for column in 0..<columns {
        let value = x[row &* rowStride &+ column &* depth]
        largest = value >= largest ? value : largest
      }
    }
    y[0] = high < largest ? high : largest
  }

  func sum(from x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    var sum: Float = 0
    for row in 0..<rows {
      for column in 0..<columns { sum += x[row &* rowStride &+ column &* depth] }
    }
    y[0] = sum
  }
}
