//===--- Common.swift - byte layers without weights -----------------------===//
//
// Contract  Bit for bit LiteRT 2.3.0's reference kernels. Elementwise layers may write their output
//           over an input.
// Cost      One pass over the elements.
//===----------------------------------------------------------------------===//

/// Layers that are the same for every processor.
public enum Layer {
  /// Changes between signed and unsigned bytes.
  @inline(never)
  public static func flipSigns(
    _ input: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer
  ) {
    var i = 0
    if (UInt(bitPattern: input) | UInt(bitPattern: output)) & 3 == 0 {
      while i &+ 4 <= count {
        let word = unsafe input.load(fromByteOffset: i, as: UInt32.self) ^ 0x8080_8080
        unsafe (output + i).assumingMemoryBound(to: UInt32.self).pointee = word
        i &+= 4
      }
    }
    let source = unsafe bytes(input)
    let target = unsafe bytes(output)
    while i < count {
      unsafe target[i] = unsafe source[i] ^ 0x80
      i &+= 1
    }
  }

  /// Replaces each byte by its entry in a table of 256.
  @inline(never)
  public static func lookUp(
    _ table: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let entries = unsafe bytes(table)
    let source = unsafe bytes(input)
    let target = unsafe bytes(output)
    var i = 0
    while i < count {
      unsafe target[i] = unsafe entries[Int(source[i])]
      i &+= 1
    }
  }

  /// Adds two tensors; the record has both zero points, that of the result, the multiplier and
  /// shift of both operands and of the sum, and the least and greatest result.
  @inline(never)
  public static func add(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let a = unsafe bytes(left)
    let b = unsafe bytes(right)
    let target = unsafe bytes(output)
    var i = 0
    while i < count {
      let x = unsafe scaled((Int32(a[i]) &- r[0]) &<< 20, by: r[3], shift: r[4])
      let y = unsafe scaled((Int32(b[i]) &- r[1]) &<< 20, by: r[5], shift: r[6])
      let sum = unsafe scaled(x &+ y, by: r[7], shift: r[8]) &+ r[2]
      unsafe target[i] = unsafe UInt8(truncatingIfNeeded: min(max(sum, r[9]), r[10]))
      i &+= 1
    }
  }

  /// Adds a tensor to each part of another one; after the greatest result the record has the right
  /// tensor's number of elements.
  @inline(never)
  public static func addRepeated(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let period = unsafe Int(integers(layer)[11])
    var i = 0
    while i < count {
      unsafe add(layer, left + i, right, count: period, to: output + i)
      i &+= period
    }
  }

  /// Multiplies two tensors; the record has the zero points of both and of the result, the
  /// multiplier and the shift, the least and greatest result, and the number of elements after
  /// which the right tensor repeats.
  @inline(never)
  public static func multiply(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe multiplied(layer, bytes(left), bytes(right), count, bytes(output))
  }

  /// The mean of all pixels; the record has the number of pixels, the number of channels, the
  /// start of a sum, the multiplier, the shift, the zero point, and the least and greatest result.
  @inline(never)
  public static func mean(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe averaged(layer, bytes(input), bytes(output))
  }

