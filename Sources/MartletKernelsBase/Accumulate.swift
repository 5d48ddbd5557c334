//===--- Accumulate.swift - the innermost loops of pooling ----------------===//
//
// Maxima and sums over the channels of a pixel. Where it can be, plain loops that the compiler turns
// into vectors.
//
// Checked   Tests/MartletKernelsTests/PoolingTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// The maxima over a rectangle of pixels, clamped. NaN never becomes the maximum; of two equals the
  /// later is kept.
  package static func float32Maximum(
    _ x: UnsafePointer<Float>, rows: Int, pitch: Int, columns: Int, depth: Int, low: Float,
    high: Float, into y: UnsafeMutablePointer<Float>
  ) {
    guard depth >= Lanes.scalarCount else {
      for i in 0..<depth {
        var largest = low
        for row in 0..<rows {
          for column in 0..<columns {
            let value = x[row &* pitch &+ column &* depth &+ i]
            largest = value >= largest ? value : largest
          }
        }
        y[i] = high < largest ? high : largest
      }
      return
    }
    var i = 0
    while i < depth {
      // The last vector may begin before the rest.
      let at = min(i, depth &- Lanes.scalarCount)
      var largest = Lanes(repeating: low)
      for row in 0..<rows {
        for column in 0..<columns {
          let value: Lanes = load(x + (row &* pitch &+ column &* depth &+ at))
          largest = largest.replacing(with: value, where: value .>= largest)
        }
      }
      let high = Lanes(repeating: high)
      store(largest.replacing(with: high, where: high .< largest), to: y + at)
      i &+= Lanes.scalarCount
    }
  }

  /// The sums over a rectangle of pixels, each from zero in the order of memory.
  package static func float32Sum(
    _ x: UnsafePointer<Float>, rows: Int, pitch: Int, columns: Int, depth: Int,
    into y: UnsafeMutablePointer<Float>
  ) {
    let rectangle = Rectangle(x: x, rows: rows, pitch: pitch, columns: columns, depth: depth)
    if depth >= Lanes.scalarCount { return rectangle.sum(Lanes.self, into: y) }
    #if MARTLET_V4
      if depth >= 8 { return rectangle.sum(SIMD8<Float>.self, into: y) }
    #endif
    if depth >= 4 { return rectangle.sum(SIMD4<Float>.self, into: y) }
    for i in 0..<depth {
      var sum: Float = 0
      for row in 0..<rows {
        for column in 0..<columns { sum += x[row &* pitch &+ column &* depth &+ i] }
      }
      y[i] = sum
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

/// Pixels of an image, `depth` channels each.
private struct Rectangle {
  let x: UnsafePointer<Float>
  let rows: Int
  let pitch: Int
  let columns: Int
  let depth: Int

  /// Sums as many channels at a time as the vector has lanes, of many channels four vectors: additions
  /// wait for those before. The last vector may begin before the rest.
  @inline(__always)
  func sum<V: SIMD>(
    _ vector: V.Type, into y: UnsafeMutablePointer<Float>
  ) where V.Scalar == Float {
    var i = 0
    while i &+ 4 &* V.scalarCount <= depth {
      sum(Accumulators<4>(), vector, from: i, into: y)
      i &+= 4 &* V.scalarCount
    }
    while i < depth {
      sum(Accumulators<1>(), vector, from: min(i, depth &- V.scalarCount), into: y)
      i &+= V.scalarCount
    }
  }

  @inline(__always)
  private func sum<let count: Int, V: SIMD>(
    _ vectors: Accumulators<count>, _ vector: V.Type, from channel: Int,
    into y: UnsafeMutablePointer<Float>
  ) where V.Scalar == Float {
    var sums = InlineArray<count, V>(repeating: V(repeating: 0))
    for row in 0..<rows {
      var pixel = x + (row &* pitch &+ channel)
      for _ in 0..<columns {
        for i in 0..<count { sums[i] += load(pixel + i &* V.scalarCount) }
        pixel += depth
      }
    }
    for i in 0..<count { store(sums[i], to: y + (channel &+ i &* V.scalarCount)) }
  }
}
