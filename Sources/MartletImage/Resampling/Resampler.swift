//===--- Resampler.swift - two passes of weighted sums --------------------===//
//
// Which goes first is for the caller to say (RGBImage+Resize.swift).
//
// Contract  Each pass adds 2^21 to its sum of weight · byte and shifts by 22: rounded to
//           nearest, then a byte again. Sums cannot pass Int32 (ResampleTable.swift);
//           bytes are clamped above, where rounded weights may sum to a little over one.
// Order     Integer sums: any order gives the same bits.
// Cost      Across: rows · output columns · taps; down: output pixels · taps.
//           Memory: one image of the output's width.
// Checked   Tests/MartletImageTests/ResizeTests.swift, against Pillow and NumPy
//===----------------------------------------------------------------------===//

/// The two passes over packed RGB.
enum Resampler {
  /// Half of one, added before the shift so that it rounds.
  private static let half: Int32 = 1 << (ResampleTable.precision - 1)

  /// Weighs rows `rows` of an image `width` pixels wide; writes them packed from the first on.
  static func across(
    _ input: UnsafePointer<UInt8>, width: Int, rows: Range<Int>, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    let outputBytes = table.windows.count * 3
    table.weights.withUnsafeBufferPointer { weights in
      table.windows.withUnsafeBufferPointer { windows in
        for y in rows {
          let row = input + y * width * 3
          let target = output + (y - rows.lowerBound) * outputBytes
          for (x, window) in windows.enumerated() {
            sum(row + window.start &* 3, weights, window, into: target + x &* 3)
          }
        }
      }
    }
  }

  /// One output pixel: three sums over its taps.
  @inline(__always)
  private static func sum(
    _ taps: UnsafePointer<UInt8>, _ weights: UnsafeBufferPointer<Int32>,
    _ window: ResampleTable.Window, into output: UnsafeMutablePointer<UInt8>
  ) {
    var red = half
    var green = half
    var blue = half
    var pixel = taps
    for tap in 0..<window.count {
      let weight = weights[window.firstWeight &+ tap]
      red &+= Int32(pixel[0]) &* weight
      green &+= Int32(pixel[1]) &* weight
      blue &+= Int32(pixel[2]) &* weight
      pixel += 3
    }
    output[0] = byte(red)
    output[1] = byte(green)
    output[2] = byte(blue)
  }

  /// Weighs whole rows of `rowBytes` bytes; the first of `input` is row `firstRow` of the image.
  static func down(
    _ input: UnsafePointer<UInt8>, rowBytes: Int, firstRow: Int, table: ResampleTable,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowBytes) { sums in
      guard let sums = sums.baseAddress else { return }
      for (y, window) in table.windows.enumerated() {
        sums.initialize(repeating: half, count: rowBytes)
        for tap in 0..<window.count {
          let row = input + (window.start + tap - firstRow) * rowBytes
          let weight = table.weights[window.firstWeight + tap]
          for x in 0..<rowBytes { sums[x] &+= Int32(row[x]) &* weight }
        }
        let target = output + y * rowBytes
        for x in 0..<rowBytes { target[x] = byte(sums[x]) }
      }
    }
  }

  @inline(__always)
  private static func byte(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(255, sum >> ResampleTable.precision))
  }
}
