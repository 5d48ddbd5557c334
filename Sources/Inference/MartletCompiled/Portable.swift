//===--- Portable.swift - layers of bytes in plain Swift ------------------===//
//
// Contract  Bit for bit LiteRT 2.3.0's reference kernels. Filters are signed bytes by output
//           channel, rows, columns, input channels; depthwise ones by rows, columns, output
//           channels. A layer's record has its extents, three integers for each output channel,
//           and the filter. Weights of nine bits are stored as signed bytes; what must be added to
//           them is stored before the channels. The output may overlap the input as the compiler's
//           plan has it: an output pixel is written when nothing reads what it covers any more.
// Cost      One product for each tap and channel.
//===----------------------------------------------------------------------===//

/// Layers for every processor.
public enum Portable {
  /// A convolution of two pixels at a time, whose windows are copied to `scratch` first.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: false)
  }

  /// A convolution with weights of nine bits.
  @inline(never)
  public static func convolveWide(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: true)
  }

  @inline(__always)
  private static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer, isWide: Bool
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size + (isWide ? 4 : 0))
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns &* window.pointee.depth)
    let filter = unsafe signedBytes(channels + 3 &* outputs)
    let left = unsafe bytes(UnsafeRawPointer(scratch))
    var target = unsafe bytes(output)
    var (x, y) = (0 as Int32, 0 as Int32)
    while unsafe y != window.pointee.outputHeight {
      unsafe gather(window, x: x, y: y, from: input, to: scratch)
      unsafe next(&x, &y, window)
      // The last pixel may be alone.
      let isPair = unsafe y != window.pointee.outputHeight
      let right = unsafe isPair ? left + taps : left
      if isPair {
        unsafe gather(window, x: x, y: y, from: input, to: scratch + taps)
        unsafe next(&x, &y, window)
      }
      let corrections = unsafe (
        left: isWide ? channels[-1] &* sum(of: left, count: taps) : 0,
        right: isWide ? channels[-1] &* sum(of: right, count: taps) : 0
      )
      var weights = unsafe filter
      var channel = unsafe channels
      let end = unsafe target + outputs
      while unsafe target != end {
        let sums = unsafe dotProducts(left, right, weights, count: taps, from: channel[0])
        unsafe target.pointee = unsafe requantized(
          sums.left &+ corrections.left, channel, window)
        if isPair {
          unsafe target[outputs] = unsafe requantized(
            sums.right &+ corrections.right, channel, window)
        }
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += taps
      }
      if isPair { unsafe target += outputs }
    }
  }

  /// A depthwise convolution; each output pixel's window is copied to `scratch` first.
  @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolveDepthwise(layer, input, scratch, output, isWide: false)
  }

  /// A depthwise convolution with weights of nine bits.
  @inline(never)
  public static func convolveDepthwiseWide(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolveDepthwise(layer, input, scratch, output, isWide: true)
  }

  @inline(__always)
  private static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer, isWide: Bool
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size + (isWide ? 4 : 0))
    let offset = unsafe isWide ? channels[-1] : 0
    let depth = unsafe Int(window.pointee.depth)
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns)
    let filter = unsafe signedBytes(channels + 3 &* outputs)
    let multiplier = outputs / depth
    var target = unsafe bytes(output)
    var (x, y) = (0 as Int32, 0 as Int32)
    while unsafe y != window.pointee.outputHeight {
      unsafe gather(window, x: x, y: y, from: input, to: scratch)
      unsafe next(&x, &y, window)
      var source = unsafe bytes(UnsafeRawPointer(scratch))
      var channel = unsafe channels
      var weights = unsafe filter
      var copies = multiplier
      let end = unsafe target + outputs
      while unsafe target != end {
        var sum = unsafe channel[0]
        var (tap, weight) = (0, 0)
        var rest = taps
        while rest != 0 {
          unsafe sum &+= Int32(source[tap]) &* (Int32(weights[weight]) &+ offset)
          tap &+= depth
          weight &+= outputs
          rest &-= 1
        }
        unsafe target.pointee = unsafe requantized(sum, channel, window)
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += 1
        copies &-= 1
        if copies == 0 {
          copies = multiplier
          unsafe source += 1
        }
      }
    }
  }

  /// A fully connected layer: the record has the numbers of rows, inputs and outputs, the zero
  /// point, the least and greatest result; three integers for each output, as `SingleRounding`
  /// finds them; and the weights.
  @inline(never)
  public static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe connect(layer, input, output, isWide: false)
  }

  /// A fully connected layer with weights of nine bits, or a factor of 1/4 or more. After the
  /// greatest result the record has what is added to each weight, and by how many bits sums are
  /// shifted to the left.
  @inline(never)
  public static func connectWide(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe connect(layer, input, output, isWide: true)
  }

  @inline(__always)
  private static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    isWide: Bool
  ) {
    let r = unsafe integers(layer)
    let depth = unsafe Int(r[1])
    let units = unsafe Int(r[2])
    let channels = unsafe r + (isWide ? 8 : 6)
    let filter = unsafe signedBytes(channels + 3 &* units)
    var source = unsafe bytes(input)
    var target = unsafe bytes(output)
    var row = unsafe r[0]
    while row != 0 {
      var channel = unsafe channels
      var weights = unsafe filter
      let end = unsafe target + units
      let correction = unsafe isWide ? r[6] &* sum(of: source, count: depth) : 0
      while unsafe target != end {
        let start = unsafe channel[0] &+ correction
        var sum = unsafe dotProduct(source, weights, count: depth, from: start)
        if isWide { sum = unsafe saturatingShiftLeft(sum, by: r[7]) }
        unsafe target.pointee = unsafe connected(sum, channel, r)
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += depth
      }
      unsafe source += depth
      row &-= 1
    }
  }

  /// The sums of products of two vectors with the same weights.
  @inline(__always)
  private static func dotProducts(
    _ x: UnsafePointer<UInt8>, _ y: UnsafePointer<UInt8>, _ w: UnsafePointer<Int8>, count: Int,
    from start: Int32
  ) -> (left: Int32, right: Int32) {
    var (left, right) = (start, start)
    var (x, y, w) = unsafe (x, y, w)
    let end = unsafe w + count
    let unrolledEnd = unsafe w + (count & ~7)
    while unsafe w != unrolledEnd {
      var i = 0
      while i != 8 {
        let weight = unsafe Int32(w[i])
        unsafe left &+= Int32(x[i]) &* weight
        unsafe right &+= Int32(y[i]) &* weight
        i &+= 1
      }
      unsafe x += 8
      unsafe y += 8
      unsafe w += 8
    }
    while unsafe w != end {
      let weight = unsafe Int32(w.pointee)
      unsafe left &+= Int32(x.pointee) &* weight
      unsafe right &+= Int32(y.pointee) &* weight
      unsafe x += 1
      unsafe y += 1
      unsafe w += 1
    }
    return (left, right)
  }

  /// The byte of a sum of a fully connected layer whose record begins at `r`.
  @inline(__always)
  static func connected(
    _ sum: Int32, _ channel: UnsafePointer<Int32>, _ r: UnsafePointer<Int32>
  ) -> UInt8 {
    let value = unsafe roundedOnce(sum, channel) &+ r[3]
    return unsafe UInt8(truncatingIfNeeded: min(max(value, r[4]), r[5]))
  }

  /// The sum of a vector.
  @inline(__always)
  static func sum(of x: UnsafePointer<UInt8>, count: Int) -> Int32 {
    var sum: Int32 = 0
    var i = 0
    while i < count {
      unsafe sum &+= Int32(x[i])
      i &+= 1
    }
    return sum
  }

  /// The sum of products of two vectors.
  @inline(__always)
  static func dotProduct(
    _ x: UnsafePointer<UInt8>, _ w: UnsafePointer<Int8>, count: Int, from start: Int32
  ) -> Int32 {
    var sum = start
    var i = 0
    while i &+ 4 <= count {
      unsafe sum &+= Int32(x[i]) &* Int32(w[i])
      unsafe sum &+= Int32(x[i &+ 1]) &* Int32(w[i &+ 1])
      unsafe sum &+= Int32(x[i &+ 2]) &* Int32(w[i &+ 2])
      unsafe sum &+= Int32(x[i &+ 3]) &* Int32(w[i &+ 3])
      i &+= 4
    }
    while i < count {
      unsafe sum &+= Int32(x[i]) &* Int32(w[i])
      i &+= 1
    }
    return sum
  }
}
