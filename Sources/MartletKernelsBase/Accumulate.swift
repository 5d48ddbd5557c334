//===--- Accumulate.swift - the innermost loops of pooling ----------------===//
//
// y[i] = max(y[i], x[i]) and y[i] += x[i], over the channels of a pixel. Plain loops that the
// compiler turns into vectors.
//
// Checked   Tests/MartletKernelsTests/PoolingTests.swift
//===----------------------------------------------------------------------===//

extension Loops {
  /// NaN never becomes the maximum; of two equals the later is kept.
  package static func float32Max(
    _ x: UnsafePointer<Float>, _ count: Int, into y: UnsafeMutablePointer<Float>
  ) {
    for i in 0..<count { y[i] = x[i] >= y[i] ? x[i] : y[i] }
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