  /// Average pooling; the mean is rounded half away from zero, and taps outside the image do not
  /// count. `zero` is 128 for signed bytes, 0 for unsigned ones, whose rounding differs.
  @inline(never)
  public static func averagePool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, zero: Int32,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    unsafe pool(window, bytes(input), to: bytes(output), initial: 0 as Int32) { sum, value in
      sum &+= Int32(value)
    } finish: { sum, count in
      let signed = sum &- zero &* count
      let half = count / 2
      let mean = (signed > 0 ? signed &+ half : signed &- half) / count &+ zero
      return unsafe clamped(mean, window)
    }
  }

  /// Maximum pooling.
  @inline(never)
  public static func maxPool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    unsafe pool(window, bytes(input), to: bytes(output), initial: 0 as Int32) { largest, value in
      largest = max(largest, Int32(value))
    } finish: { largest, _ in
      unsafe clamped(largest, window)
    }
  }

  /// Softmax of rows of `depth` bytes; the table has the exponentials of the differences 0, -1, -2
  /// and so on in Q0.31. Results are steps of 1/256.
  @inline(never)
  public static func softmax(
    _ table: UnsafeRawPointer, _ input: UnsafeRawPointer, rows: Int, depth: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe softmax(table, input, rows, depth, bytes(output), bits: 8, lowest: 0, highest: 255)
  }

  /// As `softmax`, with results of 16 bits: steps of 2⁻¹⁶ above the lowest integer.
  @inline(never)
  public static func softmaxShorts(
    _ table: UnsafeRawPointer, _ input: UnsafeRawPointer, rows: Int, depth: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe softmax(
      table, input, rows, depth, shorts(output), bits: 16, lowest: -32768, highest: 32767)
  }

  @inline(__always)
  private static func softmax<Result: FixedWidthInteger>(
    _ table: UnsafeRawPointer, _ input: UnsafeRawPointer, _ rows: Int, _ depth: Int,
    _ output: UnsafeMutablePointer<Result>, bits: Int32, lowest: Int32, highest: Int32
  ) {
    let exponentials = unsafe integers(table)
    var source = unsafe bytes(input)
    var target = unsafe output
    var row = 0
    while row != rows {
      var largest: Int32 = 0
      var i = 0
      while i < depth {
        largest = unsafe max(largest, Int32(source[i]))
        i &+= 1
      }
      // Q12.19, saturating.
      var sum: Int32 = 0
      i = 0
      while i < depth {
        let exponential = unsafe exponentials[Int(largest &- Int32(source[i]))]
        let (next, overflow) = sum.addingReportingOverflow(rounded(exponential, by: 12))
        sum = overflow ? Int32.max : next
        i &+= 1
      }
      let headroom = Int32(truncatingIfNeeded: sum.leadingZeroBitCount)
      let fraction = UInt32(bitPattern: sum) &<< UInt32(bitPattern: headroom) &- 1 &<< 31
      let scale = reciprocal(ofOnePlus: Int32(bitPattern: fraction))
      let shift = 43 &- bits &- headroom
      i = 0
      while i < depth {
        let exponential = unsafe exponentials[Int(largest &- Int32(source[i]))]
        let value =
          shift <= 31 ? rounded(doublingHighProduct(scale, exponential), by: shift) : 0
        unsafe target[i] = Result(truncatingIfNeeded: min(max(value &+ lowest, lowest), highest))
        i &+= 1
      }
      unsafe source += depth
      unsafe target += depth
      row &+= 1
    }
  }

  /// `value / 2^shift`, rounded to nearest; the value is not negative, and `shift` is 1...31.
  @inline(__always)
  private static func rounded(_ value: Int32, by shift: Int32) -> Int32 {
    let shift = UInt32(bitPattern: shift)
    return Int32(bitPattern: (UInt32(bitPattern: value) &+ 1 &<< (shift &- 1)) &>> shift)
  }

  /// 1 / (1 + x) for 0 <= x < 1 in Q0.31, as gemmlowp computes it: three Newton steps.
  @inline(__always)
  private static func reciprocal(ofOnePlus x: Int32) -> Int32 {
    let half = Int32(bitPattern: (UInt32(bitPattern: x) &+ 1 &<< 31) &>> 1)
    var y = 1_515_870_810 &+ doublingHighProduct(half, -1_010_580_540)
    var step = 0
    while step != 3 {
      let error = 1 &<< 29 &- doublingHighProduct(half, y)
      y = y &+ saturatingShiftLeft(doublingHighProduct(y, error), by: 2)
      step &+= 1
    }
    return saturatingShiftLeft(y, by: 1)
  }

  /// Resizes an image to the nearest pixels: the record has the extents, and after them the input
  /// row of each output row and the input column of each output column.
  @inline(never)
  public static func resizeNearest(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let w = unsafe record(layer).pointee
    let rows = unsafe integers(layer + WindowRecord.size)
    let columns = unsafe rows + Int(w.outputHeight)
    var target = unsafe bytes(output)
    var y = 0
    while y < Int(w.outputHeight) {
      let line = unsafe bytes(input) + Int(rows[y] &* w.width &* w.depth)
      var x = 0
      while x < Int(w.outputWidth) {
        let source = unsafe line + Int(columns[x] &* w.depth)
        var i = 0
        while i < Int(w.depth) {
          unsafe target[i] = unsafe source[i]
          i &+= 1
        }
        unsafe target += Int(w.depth)
        x &+= 1
      }
      y &+= 1
    }
  }
}
