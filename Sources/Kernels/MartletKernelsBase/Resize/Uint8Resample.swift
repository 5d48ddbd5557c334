//===--- Uint8Resample.swift - image resampling loops ---------------------===//
//
// Weighted sums of bytes, two taps at a time: of adjacent pixels of packed RGB, or of rows.
//
// Contract  Exact: integer sums, shifted right by the precision, rounded to nearest and clamped to
//           bytes.
// Order     Any order gives the same bits.
// Cost      Two products and two sums per two taps of a vector. Along a row, a vector holds one
//           pair of pixels per 128-bit part, so AVX-512 processes eight taps per step: of one
//           output, or of two that have at most four each.
//===----------------------------------------------------------------------===//

import MartletMicrokernels

#if arch(x86_64) && canImport(_Builtin_intrinsics)
  import _Builtin_intrinsics.intel
#endif

extension Level {
  package static func uint8ResampleRow(_ arguments: Uint8ResampleRow) -> Int {
    if arguments.isHalving, arguments.columns > 0 {
      halve(
        arguments.row + 3 &* arguments.windows[0].start, columns: arguments.columns,
        into: arguments.y)
      return arguments.columns
    }
    #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
      return wide(arguments)
    #else
      return narrow(arguments)
    #endif
  }

  /// Processes two taps at a time.
  @inline(__always)
  private static func narrow(_ arguments: Uint8ResampleRow) -> Int {
    let (row, output, precision) = (arguments.row, arguments.y, arguments.precision)
    for x in 0..<arguments.columns {
      let window = arguments.windows[x]
      // Eight bytes are read per pair of pixels.
      guard 3 &* window.start &+ 6 &* window.pairCount &+ 2 <= arguments.byteCount else {
        return x
      }
      var sums = PairSums()
      var pixels = UnsafeRawPointer(row + 3 &* window.start)
      let weights = arguments.weights + window.firstWeight
      for pair in 0..<window.pairCount {
        sums.add(PairSums.pixels(pixels), weights[2 &* pair], weights[2 &* pair &+ 1])
        pixels += 6
      }
      store(
        PairSums.bytes(sums, sums, shift: precision), to: output + 3 &* x,
        isLast: x &+ 1 == arguments.columns)
    }
    return arguments.columns
  }

  /// Stores a pixel. The fourth byte belongs to the next pixel, which is written later.
  @inline(__always)
  private static func store(
    _ bytes: SIMD8<UInt8>, to place: UnsafeMutablePointer<UInt8>, isLast: Bool
  ) {
    if isLast {
      for channel in 0..<3 { place[channel] = bytes[channel] }
    } else {
      UnsafeMutableRawPointer(place).storeBytes(of: bytes.lowHalf, as: SIMD4<UInt8>.self)
    }
  }

  #if (MARTLET_V3 || MARTLET_V4) && canImport(_Builtin_intrinsics)
    /// Processes as many pairs of taps at a time as a vector has 128-bit parts.
    @inline(__always)
    private static func wide(_ arguments: Uint8ResampleRow) -> Int {
      let (output, precision) = (arguments.y, arguments.precision)
      // Sixteen bytes are read per pair; for the last windows of an image's last row that may be
      // past its end.
      let reach = 6 &* (parts &* steps(arguments.mostPairs) &- 1) &+ 16
      var columns = arguments.columns
      while columns > 0,
        3 &* arguments.windows[columns &- 1].start &+ reach > arguments.byteCount
      {
        columns &-= 1
      }
      var x = 0
      if arguments.mostPairs <= parts / 2 {
        x = storeFours(arguments, columns) { twoSums(arguments, $0) }
      } else if arguments.mostPairs <= parts {
        x = storeFours(arguments, columns) {
          (sums(arguments, $0, 1), sums(arguments, $0 &+ 1, 1))
        }
      }
      while x < columns {
        let sums = sums(arguments, x, steps(arguments.windows[x].pairCount))
        store(
          PairSums.bytes(sums, sums, shift: precision), to: output + 3 &* x,
          isLast: x &+ 1 == arguments.columns)
        x &+= 1
      }
      return columns
    }

