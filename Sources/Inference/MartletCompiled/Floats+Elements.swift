//===--- Floats+Elements.swift - elementwise layers of floats -------------===//
//
// Contract  Bit for bit the interpreter's reference kernels on finite numbers. The output may be written over an
//           input that is not smaller. A record of two operands has the number of elements after
//           which the right one repeats, and the bits of the least and greatest result.
// Cost      One pass; three for softmax.
//===----------------------------------------------------------------------===//

extension Floats {
  /// Adds two tensors.
  @inline(never)
  public static func add(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe combine(layer, left, right, count: count, to: output) { $0 + $1 }
  }

  /// Subtracts the right tensor from the left one.
  @inline(never)
  public static func subtract(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe combine(layer, left, right, count: count, to: output) { $0 - $1 }
  }

  /// Multiplies two tensors.
  @inline(never)
  public static func multiply(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe combine(layer, left, right, count: count, to: output) { $0 * $1 }
  }

  /// The left element if it is not negative, otherwise the product of both.
  @inline(never)
  public static func prelu(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe combine(layer, left, right, count: count, to: output) { $0 >= 0 ? $0 : $0 * $1 }
  }

  @inline(__always)
  private static func combine(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer, _ operation: (Float, Float) -> Float
  ) {
    let r = unsafe integers(layer)
    let (low, high) = unsafe (Float(bits: r[1]), Float(bits: r[2]))
    let (a, b, target) = unsafe (floats(left), floats(right), floats(output))
    unsafe repeating(count, period: Int(r[0])) { i, j in
      let value = unsafe operation(a[i], b[j])
      let raised = value < low ? low : value
      unsafe target[i] = raised > high ? high : raised
    }
  }

  /// Clamps each element; the record has the bits of the least and greatest result.
  @inline(never)
  public static func clamp(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe floats(layer)
    unsafe map(input, count: count, to: output) { unsafe min(max($0, r[0]), r[1]) }
  }

  /// x if x > 0, otherwise α x; the record has the bits of α.
  @inline(never)
  public static func leakyRelu(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let alpha = unsafe floats(layer).pointee
    unsafe map(input, count: count, to: output) { $0 > 0 ? $0 : $0 * alpha }
  }

  /// x · min(6, max(0, x + 3)) / 6
  @inline(never)
  public static func hardSwish(
    _ input: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer
  ) {
    unsafe map(input, count: count, to: output) { $0 * min(6, max(0, $0 + 3)) / 6 }
  }

  /// The logistic function.
  @inline(never)
  public static func logistic(
    _ input: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer
  ) {
    unsafe map(input, count: count, to: output) { VectorMath.logistic($0) }
  }

  /// The hyperbolic tangent.
  @inline(never)
  public static func tanh(
    _ input: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer
  ) {
    unsafe map(input, count: count, to: output) { VectorMath.tanh($0) }
  }

  @inline(__always)
  private static func map(
    _ input: UnsafeRawPointer, count: Int, to output: UnsafeMutableRawPointer,
    _ function: (Float) -> Float
  ) {
    let source = unsafe floats(input)
    let target = unsafe floats(output)
    var i = 0
    while i != count {
      unsafe target[i] = function(source[i])
      i &+= 1
    }
  }

  /// Softmax of rows of `depth` elements; the record has the bits of β.
  @inline(never)
  public static func softmax(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, rows: Int, depth: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let beta = unsafe floats(layer).pointee
    var source = unsafe floats(input)
    var target = unsafe floats(output)
    var row = 0
    while row != rows {
      var largest = -Float.greatestFiniteMagnitude
      var i = 0
      while i != depth {
        largest = unsafe max(largest, source[i])
        i &+= 1
      }
      var sum: Float = 0
      i = 0
      while i != depth {
        let exponential = unsafe VectorMath.exp((source[i] - largest) * beta)
        unsafe target[i] = exponential
        sum += exponential
        i &+= 1
      }
      i = 0
      while i != depth {
        unsafe target[i] /= sum
        i &+= 1
      }
      unsafe source += depth
      unsafe target += depth
      row &+= 1
    }
  }

  /// Quantizes to bytes in their unsigned form. The record has the bits of the scale, and the zero
  /// point.
  @inline(never)
  public static func quantize(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let target = unsafe bytes(output)
    unsafe quantize(layer, input, count: count) { i, value in
      unsafe target[i] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
    }
  }

  /// Quantizes to 16-bit integers.
  @inline(never)
  public static func quantizeShorts(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let target = unsafe shorts(output)
    unsafe quantize(layer, input, count: count) { i, value in
      unsafe target[i] = Int16(truncatingIfNeeded: min(max(value, -32768), 32767))
    }
  }

  @inline(__always)
  private static func quantize(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    store: (_ index: Int, _ value: Int32) -> Void
  ) {
    let scale = unsafe floats(layer).pointee
    let zero = unsafe integers(layer)[1]
    let source = unsafe floats(input)
    var i = 0
    while i != count {
      let steps = unsafe VectorMath.round(source[i] / scale)
      // Larger steps saturate in the same way; NaN becomes the lowest.
      store(i, Int32(steps > -0x1p24 ? min(steps, 0x1p24) : -0x1p24) &+ zero)
      i &+= 1
    }
  }

  /// The real numbers of bytes in their unsigned form. The record has the bits of the scale, and
  /// the zero point.
  @inline(never)
  public static func dequantize(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe realize(layer, bytes(input), count, output)
  }

  /// The real numbers of 16-bit integers.
  @inline(never)
  public static func dequantizeShorts(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe realize(layer, shorts(input), count, output)
  }

  @inline(__always)
  private static func realize<Element: FixedWidthInteger>(
    _ layer: UnsafeRawPointer, _ source: UnsafePointer<Element>, _ count: Int,
    _ output: UnsafeMutableRawPointer
  ) {
    let scale = unsafe floats(layer).pointee
    let zero = unsafe Int(integers(layer)[1])
    let target = unsafe floats(output)
    var i = 0
    while i != count {
      unsafe target[i] = scale * Float(Int(truncatingIfNeeded: source[i]) &- zero)
      i &+= 1
    }
  }
}
