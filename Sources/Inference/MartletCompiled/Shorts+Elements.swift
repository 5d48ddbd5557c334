//===--- Shorts+Elements.swift - 16-bit softmax and quantization ----------===//
//
// Contract  Bit for bit LiteRT 2.3.0's reference kernels.
// Cost      One pass; three for softmax.
//===----------------------------------------------------------------------===//

extension Shorts {
  /// Softmax of rows of `depth` elements. The record has the multiplier and the shift to steps of
  /// 10/65535, and two tables of 513 samples, each with 514 entries: of the exponential function
  /// from -10 to 0, and of 1 / (1 + x) from 0 to 1. Results are steps of 2⁻¹⁵.
  @inline(never)
  public static func softmax(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, rows: Int, depth: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let exponentials = unsafe shorts(layer + 8)
    let reciprocals = unsafe exponentials + 514
    var source = unsafe shorts(input)
    var target = unsafe shorts(output)
    var row = 0
    while row != rows {
      var largest = Int32(Int16.min)
      var i = 0
      while i != depth {
        largest = unsafe max(largest, Int32(source[i]))
        i &+= 1
      }
      // Q16.15, saturating.
      var sum: Int32 = 0
      i = 0
      while i != depth {
        let steps = unsafe scaled(Int32(source[i]) &- largest, by: r[0], shift: r[1]) &+ 32767
        let exponential = unsafe interpolated(exponentials, steps)
        unsafe target[i] = Int16(truncatingIfNeeded: exponential)
        let (next, overflow) = sum.addingReportingOverflow(exponential)
        sum = overflow ? Int32.max : next
        i &+= 1
      }
      let headroom = Int32(truncatingIfNeeded: sum.leadingZeroBitCount)
      let mantissa = (UInt32(bitPattern: sum &<< (headroom &- 1)) &+ 1 &<< 13) &>> 14
      let scale = unsafe interpolated(reciprocals, Int32(bitPattern: mantissa) &- 98304)
      let shift = 31 &- headroom
      i = 0
      while i != depth {
        let product = unsafe UInt32(bitPattern: Int32(target[i]) &* scale)
        let value = (product &+ 1 &<< UInt32(bitPattern: shift &- 1)) &>> UInt32(bitPattern: shift)
        unsafe target[i] = Int16(truncatingIfNeeded: min(Int32(bitPattern: value), 32767))
        i &+= 1
      }
      unsafe source += depth
      unsafe target += depth
      row &+= 1
    }
  }

  /// The entry of a table of 513 samples for a saturated argument, between the samples linearly.
  @inline(__always)
  private static func interpolated(_ table: UnsafePointer<Int16>, _ argument: Int32) -> Int32 {
    let x = min(max(argument, -32768), 32767)
    let sample = unsafe table + Int(256 &+ x &>> 7)
    let base = unsafe Int32(sample[0])
    let slope = unsafe Int32(sample[1]) &- base
    return base &+ (slope &* (x & 0x7f) &+ 64) &>> 7
  }

  /// x times one factor if x >= 0, otherwise x times another one. The record has the multiplier and
  /// the shift of both factors, and whether the second one is negative.
  @inline(never)
  public static func leakyRelu(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let (source, target) = unsafe (shorts(input), shorts(output))
    var i = 0
    while i != count {
      let x = unsafe Int32(source[i])
      let factor = unsafe x < 0 ? r + 2 : r
      var value = unsafe scaled(x, by: factor[0], shift: factor[1])
      if unsafe x < 0 && r[4] != 0 { value = 0 &- value }
      unsafe target[i] = Int16(truncatingIfNeeded: min(max(value, -32768), 32767))
      i &+= 1
    }
  }

  /// Changes to bytes in their unsigned form. The record has the input's zero point, the multiplier
  /// and the shift, the output's zero point, and the least and greatest result.
  @inline(never)
  public static func toBytes(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe requantize(layer, shorts(input), count, bytes(output))
  }

  /// As `toBytes` to 16-bit integers.
  @inline(never)
  public static func toShorts(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe requantize(layer, shorts(input), count, shorts(output))
  }

  /// As `toBytes` to 32-bit integers.
  @inline(never)
  public static func toIntegers(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe requantize(layer, shorts(input), count, output.assumingMemoryBound(to: Int32.self))
  }

  /// As `toShorts` from bytes in their unsigned form.
  @inline(never)
  public static func fromBytes(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe requantize(layer, bytes(input), count, shorts(output))
  }

  @inline(__always)
  private static func requantize<Element: FixedWidthInteger, Result: FixedWidthInteger>(
    _ layer: UnsafeRawPointer, _ source: UnsafePointer<Element>, _ count: Int,
    _ target: UnsafeMutablePointer<Result>
  ) {
    let r = unsafe integers(layer)
    // Wider results lie behind their inputs.
    var i = 0
    while i != count {
      let value = unsafe Int32(truncatingIfNeeded: source[i]) &- r[0]
      let result = unsafe scaled(value, by: r[1], shift: r[2]) &+ r[3]
      unsafe target[i] = unsafe Result(truncatingIfNeeded: min(max(result, r[4]), r[5]))
      i &+= 1
    }
  }
}
