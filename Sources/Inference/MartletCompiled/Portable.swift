//===--- Portable.swift - layers of bytes in plain Swift ------------------===//
//
// Contract  Bit for bit LiteRT 2.3.0's reference kernels. Filters are signed bytes by output
//           channel, rows, columns, input channels; depthwise ones by rows, columns, output
//           channels. A layer's record has its extents, three integers for each output channel,
//           and the filter. The output may overlap the input as the compiler's plan has it: an
//           output pixel is written when nothing reads what it covers any more.
// Cost      One product for each tap and channel.
// Checked   Tests/MartletCompilerTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

/// Layers for every processor.
public enum Portable {
  /// A convolution; each output pixel's window is copied to `scratch` first.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size)
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns &* window.pointee.depth)
    let filter = unsafe signedBytes(channels + 3 &* outputs)
    var target = unsafe bytes(output)
    var y: Int32 = 0
    while unsafe y != window.pointee.outputHeight {
      var x: Int32 = 0
      while unsafe x != window.pointee.outputWidth {
        unsafe gather(window, x: x, y: y, from: input, to: scratch)
        let patch = unsafe bytes(UnsafeRawPointer(scratch))
        var weights = unsafe filter
        var channel = unsafe channels
        let end = unsafe target + outputs
        while unsafe target != end {
          let sum = unsafe dotProduct(patch, weights, count: taps, from: channel[0])
          unsafe target.pointee = unsafe requantized(sum, channel, window)
          unsafe target += 1
          unsafe channel += 3
          unsafe weights += taps
        }
        x &+= 1
      }
      y &+= 1
    }
  }

  /// A depthwise convolution; windows across the border are copied to `scratch` first.
  @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let channels = unsafe integers(layer + WindowRecord.size)
    let filter = unsafe signedBytes(channels + 3 &* Int(w.outputDepth))
    let multiplier = w.outputDepth / w.depth
    var target = unsafe bytes(output)
    var y: Int32 = 0
    while y != w.outputHeight {
      var x: Int32 = 0
      while x != w.outputWidth {
        var source = unsafe bytes(UnsafeRawPointer(scratch))
        var (tapStep, rowStep) = (Int(w.depth), Int(w.columns &* w.depth))
        if unsafe isInside(window, x: x, y: y) {
          let corner = (y &* w.strideY &- w.top) &* w.width &+ x &* w.strideX &- w.left
          unsafe source = unsafe bytes(input) + Int(corner &* w.depth)
          tapStep = Int(w.dilationX &* w.depth)
          rowStep = Int(w.dilationY &* w.width &* w.depth)
        } else {
          unsafe gather(window, x: x, y: y, from: input, to: scratch)
        }
        var channel = unsafe channels
        var weights = unsafe filter
        var copies = multiplier
        let end = unsafe target + Int(w.outputDepth)
        while unsafe target != end {
          var sum = unsafe channel[0]
          var line = unsafe source
          var weight = unsafe weights
          var row = w.rows
          while row != 0 {
            var tap = unsafe line
            var column = w.columns
            while column != 0 {
              unsafe sum &+= Int32(tap.pointee) &* Int32(weight.pointee)
              unsafe tap += tapStep
              unsafe weight += Int(w.outputDepth)
              column &-= 1
            }
            unsafe line += rowStep
            row &-= 1
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
        x &+= 1
      }
      y &+= 1
    }
  }

  /// A fully connected layer: the record has the numbers of rows, inputs and outputs, the zero
  /// point, the least and greatest result; three integers for each output, as `SingleRounding`
  /// finds them; and the weights.
  @inline(never)
  public static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let depth = unsafe Int(r[1])
    let units = unsafe Int(r[2])
    let channels = unsafe r + 6
    let filter = unsafe signedBytes(channels + 3 &* units)
    var source = unsafe bytes(input)
    var target = unsafe bytes(output)
    var row = unsafe r[0]
    while row != 0 {
      var channel = unsafe channels
      var weights = unsafe filter
      let end = unsafe target + units
      while unsafe target != end {
        let sum = unsafe dotProduct(source, weights, count: depth, from: channel[0])
        let value = unsafe roundedOnce(sum, channel) &+ r[3]
        unsafe target.pointee = unsafe UInt8(truncatingIfNeeded: min(max(value, r[4]), r[5]))
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += depth
      }
      unsafe source += depth
      row &-= 1
    }
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
