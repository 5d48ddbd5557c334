//===--- Accumulate.swift - the innermost loops of pooling ----------------===//
//
// Maxima and sums over the channels of a pixel. Where it can be, plain loops that the compiler turns
// into vectors.
//
// Checked   Tests/MartletKernelsTests/PoolingTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// The maxima, clamped, of `pixels` windows of `rows` by `columns` pixels of `depth` channels. NaN
  /// never becomes the maximum; of two equals the later is kept.
  ///
  /// Distances are in elements: from a window to the next, from a row to the one below it, and from a
  /// result to the next.
  package static func float32Maximum(
    _ x: UnsafePointer<Float>, pixels: Int, pixelStride: Int, rows: Int, pitch: Int, columns: Int,
    depth: Int, low: Float, high: Float, into y: UnsafeMutablePointer<Float>, yStride: Int
  ) {
    let windows = Windows(
      x: x, pixels: pixels, pixelStride: pixelStride, rows: rows, pitch: pitch, columns: columns,
      depth: depth, y: y, yStride: yStride)
    // The choices are made here, of vectors of known types: generic ones are compiled lane by lane.
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

  /// The sums over the same windows, each from zero in the order of memory.
  package static func float32Sum(
    _ x: UnsafePointer<Float>, pixels: Int, pixelStride: Int, rows: Int, pitch: Int, columns: Int,
    depth: Int, into y: UnsafeMutablePointer<Float>, yStride: Int
  ) {
    let windows = Windows(
      x: x, pixels: pixels, pixelStride: pixelStride, rows: rows, pitch: pitch, columns: columns,
      depth: depth, y: y, yStride: yStride)
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

  /// Compares bytes of which `flip` makes unsigned numbers; `y` holds them flipped.
  package static func byteMax(
    _ x: UnsafePointer<UInt8>, _ count: Int, flip: UInt8, into y: UnsafeMutablePointer<UInt8>
  ) {
    for i in 0..<count {
      let flipped = x[i] ^ flip
      y[i] = flipped > y[i] ? flipped : y[i]
    }
  }

  /// Adds bytes of which `flip` makes unsigned numbers.
  package static func byteAdd(
    _ x: UnsafePointer<UInt8>, _ count: Int, flip: UInt8, into y: UnsafeMutablePointer<Int32>
  ) {
    for i in 0..<count { y[i] &+= Int32(truncatingIfNeeded: x[i] ^ flip) }
  }
}

/// Windows of an image that see as many pixels each.
private struct Windows {
  let x: UnsafePointer<Float>
  let pixels: Int
  let pixelStride: Int
  let rows: Int
  let pitch: Int
  let columns: Int
  let depth: Int
  let y: UnsafeMutablePointer<Float>
  let yStride: Int

  /// The last vector may begin before the rest.
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
          x += pitch
        }
        store(limit(largest, high), to: y + (pixel &* yStride &+ at))
        i &+= V.scalarCount
      }
    }
  }

  /// Of many channels four vectors at a time: additions wait for those before.
  @inline(__always)
  func sum<V: SIMD>(_ vector: V.Type) where V.Scalar == Float {
    for pixel in 0..<pixels {
      var i = 0
      while i &+ 4 &* V.scalarCount <= depth {
        sum(Accumulators<4>(), vector, pixel, from: i)
        i &+= 4 &* V.scalarCount
      }
      while i < depth {
        sum(Accumulators<1>(), vector, pixel, from: min(i, depth &- V.scalarCount))
        i &+= V.scalarCount
      }
    }
  }

  @inline(__always)
  private func sum<let count: Int, V: SIMD>(
    _ vectors: Accumulators<count>, _ vector: V.Type, _ pixel: Int, from channel: Int
  ) where V.Scalar == Float {
    var sums = InlineArray<count, V>(repeating: V(repeating: 0))
    var x = x + (pixel &* pixelStride &+ channel)
    for _ in 0..<rows {
      for column in 0..<columns {
        for i in 0..<count { sums[i] += load(x + (column &* depth &+ i &* V.scalarCount)) }
      }
      x += pitch
    }
    let y = y + (pixel &* yStride &+ channel)
    for i in 0..<count { store(sums[i], to: y + i &* V.scalarCount) }
  }

  /// Calls back with each window's first pixel and result, one channel after the other.
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
        let value = x[row &* pitch &+ column &* depth]
        largest = value >= largest ? value : largest
      }
    }
    y[0] = high < largest ? high : largest
  }

  func sum(from x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
    var sum: Float = 0
    for row in 0..<rows {
      for column in 0..<columns { sum += x[row &* pitch &+ column &* depth] }
    }
    y[0] = sum
  }
}
