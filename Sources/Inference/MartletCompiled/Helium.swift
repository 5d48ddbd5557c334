//===--- Helium.swift - convolutions for Armv8.1-M vectors ----------------===//
//
// Plain loops over signed bytes, which the compiler turns into Helium's products of 16 bytes. The
// other layers are those of `DSP`.
//
// Contract  As `Portable`, but a channel's integers are those of `DSP`, and its bias has 128 times
//           the sum of its weights added: activations have 128 less in the patches.
// Cost      About nine instructions for 64 products.
//===----------------------------------------------------------------------===//

/// Layers for processors with Helium: Cortex-M52, M55, M85.
public enum Helium {
  /// A convolution with rectified outputs.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output) { sum, channel, _ in
      unsafe DSP.rectified(sum, (channel[1], channel[2]))
    }
  }

  /// A convolution with any zero point and range.
  @inline(never)
  public static func convolveLinear(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output) { sum, channel, window in
      unsafe DSP.linear(sum, (channel[1], channel[2]), window)
    }
  }

  /// Four pixels at a time, whose windows are copied to `scratch` first.
  @inline(__always)
  private static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer,
    requantize: (Int32, UnsafePointer<Int32>, UnsafePointer<WindowRecord>) -> UInt32
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size)
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns &* window.pointee.depth)
    let filter = unsafe signedBytes(channels + 3 &* outputs)
    let x0 = unsafe signedBytes(UnsafeRawPointer(scratch))
    let (x1, x2, x3) = unsafe (x0 + taps, x0 + 2 &* taps, x0 + 3 &* taps)
    var target = unsafe bytes(output)
    var (x, y) = (0 as Int32, 0 as Int32)
    while unsafe y != window.pointee.outputHeight {
      var count = 0
      var patch = unsafe scratch
      while unsafe count != 4 && y != window.pointee.outputHeight {
        unsafe gather(window, x: x, y: y, from: input, to: patch)
        unsafe flipSigns(patch, count: taps)
        unsafe next(&x, &y, window)
        unsafe patch += taps
        count &+= 1
      }
      var weights = unsafe filter
      var channel = unsafe channels
      let end = unsafe target + outputs
      while unsafe target != end {
        let start = unsafe channel[0]
        var (s0, s1, s2, s3) = (start, start, start, start)
        var i = 0
        while i < taps {
          let weight = unsafe Int32(weights[i])
          unsafe s0 &+= Int32(x0[i]) &* weight
          unsafe s1 &+= Int32(x1[i]) &* weight
          unsafe s2 &+= Int32(x2[i]) &* weight
          unsafe s3 &+= Int32(x3[i]) &* weight
          i &+= 1
        }
        @inline(__always) func store(_ pixel: Int, _ sum: Int32) {
          unsafe target[pixel &* outputs] = unsafe UInt8(
            truncatingIfNeeded: requantize(sum, channel, window))
        }
        store(0, s0)
        if count > 1 { store(1, s1) }
        if count > 2 { store(2, s2) }
        if count > 3 { store(3, s3) }
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += taps
      }
      unsafe target += (count &- 1) &* outputs
    }
  }

  /// Subtracts 128 from each byte: a plain loop, which becomes vectors, unlike `Layer.flipSigns`.
  @inline(__always)
  private static func flipSigns(_ patch: UnsafeMutableRawPointer, count: Int) {
    let values = unsafe bytes(patch)
    var i = 0
    while i < count {
      unsafe values[i] ^= 0x80
      i &+= 1
    }
  }
}
