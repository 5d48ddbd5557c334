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

  package static func float32Add(
    _ x: UnsafePointer<Float>, _ count: Int, into y: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { y[i] += x[i] }
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