    /// Stores four pixels at a time, given the sums of two, and returns the number of stored pixels.
    @inline(__always)
    private static func storeFours(
      _ arguments: Uint8ResampleRow, _ columns: Int, _ two: (_ x: Int) -> (PairSums, PairSums)
    ) -> Int {
      var x = 0
      // Storing four pixels also writes the first bytes of the next two.
      while x &+ 6 <= columns {
        let (first, second) = (two(x), two(x &+ 2))
        let bytes = SIMD16(
          lowHalf: PairSums.bytes(first.0, first.1, shift: arguments.precision),
          highHalf: PairSums.bytes(second.0, second.1, shift: arguments.precision))
        UnsafeMutableRawPointer(arguments.y + 3 &* x).storeBytes(
          of: withoutFourths(bytes), as: SIMD16<UInt8>.self)
        x &+= 4
      }
      return x
    }

    /// Returns the sums of outputs `x` and `x + 1`, whose taps fill half a vector each.
    @inline(__always)
    private static func twoSums(_ arguments: Uint8ResampleRow, _ x: Int) -> (PairSums, PairSums) {
      let (first, second) = (arguments.windows[x], arguments.windows[x &+ 1])
      let pairs = pixelPairs(
        UnsafeRawPointer(arguments.row + 3 &* first.start),
        UnsafeRawPointer(arguments.row + 3 &* second.start))
      let weights = (
        arguments.weights + first.firstWeight, arguments.weights + second.firstWeight
      )
      let high = addPairs(.zero, pairs, spread(weights.0, weights.1, from: 0))
      let low = addPairs(.zero, pairs, spread(weights.0, weights.1, from: 1))
      let totals = halfTotals(high &<< Sums(repeating: 15) &+ low)
      return (PairSums(totals.0), PairSums(totals.1))
    }

    /// Returns the sums of output `x`, whose taps fill `steps` vectors.
    @inline(__always)
    private static func sums(_ arguments: Uint8ResampleRow, _ x: Int, _ steps: Int) -> PairSums {
      let window = arguments.windows[x]
      var (high, low) = (Sums.zero, Sums.zero)
      var pixels = UnsafeRawPointer(arguments.row + 3 &* window.start)
      var weights = arguments.weights + window.firstWeight
      for _ in 0..<steps {
        let pairs = pixelPairs(pixels, pixels + 3 &* parts)
        high = addPairs(high, pairs, spread(weights, weights + parts, from: 0))
        low = addPairs(low, pairs, spread(weights, weights + parts, from: 1))
        pixels += 6 &* parts
        weights += 2 &* parts
      }
      let totals = halfTotals(high &<< Sums(repeating: 15) &+ low)
      return PairSums(totals.0 &+ totals.1)
    }

    /// Removes every fourth byte.
    @inline(__always)
    private static func withoutFourths(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
      let order = SIMD2<UInt64>(0x0908_0605_0402_0100, 0x8080_8080_0E0D_0C0A)
      return unsafeBitCast(
        _mm_shuffle_epi8(
          unsafeBitCast(bytes, to: __m128i.self), unsafeBitCast(order, to: __m128i.self)),
        to: SIMD16<UInt8>.self)
    }

    /// The pairs of pixels in a vector, each as four 32-bit lanes.
    private static var parts: Int { Sums.scalarCount / 4 }

    @inline(__always)
    private static func steps(_ pairs: Int) -> Int {
      (pairs &+ parts &- 1) &>> parts.trailingZeroBitCount
    }

