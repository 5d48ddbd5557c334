//===--- Helium.swift - convolutions for Armv8.1-M vectors ----------------===//
//
// Convolutions by products of 16 bytes, depthwise ones of eight channels at a time. Sums become
// bytes four at a time. The other layers are those of `DSP`.
//
// Contract  As `Portable`, with these layouts and preconditions, which the compiler checks. The three
//           integers of a channel are the bias, the multiplier and the shift, -30...-1. Four times
//           a sum fits 32 bits.
//           Convolution  The bias has 128 times the sum of the weights added: activations have 128
//           less in the patches. 15 bytes of any value follow the weights.
//           Depthwise  Channels are a multiple of eight. The integers of eight channels are four
//           biases of even channels, four of odd ones, and multipliers and shifts likewise; the
//           weights of eight channels follow one another, tap by tap.
// Cost      About ten instructions for 64 products; depthwise eight for eight.
//===----------------------------------------------------------------------===//

/// Layers for processors with Helium: Cortex-M52, M55, M85.
public enum Helium {
  /// A convolution of four pixels at a time, whose windows are copied to `scratch` first: of each
  /// pixel 16 bytes after another.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size)
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns &* window.pointee.depth)
    let blocks = (taps &+ 15) / 16
    let firstWeights = unsafe UnsafeRawPointer(channels + 3 &* outputs)
    let patch = unsafe scratch + 64 &* blocks
    // A window of one pixel needs no copy.
    let isPointwise =
      unsafe window.pointee.rows &* window.pointee.columns == 1
      && window.pointee.strideX &* window.pointee.strideY == 1
    let range = unsafe ResultRange(window)
    var source = unsafe input
    var target = unsafe output
    var (x, y) = (0 as Int32, 0 as Int32)
    var left = unsafe Int(window.pointee.outputWidth &* window.pointee.outputHeight)
    while left > 0 {
      let count = min(left, 4)
      var from = unsafe source
      var pixel = 0
      while pixel != 4 {
        // The last pixel stands for those that are missing.
        if pixel < count {
          if isPointwise {
            unsafe from = source
            unsafe source += taps
          } else {
            unsafe gather(window, x: x, y: y, from: input, to: patch)
            unsafe from = UnsafeRawPointer(patch)
            unsafe next(&x, &y, window)
          }
        }
        var to = unsafe scratch + 16 &* pixel
        var tap = 0
        while tap < taps {
          let zero = SIMD16<Int8>(repeating: -128)
          let values = unsafe vector(from + tap, count: taps &- tap, padding: zero) ^ zero
          unsafe to.storeBytes(of: values, as: SIMD16<Int8>.self)
          unsafe to += 64
          tap &+= 16
        }
        pixel &+= 1
      }
      let pixels = SIMD4<Int32>(0, 1, 2, 3).clamped(
        lowerBound: SIMD4(), upperBound: SIMD4(repeating: Int32(truncatingIfNeeded: count &- 1)))
      let offsets = unsafe pixels &* SIMD4(repeating: window.pointee.outputDepth)
      var weights = unsafe firstWeights
      var channel = unsafe channels
      let end = unsafe target + outputs
      while unsafe target != end {
        let start = unsafe channel[0]
        var (s0, s1, s2, s3) = (start, start, start, start)
        var (values, filter) = unsafe (scratch, weights)
        var block = blocks
        repeat {
          let weight = unsafe vector(filter)
          s0 = unsafe multiplyAdd(vector(values), weight, s0)
          s1 = unsafe multiplyAdd(vector(values + 16), weight, s1)
          s2 = unsafe multiplyAdd(vector(values + 32), weight, s2)
          s3 = unsafe multiplyAdd(vector(values + 48), weight, s3)
          unsafe values += 64
          unsafe filter += 16
          block &-= 1
        } while block != 0
        let results = unsafe range.bytes(
          SIMD4(s0, s1, s2, s3), SIMD4(repeating: channel[1]), SIMD4(repeating: channel[2]))
        unsafe scatter(results, to: target, offsets: offsets)
        unsafe target += 1
        unsafe channel += 3
        unsafe weights += taps
      }
      unsafe target += (count &- 1) &* outputs
      left &-= count
    }
  }

  /// A depthwise convolution with one output for each channel. Windows that reach beyond the image
  /// are copied to `scratch` first.
  @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let depth = Int(w.depth)
    let channels = unsafe layer + WindowRecord.size
    let filter = unsafe channels + 12 &* depth
    let range = unsafe ResultRange(window)
    var target = unsafe output
    unsafe forEachPixel(window) { x, y in
      var corner = UnsafeRawPointer(scratch)
      var (step, pitch) = (depth, Int(w.columns) &* depth)
      if unsafe isInside(window, x: x, y: y) {
        let pixel = (y &* w.strideY &- w.top) &* w.width &+ x &* w.strideX &- w.left
        unsafe corner = input + Int(pixel) &* depth
        step = Int(w.dilationX) &* depth
        pitch = Int(w.dilationY &* w.width) &* depth
      } else {
        unsafe gather(window, x: x, y: y, from: input, to: scratch)
      }
      var weights = unsafe filter
      var channel = unsafe channels
      let end = unsafe target + depth
      while unsafe target != end {
        var even = unsafe four(channel, 0)
        var odd = unsafe four(channel, 1)
        var line = unsafe corner
        var rows = w.rows
        repeat {
          var tap = unsafe line
          var columns = w.columns
          repeat {
            let value = unsafe SIMD8<Int16>(
              truncatingIfNeeded: tap.loadUnaligned(as: SIMD8<UInt8>.self))
            let weight = unsafe SIMD8<Int16>(
              truncatingIfNeeded: weights.loadUnaligned(as: SIMD8<Int8>.self))
            even &+= products(value, weight, odd: false)
            odd &+= products(value, weight, odd: true)
            unsafe tap += step
            unsafe weights += 8
            columns &-= 1
          } while columns != 0
          unsafe line += pitch
          rows &-= 1
        } while rows != 0
        even = unsafe range.bytes(even, four(channel, 2), four(channel, 4))
        odd = unsafe range.bytes(odd, four(channel, 3), four(channel, 5))
        unsafe scatter(even, to: target, offsets: SIMD4(0, 2, 4, 6))
        unsafe scatter(odd, to: target, offsets: SIMD4(1, 3, 5, 7))
        unsafe target += 8
        unsafe corner += 8
        unsafe channel += 96
      }
    }
  }

  /// Four of a record's integers.
  @inline(__always)
  private static func four(_ address: UnsafeRawPointer, _ index: Int) -> SIMD4<Int32> {
    unsafe address.loadUnaligned(fromByteOffset: 16 &* index, as: SIMD4<Int32>.self)
  }
}

/// The zero point of a layer's results and their range.
private struct ResultRange {
  let zero, low, high: SIMD4<Int32>

  @inline(__always)
  init(_ window: UnsafePointer<WindowRecord>) {
    zero = unsafe SIMD4(repeating: window.pointee.outputZero)
    low = unsafe SIMD4(repeating: window.pointee.low)
    high = unsafe SIMD4(repeating: window.pointee.high)
  }

  /// The bytes of sums.
  @inline(__always)
  func bytes(
    _ sums: SIMD4<Int32>, _ multiplier: SIMD4<Int32>, _ shift: SIMD4<Int32>
  ) -> SIMD4<Int32> {
    let high = doublingHighProducts(sums, multiplier)
    // Ties of negative numbers are rounded down.
    let value = roundedShift(high &+ high &>> SIMD4(repeating: 31), by: shift) &+ zero
    return value.clamped(lowerBound: low, upperBound: self.high)
  }
}
