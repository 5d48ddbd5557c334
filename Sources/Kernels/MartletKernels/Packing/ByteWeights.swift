//===--- ByteWeights.swift - weights of one byte --------------------------===//
//
// The constant weights of a quantized layer, read in place. A weight is a byte minus the zero point.
//
// Contract  The bytes must stay valid while a value is used: it is for packing only.
// Cost      No copy. The loops over bytes compile to vector instructions.
//===----------------------------------------------------------------------===//

/// Byte weights with their zero point subtracted, in the file's order.
package struct ByteWeights {
  private let bytes: UnsafeRawBufferPointer
  /// Converts the bytes to unsigned ones, which added to `base` are the weights.
  private let flip: UInt8
  private let base: Int16

  /// The weights are `bytes` plus `offset`, the negated zero point; none exceeds ±255.
  package init<Scalar: FixedWidthInteger>(_ bytes: UnsafeBufferPointer<Scalar>, offset: Int32) {
    precondition(MemoryLayout<Scalar>.size == 1)
    self.bytes = UnsafeRawBufferPointer(bytes)
    flip = Scalar.isSigned ? 0x80 : 0
    base = Int16(truncatingIfNeeded: Scalar.isSigned ? offset &- 128 : offset)
  }

  subscript(index: Int) -> Int16 { Int16(bytes[index] ^ flip) &+ base }

  /// The smallest and the largest weight; zeros if there is none.
  var bounds: (low: Int16, high: Int16) {
    guard !bytes.isEmpty else { return (0, 0) }
    var (low, high) = (UInt8.max, UInt8.min)
    for index in 0..<bytes.count {
      let byte = bytes[index] ^ flip
      low = min(low, byte)
      high = max(high, byte)
    }
    return (Int16(low) &+ base, Int16(high) &+ base)
  }

  /// Whether all weights fit in signed bytes that are at least `least`.
  func fitsBytes(from least: Int16) -> Bool {
    if base == -128 && least == -128 { return true }
    let (low, high) = bounds
    return low >= least && high <= 127
  }

  /// Whether all weights minus one number fit in signed bytes that are at least `least`.
  func fitsShiftedBytes(from least: Int16) -> Bool {
    if least == -128 { return true }
    let (low, high) = bounds
    return high - low <= 127 - least
  }

  /// The sum of the weights in `range`.
  func sum(_ range: Range<Int>) -> Int32 {
    var sum: Int32 = 0
    var start = range.lowerBound
    while start &+ 16 <= range.upperBound {
      // 128 pairs of bytes fit in 16 bits.
      let end = start &+ min(range.upperBound &- start, 16 &* 128) & ~15
      var pairs = SIMD8<UInt16>.zero
      while start < end {
        let x = unsafeBitCast(
          bytes.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self) ^ flip,
          to: SIMD8<UInt16>.self)
        pairs = pairs &+ (x & 0xff) &+ (x &>> 8)
        start &+= 16
      }
      sum &+= Int32(truncatingIfNeeded: SIMD8<UInt32>(truncatingIfNeeded: pairs).wrappedSum())
    }
    for index in start..<range.upperBound { sum &+= Int32(bytes[index] ^ flip) }
    return sum &+ Int32(base) &* Int32(truncatingIfNeeded: range.count)
  }

  /// Copies the weights in `range`, minus `shift`, as signed bytes: groups of four or eight bytes,
  /// `stride` bytes apart.
  func copy(
    _ range: Range<Int>, minus shift: Int16, group: Int, stride: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let offset = UInt8(truncatingIfNeeded: base &- shift)
    var target = target
    var start = range.lowerBound
    while start &+ 16 <= range.upperBound {
      let groups = sixteen(start, offset)
      if group == 4 {
        for index in 0..<4 {
          (target + index &* stride).storeBytes(of: groups[index], as: UInt32.self)
        }
      } else {
        let groups = unsafeBitCast(groups, to: SIMD2<UInt64>.self)
        for index in 0..<2 {
          (target + index &* stride).storeBytes(of: groups[index], as: UInt64.self)
        }
      }
      start &+= 16
      target += 16 / group &* stride
    }
    for index in 0..<range.upperBound &- start {
      target.storeBytes(
        of: (bytes[start &+ index] ^ flip) &+ offset,
        toByteOffset: index / group &* stride &+ index % group, as: UInt8.self)
    }
  }

  /// Copies four rows as `copy` does, `pitch` weights apart, in groups of four bytes: those of the
  /// second row follow those of the first, and so on.
  func copyFour(
    _ range: Range<Int>, pitch: Int, minus shift: Int16, stride: Int,
    to target: UnsafeMutableRawPointer
  ) {
    let offset = UInt8(truncatingIfNeeded: base &- shift)
    var target = target
    var start = range.lowerBound
    while start &+ 16 <= range.upperBound {
      let (a, b) = (sixteen(start, offset), sixteen(start &+ pitch, offset))
      let (c, d) = (sixteen(start &+ 2 &* pitch, offset), sixteen(start &+ 3 &* pitch, offset))
      for i in 0..<4 {
        (target + i &* stride).storeBytes(
          of: SIMD4(a[i], b[i], c[i], d[i]), as: SIMD4<UInt32>.self)
      }
      start &+= 16
      target += 4 &* stride
    }
    for row in 0..<4 where start < range.upperBound {
      copy(
        start &+ row &* pitch..<range.upperBound &+ row &* pitch, minus: shift, group: 4,
        stride: stride, to: target + 4 &* row)
    }
  }

  /// Four groups of four weights, plus `offset`.
  @inline(__always)
  private func sixteen(_ start: Int, _ offset: UInt8) -> SIMD4<UInt32> {
    let x = bytes.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
    return unsafeBitCast((x ^ flip) &+ offset, to: SIMD4<UInt32>.self)
  }
}
