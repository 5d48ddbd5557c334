//===--- Hybrid.swift - layers of floats with weights of bytes ------------===//
//
// The input is quantized to signed bytes while the model runs, with one scale for each image or
// row. Sums are integers, which are scaled back.
//
// Contract  Bit for bit the interpreter's reference kernels. Filters are in the order of `Portable`.
//           Each output channel has its bias and the scale of its weights before the filter. In
//           a record, the input's zero point is 1 if images have zero points. The output's zero point
//           is 1 if a sum is multiplied by the channel's scale first, then by the image's. The scratch
//           memory has 16 bits for each element of an image or row.
// Cost      Two passes over the input, and one product for each tap and channel.
//===----------------------------------------------------------------------===//

/// Layers of floats whose weights are signed bytes.
public enum Hybrid {
  /// A convolution.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let (depth, outputs) = (Int(w.depth), Int(w.outputDepth))
    let taps = Int(w.rows &* w.columns) &* depth
    let values = unsafe shorts(scratch)
    let scale = unsafe quantize(window, input, to: values)
    var target = unsafe floats(output)
    unsafe forEachPixel(window) { x, y in
      var channel = unsafe floats(layer + WindowRecord.size)
      var weights = unsafe signedBytes(channel + 2 &* outputs)
      let end = unsafe target + outputs
      while unsafe target != end {
        var sum: Int32 = 0
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          var source = unsafe values + pixel &* depth
          var weight = unsafe weights + tap &* depth
          let end = unsafe source + depth
          while unsafe source != end {
            unsafe sum &+= Int32(source.pointee) &* Int32(weight.pointee)
            unsafe source += 1
            unsafe weight += 1
          }
        }
        unsafe target.pointee = result(sum, channel, scale, window)
        unsafe target += 1
        unsafe channel += 2
        unsafe weights += taps
      }
    }
  }

  /// A depthwise convolution.
  @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let (depth, outputs) = (Int(w.depth), Int(w.outputDepth))
    let multiplier = outputs / depth
    let values = unsafe shorts(scratch)
    let scale = unsafe quantize(window, input, to: values)
    let channels = unsafe floats(layer + WindowRecord.size)
    let filter = unsafe signedBytes(channels + 2 &* outputs)
    var target = unsafe floats(output)
    unsafe forEachPixel(window) { x, y in
      var channel = 0
      while channel != outputs {
        var sum: Int32 = 0
        let source = unsafe values + channel / multiplier
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          unsafe sum &+= Int32(source[pixel &* depth]) &* Int32(filter[tap &* outputs &+ channel])
        }
        unsafe target.pointee = result(sum, channels + 2 &* channel, scale, window)
        unsafe target += 1
        channel &+= 1
      }
    }
  }

  /// A fully connected layer: a convolution of each row, an image of one pixel.
  @inline(never)
  public static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, rows: Int,
    scratch: UnsafeMutableRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let w = unsafe record(layer).pointee
    var row = 0
    while row != rows {
      unsafe convolve(
        layer, floats(input) + row &* Int(w.depth), scratch: scratch,
        to: floats(output) + row &* Int(w.outputDepth))
      row &+= 1
    }
  }

  /// The number of a sum.
  @inline(__always)
  private static func result(
    _ sum: Int32, _ channel: UnsafePointer<Float>, _ scale: Float,
    _ window: UnsafePointer<WindowRecord>
  ) -> Float {
    let factor = unsafe channel[1]
    let value =
      unsafe window.pointee.outputZero != 0
      ? Float(Int(sum)) * factor * scale : Float(Int(sum)) * (factor * scale)
    return unsafe min(
      max(value + channel[0], Float(bits: window.pointee.low)), Float(bits: window.pointee.high))
  }

  /// Quantizes an image to signed bytes, less their zero point, and returns their scale.
  @inline(never)
  private static func quantize(
    _ window: UnsafePointer<WindowRecord>, _ input: UnsafeRawPointer,
    to values: UnsafeMutablePointer<Int16>
  ) -> Float {
    let w = unsafe window.pointee
    let source = unsafe floats(input)
    let count = Int(w.height &* w.width &* w.depth)
    var (least, greatest) = (0 as Float, 0 as Float)
    var i = 0
    while i != count {
      least = unsafe min(least, source[i])
      greatest = unsafe max(greatest, source[i])
      i &+= 1
    }
    let limit = max(0 - least, greatest)
    var (scale, inverse, zero) = (limit / 127, 127 / limit, 0 as Float)
    if limit == 0 {
      (scale, inverse) = (1, 0)
    } else if w.inputZero != 0 {
      (scale, zero) = affineMap(Double(least), Double(greatest))
      inverse = 1 / scale
    }
    i = 0
    while i != count {
      let value = unsafe VectorMath.round(source[i] * inverse + zero)
      let byte = Int32(value >= -128 ? min(value, 127) : -128)
      unsafe values[i] = Int16(truncatingIfNeeded: byte &- Int32(zero))
      i &+= 1
    }
    return scale
  }

  /// The scale and zero point of an interval that contains zero.
  private static func affineMap(
    _ least: Double, _ greatest: Double
  ) -> (scale: Float, zero: Float) {
    let scale = (greatest - least) / 255
    let (below, above) = (least / scale, greatest / scale)
    // Computed from the end that is closer to its bound.
    let zero = 128 + below.magnitude < 127 + above.magnitude ? -128 - below : 127 - above
    let nearest = VectorMath.round(zero)
    return (Float(scale), Float(nearest > -128 ? min(nearest, 127) : -128))
  }
}
