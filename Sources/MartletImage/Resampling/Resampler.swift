//===--- Resampler.swift - two passes of weighted sums --------------------===//
//
// Which goes first is for the caller to say (RGBImage+Resize.swift).
//
// Contract  Each pass adds 2^21 to its sum of weight · byte and shifts by 22: rounded to
//           nearest, then a byte again. Sums cannot pass Int32 (ResampleTable.swift);
//           bytes are clamped above, where rounded weights may sum to a little over one.
// Order     Integer sums: any order gives the same bits.
//           A weight is cut in two, so that products of pairs of 16-bit numbers will do:
//           w = 2^15 h + l, and two taps' products are one instruction on x86-64.
// Cost      Across: rows · output columns · taps; down: output pixels · taps; two taps of
//           a pixel, or of eight bytes, a step. Rows are shared out among workers.
//           Memory: one image of the output's width.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

import MartletRuntime

/// The two passes over packed RGB.
enum Resampler {
  /// Half of one, added before the shift so that it rounds.
  private static let half: Int32 = 1 << (ResampleTable.precision - 1)

  /// Output pixels that a worker should have at least.
  private static let grain = 4096

  /// Weighs rows `rows` of an image `width` pixels wide; writes them packed from the first on.
  static func across(
    _ input: UnsafeBufferPointer<UInt8>, width: Int, rows: Range<Int>, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>, _ workers: Workers
  ) {
    guard let base = input.baseAddress else { return }
    let columns = table.windows.count
    let pairs = WeightPairs(table)
    workers.split(rows.count, grain: grain / columns + 1) { share in
      let windows = pairs.windows
      for y in share {
        let start = (rows.lowerBound + y) * width * 3
        let target = output + y * columns * 3
        let done = across(
          base + start, count: input.count - start, windows, columns: columns, into: target)
        for x in done..<columns {
          let window = table.windows[x]
          sum(base + (start + 3 * window.start), table, window, into: target + 3 * x)
        }
      }
    }
  }

  /// Weighs one row, from which on `count` bytes may be read; returns how many output pixels need no
  /// more of them.
  private static func across(
    _ row: UnsafePointer<UInt8>, count: Int, _ windows: UnsafePointer<WeightPairs.Window>,
    columns: Int, into output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    for x in 0..<columns {
      let window = windows[x]
      // Four bytes are read for each pixel.
      guard 3 &* window.start &+ 6 &* window.pairCount < count else { return x }
      var sums = PairSums()
      var pixels = UnsafeRawPointer(row + 3 &* window.start)
      for pair in 0..<window.pairCount {
        sums.add(
          PairSums.four(pixels, pixels + 3), window.weights[2 &* pair],
          window.weights[2 &* pair &+ 1])
        pixels += 6
      }
      let sum = sums.total &+ SIMD4(repeating: half)
      for channel in 0..<3 { output[3 &* x &+ channel] = byte(sum[channel]) }
    }
    return columns
  }

  /// One output pixel, tap by tap.
  private static func sum(
    _ taps: UnsafePointer<UInt8>, _ table: ResampleTable, _ window: ResampleTable.Window,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    for channel in 0..<3 {
      var sum = half
      for tap in 0..<window.count {
        sum &+= Int32(taps[3 * tap + channel]) &* table.weights[window.firstWeight + tap]
      }
      output[channel] = byte(sum)
    }
  }

  /// Weighs whole rows of `rowBytes` bytes; the first of `input` is row `firstRow` of the image.
  static func down(
    _ input: UnsafePointer<UInt8>, rowBytes: Int, firstRow: Int, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>, _ workers: Workers
  ) {
    let pairs = WeightPairs(table)
    workers.split(table.windows.count, grain: grain * 3 / rowBytes + 1) { share in
      for y in share {
        let window = pairs.windows[y]
        let rows = input + (window.start - firstRow) * rowBytes
        let target = output + y * rowBytes
        if rowBytes < 8 {
          downNarrow(rows, rowBytes: rowBytes, table, table.windows[y], into: target)
        } else {
          down(
            rows, rowBytes: rowBytes, count: table.windows[y].count, window.weights, into: target)
        }
      }
    }
  }

  /// Weighs `count` rows into one.
  private static func down(
    _ rows: UnsafePointer<UInt8>, rowBytes: Int, count: Int, _ weights: UnsafePointer<Int32>,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    var x = 0
    while x < rowBytes {
      // The last eight bytes may overlap those before.
      x = min(x, rowBytes &- 8)
      var (low, high) = (PairSums(), PairSums())
      var row = UnsafeRawPointer(rows + x)
      var next = weights
      for tap in stride(from: 0, to: count, by: 2) {
        // An odd last row is beside itself, with no weight.
        let (a, b) = PairSums.eight(row, tap &+ 1 < count ? row + rowBytes : row)
        low.add(a, next[0], next[1])
        high.add(b, next[0], next[1])
        next += 2
        row += 2 &* rowBytes
      }
      let sums = SIMD8(lowHalf: low.total, highHalf: high.total) &+ SIMD8(repeating: half)
      let levels = (sums &>> SIMD8(repeating: ResampleTable.precision))
        .clamped(lowerBound: SIMD8(), upperBound: SIMD8(repeating: 255))
      UnsafeMutableRawPointer(output + x).storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: levels), as: SIMD8<UInt8>.self)
      x &+= 8
    }
  }

  /// Weighs rows of less than eight bytes into one, byte by byte.
  private static func downNarrow(
    _ rows: UnsafePointer<UInt8>, rowBytes: Int, _ table: ResampleTable,
    _ window: ResampleTable.Window, into output: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<rowBytes {
      var sum = half
      for tap in 0..<window.count {
        sum &+= Int32(rows[tap * rowBytes + x]) &* table.weights[window.firstWeight + tap]
      }
      output[x] = byte(sum)
    }
  }

  @inline(__always)
  private static func byte(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, sum >> ResampleTable.precision))
  }
}