    #if MARTLET_V4
      /// Loads the red, green and blue bytes of two pairs of adjacent pixels at each address as 16-bit
      /// numbers.
      @inline(__always)
      private static func pixelPairs(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Sums {
        let all = SIMD8(
          lowHalf: SIMD4(lowHalf: sixteen(a), highHalf: sixteen(a + 6)),
          highHalf: SIMD4(lowHalf: sixteen(b), highHalf: sixteen(b + 6)))
        let order = SIMD8(lowHalf: twice(pairOrder), highHalf: twice(pairOrder))
        return unsafeBitCast(
          _mm512_shuffle_epi8(
            unsafeBitCast(all, to: __m512i.self), unsafeBitCast(order, to: __m512i.self)),
          to: Sums.self)
      }

      /// Repeats every second one of four numbers at each address four times.
      @inline(__always)
      private static func spread(
        _ a: UnsafePointer<Int32>, _ b: UnsafePointer<Int32>, from first: Int32
      ) -> Sums {
        let eight: SIMD8<Int32> = SIMD8(lowHalf: load(a), highHalf: load(b))
        let places = Sums(0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6) &+ Sums(repeating: first)
        return unsafeBitCast(
          _mm512_permutexvar_epi32(
            unsafeBitCast(places, to: __m512i.self),
            unsafeBitCast(Sums(lowHalf: eight, highHalf: eight), to: __m512i.self)),
          to: Sums.self)
      }

      /// The sum of the 128-bit parts of each half of a vector.
      @inline(__always)
      private static func halfTotals(_ sums: Sums) -> (SIMD4<Int32>, SIMD4<Int32>) {
        let (low, high) = (sums.lowHalf, sums.highHalf)
        return (low.lowHalf &+ low.highHalf, high.lowHalf &+ high.highHalf)
      }
    #else
      /// Loads the red, green and blue bytes of two adjacent pixels at each address as 16-bit numbers.
      @inline(__always)
      private static func pixelPairs(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Sums {
        unsafeBitCast(
          _mm256_shuffle_epi8(
            unsafeBitCast(SIMD4(lowHalf: sixteen(a), highHalf: sixteen(b)), to: __m256i.self),
            unsafeBitCast(twice(pairOrder), to: __m256i.self)),
          to: Sums.self)
      }

      /// Repeats one of two numbers at each address four times.
      @inline(__always)
      private static func spread(
        _ a: UnsafePointer<Int32>, _ b: UnsafePointer<Int32>, from first: Int32
      ) -> Sums {
        let four: SIMD4<Int32> = SIMD4(lowHalf: load(a), highHalf: load(b))
        let places = Sums(0, 0, 0, 0, 2, 2, 2, 2) &+ Sums(repeating: first)
        return unsafeBitCast(
          _mm256_permutevar8x32_epi32(
            unsafeBitCast(Sums(lowHalf: four, highHalf: four), to: __m256i.self),
            unsafeBitCast(places, to: __m256i.self)),
          to: Sums.self)
      }

      /// The two halves of a vector, which are its 128-bit parts.
      @inline(__always)
      private static func halfTotals(_ sums: Sums) -> (SIMD4<Int32>, SIMD4<Int32>) {
        (sums.lowHalf, sums.highHalf)
      }
    #endif

    /// The byte order that pairs the channels of two pixels and widens each byte with a zero. The
    /// last four bytes are zero.
    @inline(__always)
    private static var pairOrder: SIMD2<UInt64> {
      SIMD2(0x8004_8001_8003_8000, 0x8080_8080_8005_8002)
    }

    @inline(__always)
    private static func twice(_ part: SIMD2<UInt64>) -> SIMD4<UInt64> {
      SIMD4(lowHalf: part, highHalf: part)
    }

    @inline(__always)
    private static func sixteen(_ bytes: UnsafeRawPointer) -> SIMD2<UInt64> {
      bytes.loadUnaligned(as: SIMD2<UInt64>.self)
    }
  #endif

  /// Computes means of two adjacent pixels, halves rounded up, in a loop that the compiler
  /// vectorizes.
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

  /// Processes eight bytes at a time; the last eight may overlap the previous ones.
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
        // An odd last row is paired with itself and a weight of zero.
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
    /// Processes two vectors of bytes at a time.
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

    /// Interleaves the bytes at two addresses.
    @inline(__always)
    private static func pairs(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>) -> Sums {
      UnsignedBytes.load(a) | (UnsignedBytes.load(b) &<< Sums(repeating: 16))
    }
  #endif
}
