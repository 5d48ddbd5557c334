//===--- Shorts.swift - layers of 16-bit integers -------------------------===//
//
// Contract  Bit for bit LiteRT 2.3.0's reference kernels. Zero points are 0; sums of layers with
//           weights have 64 bits, and so have biases. A channel has four integers: the bias, lower
//           word first, and those of `shortened` or `roundedOnce`. Filters are in the order of
//           `Portable`.
// Cost      One product for each tap and channel.
//===----------------------------------------------------------------------===//

/// Layers of 16-bit integers with weights of bytes.
public enum Shorts {
  /// A convolution.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, output) { unsafe shortened($0, $1) }
  }

  /// A fully connected layer as a window of one pixel.
  @inline(never)
  public static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, output) { unsafe roundedOnce($0, $1) }
  }

  @inline(__always)
  private static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    requantize: (Int64, UnsafePointer<Int32>) -> Int32
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let (depth, outputs) = (Int(w.depth), Int(w.outputDepth))
    let taps = Int(w.rows &* w.columns) &* depth
    let image = unsafe shorts(input)
    var target = unsafe shorts(output)
    unsafe forEachPixel(window) { x, y in
      var channel = unsafe integers(layer + WindowRecord.size)
      var weights = unsafe signedBytes(channel + 5 &* outputs)
      let end = unsafe target + outputs
      while unsafe target != end {
        var sum = unsafe bias(channel)
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          var source = unsafe image + pixel &* depth
          var weight = unsafe weights + tap &* depth
          let end = unsafe source + depth
          while unsafe source != end {
            unsafe sum &+= Int64(Int32(source.pointee) &* Int32(weight.pointee))
            unsafe source += 1
            unsafe weight += 1
          }
        }
        let value = requantize(sum, channel)
        unsafe target.pointee = Int16(truncatingIfNeeded: min(max(value, w.low), w.high))
        unsafe target += 1
        unsafe channel += 5
        unsafe weights += taps
      }
    }
  }

  /// A depthwise convolution.
  @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let (depth, outputs) = (Int(w.depth), Int(w.outputDepth))
    let multiplier = outputs / depth
    let channels = unsafe integers(layer + WindowRecord.size)
    let filter = unsafe signedBytes(channels + 5 &* outputs)
    var target = unsafe shorts(output)
    unsafe forEachPixel(window) { x, y in
      var output = 0
      while output != outputs {
        let channel = unsafe channels + 5 &* output
        let source = unsafe shorts(input) + output / multiplier
        var sum = unsafe bias(channel)
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          let weight = unsafe filter[tap &* outputs &+ output]
          unsafe sum &+= Int64(Int32(source[pixel &* depth]) &* Int32(weight))
        }
        let value = unsafe shortened(sum, channel)
        unsafe target.pointee = Int16(truncatingIfNeeded: min(max(value, w.low), w.high))
        unsafe target += 1
        output &+= 1
      }
    }
  }

  @inline(__always)
  private static func bias(_ channel: UnsafePointer<Int32>) -> Int64 {
    unsafe Int64(channel[1]) &<< 32 | Int64(UInt32(bitPattern: channel[0]))
  }

  /// A sum times a factor of few bits, rounded with ties upward; the shift is 1...31 or 33 and more.
  @inline(__always)
  private static func shortened(_ sum: Int64, _ channel: UnsafePointer<Int32>) -> Int32 {
    let product = unsafe sum &* Int64(channel[2])
    let shift = unsafe channel[3]
    // 32-bit processors shift words of 64 bits by calls.
    guard shift < 32 else {
      let high = Int32(truncatingIfNeeded: product &>> 32)
      return (high &+ 1 &<< (shift &- 33)) &>> (shift &- 32)
    }
    let rounded = product &+ Int64(1 &<< (shift &- 1) as Int32)
    let low = UInt32(truncatingIfNeeded: rounded) &>> UInt32(bitPattern: shift)
    let high = Int32(truncatingIfNeeded: rounded &>> 32)
    return high &<< (32 &- shift) | Int32(bitPattern: low)
  }

  /// A saturated sum times a factor of 62 bits, rounded once, ties away from zero. The integers are
  /// the factor's upper word, the shift, which is 33 and more, and the lower word.
  @inline(__always)
  private static func roundedOnce(_ sum: Int64, _ channel: UnsafePointer<Int32>) -> Int32 {
    let sum = Int64(Int32(clamping: sum))
    let low = unsafe sum &* Int64(UInt32(bitPattern: channel[4]))
    let product = unsafe sum &* Int64(channel[2]) &+ low &>> 32
    let shift = unsafe channel[3] &- 32
    let borrow: Int32 = sum < 0 && Int32(truncatingIfNeeded: product) == 0 ? 1 : 0
    return (Int32(truncatingIfNeeded: product &>> 32) &+ 1 &<< (shift &- 1) &- borrow) &>> shift
  }

  // MARK: - Layers without weights

  /// As `Layer.add`; the record has, after the greatest result, the number of elements after which
  /// the right tensor repeats.
  @inline(never)
  public static func add(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let (a, b, target) = unsafe (shorts(left), shorts(right), shorts(output))
    unsafe repeating(count, period: Int(r[11])) { i, j in
      let x = unsafe scaled(Int32(a[i]) &<< 15, by: r[3], shift: r[4])
      let y = unsafe scaled(Int32(b[j]) &<< 15, by: r[5], shift: r[6])
      let sum = unsafe scaled(x &+ y, by: r[7], shift: r[8])
      unsafe target[i] = unsafe Int16(truncatingIfNeeded: min(max(sum, r[9]), r[10]))
    }
  }

  /// As `Layer.multiply`.
  @inline(never)
  public static func multiply(
    _ layer: UnsafeRawPointer, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe multiplied(layer, shorts(left), shorts(right), count, shorts(output))
  }

  /// As `Layer.mean`.
  @inline(never)
  public static func mean(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    unsafe averaged(layer, shorts(input), shorts(output))
  }

  /// Average pooling; the mean is rounded half away from zero.
  @inline(never)
  public static func averagePool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    unsafe pool(window, shorts(input), to: shorts(output), initial: 0 as Int32) { sum, value in
      sum &+= Int32(value)
    } finish: { sum, count in
      let half = count / 2
      return unsafe clamped((sum > 0 ? sum &+ half : sum &- half) / count, window)
    }
  }

  /// Maximum pooling.
  @inline(never)
  public static func maxPool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let low = unsafe window.pointee.low
    unsafe pool(window, shorts(input), to: shorts(output), initial: low) { largest, value in
      largest = max(largest, Int32(value))
    } finish: { largest, _ in
      unsafe clamped(largest, window)
    }
  }
}
