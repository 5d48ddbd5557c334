//===--- Uint8Resample.swift - rows and columns of resized pictures -------===//
//
// Weighted sums of bytes: of neighbouring pixels of packed RGB, or of rows, two taps at a time.
//
// Contract  Exact: integer sums, shifted back by the precision and rounded to nearest, bytes again.
// Order     Any order gives the same bits.
// Cost      Two products and two sums for two taps of a vector.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

import MartletMicrokernels

extension Level {
  package static func uint8ResampleRow(_ arguments: Uint8ResampleRow) -> Int {
    if arguments.isHalving, arguments.columns > 0 {
      halve(
        arguments.row + 3 &* arguments.windows[0].start, columns: arguments.columns,
        into: arguments.y)
      return arguments.columns
    }
    let (row, output, precision) = (arguments.row, arguments.y, arguments.precision)
    for x in 0..<arguments.columns {
      let window = arguments.windows[x]
      // Four bytes are read for each pixel.
      guard 3 &* window.start &+ 6 &* window.pairCount < arguments.byteCount else { return x }
      var sums = PairSums()
      var pixels = UnsafeRawPointer(row + 3 &* window.start)
      let weights = arguments.weights + window.firstWeight
      for pair in 0..<window.pairCount {
        sums.add(
          PairSums.four(pixels, pixels + 3), weights[2 &* pair], weights[2 &* pair &+ 1])
        pixels += 6
      }
      let bytes = PairSums.bytes(sums, sums, shift: precision)
      let place = UnsafeMutableRawPointer(output + 3 &* x)
      if x &+ 1 < arguments.columns {
        // The fourth byte is the next pixel's, which is written after.
        place.storeBytes(of: bytes.lowHalf, as: SIMD4<UInt8>.self)
      } else {
        for channel in 0..<3 { output[3 &* x &+ channel] = bytes[channel] }
      }
    }
    return arguments.columns
  }

  /// Means of two neighbouring pixels, halves rounded up: a loop that the compiler makes one of vectors.
  @inline(never)
  private static func halve(
    _ pixels: UnsafePointer<UInt8>, columns: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<columns {
      for channel in 0..<3 {
        let first = 6 &* x &+ channel
        let sum = UInt16(pixels[first]) &+ UInt16(pixels[first &+ 3]) &+ 1
        output[3 &* x &+ channel] = UInt8(truncatingIfNeeded: sum &>> 1)
      }
    }
  }

  package static func uint8ResampleColumns(_ arguments: Uint8ResampleColumns) {
    #if MARTLET_V3 || MARTLET_V4
      if arguments.rowBytes >= 2 &* Sums.scalarCount { return wide(arguments) }
    #endif
    narrow(arguments)
  }

  /// Eight bytes at a time; the last eight may overlap those before.
  @inline(never)
  private static func narrow(_ arguments: Uint8ResampleColumns) {
    let (rowBytes, count) = (arguments.rowBytes, arguments.count)
    var x = 0
    while x < rowBytes {
      x = min(x, rowBytes &- 8)
      var (low, high) = (PairSums(), PairSums())
      var row = UnsafeRawPointer(arguments.rows + x)
      var next = arguments.weights
      var tap = 0
      while tap < count {
        // An odd last row is beside itself, with no weight.
        let (a, b) = PairSums.eight(row, tap &+ 1 < count ? row + rowBytes : row)
        low.add(a, next[0], next[1])
        high.add(b, next[0], next[1])
        next += 2
        row += 2 &* rowBytes
        tap &+= 2
      }
      UnsafeMutableRawPointer(arguments.y + x).storeBytes(
        of: PairSums.bytes(low, high, shift: arguments.precision), as: SIMD8<UInt8>.self)
      x &+= 8
    }
  }

  #if MARTLET_V3 || MARTLET_V4
    /// Two vectors of bytes at a time.
    @inline(never)
    private static func wide(_ arguments: Uint8ResampleColumns) {
      let (rowBytes, count, lanes) = (arguments.rowBytes, arguments.count, Sums.scalarCount)
      let shift = Sums(repeating: arguments.precision)
      let half = Sums(repeating: 1 &<< (arguments.precision &- 1))
      let (least, most) = (Sums.zero, Sums(repeating: 255))
      var x = 0
      while x < rowBytes {
        x = min(x, rowBytes &- 2 &* lanes)
        var (high0, low0, high1, low1) = (Sums.zero, Sums.zero, Sums.zero, Sums.zero)
        var row = arguments.rows + x
        var next = arguments.weights
        var tap = 0
        while tap < count {
          let below = tap &+ 1 < count ? row + rowBytes : row
          let (first, second) = (
            pairs(row, below), pairs(row + lanes, below + lanes)
          )
          let (high, low) = (Sums(repeating: next[0]), Sums(repeating: next[1]))
          high0 = addPairs(high0, first, high)
          low0 = addPairs(low0, first, low)
          high1 = addPairs(high1, second, high)
          low1 = addPairs(low1, second, low)
          next += 2
          row += 2 &* rowBytes
          tap &+= 2
        }
        let y = arguments.y + x
        let total0 = (high0 &<< Sums(repeating: 15)) &+ low0 &+ half
        let total1 = (high1 &<< Sums(repeating: 15)) &+ low1 &+ half
        UnsignedBytes.store(clamp(total0 &>> shift, least, most), to: y)
        UnsignedBytes.store(clamp(total1 &>> shift, least, most), to: y + lanes)
        x &+= 2 &* lanes
      }
    }

    /// The bytes at two places, side by side.
    @inline(__always)
    private static func pairs(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>) -> Sums {
      UnsignedBytes.load(a) | (UnsignedBytes.load(b) &<< Sums(repeating: 16))
    }
  #endif
}
