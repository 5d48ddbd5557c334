//===--- DSP.swift - layers of bytes for Armv7E-M -------------------------===//
//
// Convolutions by products of pairs. Four output pixels and two channels are computed at a time:
// the windows are unpacked once to pairs of 16 bits, interleaved pixel by pixel. A word
// of weights has two of each of two channels.
//
// Contract  As `Portable`, with these layouts and preconditions, which the compiler checks. The three
//           integers of a channel are the bias, the multiplier and 2^(30 - shift); the shift is
//           1...30, and four times a sum fits 32 bits. A convolution has an even number of
//           outputs. Linear outputs and clamped ones have functions of their own: a rectified
//           output has the zero point 0 and the range 0...255.
//           Weights    For each pair of channels a, b and each four taps: bytes a0 b0 a2 b2, then
//           a1 b1 a3 b3. Taps are padded with zeros to a multiple of eight.
// Cost      About 72 instructions for 64 products.
//===----------------------------------------------------------------------===//

/// Layers for processors with the DSP extension: Cortex-M4, M7, M33.
public enum DSP {
  /// A convolution with rectified outputs.
  @_optimize(speed) @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: false) { sum, channel, _ in
      rectified(sum, channel)
    }
  }

  /// A convolution with rectified outputs and weights of nine bits, as in `Portable`.
  @_optimize(speed) @inline(never)
  public static func convolveWide(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: true) { sum, channel, _ in
      rectified(sum, channel)
    }
  }

  /// A convolution with any zero point and range.
  @_optimize(speed) @inline(never)
  public static func convolveLinear(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: false) { sum, channel, window in
      unsafe linear(sum, channel, window)
    }
  }

  /// A convolution with any zero point and range and weights of nine bits, as in `Portable`.
  @_optimize(speed) @inline(never)
  public static func convolveLinearWide(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolve(layer, input, scratch, output, isWide: true) { sum, channel, window in
      unsafe linear(sum, channel, window)
    }
  }

  @inline(__always)
  private static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer, isWide: Bool,
    requantize: (Int32, (Int32, Int32), UnsafePointer<WindowRecord>) -> UInt32
  ) {
    let window = unsafe record(layer)
    let channels = unsafe integers(layer + WindowRecord.size + (isWide ? 4 : 0))
    let outputs = unsafe Int(window.pointee.outputDepth)
    let taps = unsafe Int(window.pointee.rows &* window.pointee.columns &* window.pointee.depth)
    let groups = (taps &+ 7) / 8
    let filter = unsafe words(channels + 3 &* outputs)
    let pairs = unsafe scratch.assumingMemoryBound(to: UInt32.self)
    let patch = unsafe scratch + 64 &* groups
    // A window of one pixel whose channels fill words needs no copy.
    let isPointwise =
      unsafe window.pointee.rows &* window.pointee.columns == 1
      && window.pointee.strideX &* window.pointee.strideY == 1 && taps & 7 == 0
    let width = unsafe window.pointee.outputWidth
    var target = unsafe bytes(output)
    var source = unsafe input
    var x: Int32 = 0
    var y: Int32 = 0
    var left = unsafe Int(width &* window.pointee.outputHeight)
    while left > 0 {
      let count = min(left, 4)
      // What weights of nine bits add to the sums of each pixel.
      var added: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      var pixel = 0
      while pixel != count {
        var from = unsafe source
        if isPointwise {
          unsafe source += taps
        } else {
          unsafe gather(window, x: x, y: y, from: input, to: patch)
          unsafe from = UnsafeRawPointer(patch)
          x &+= 1
          if x == width {
            x = 0
            y &+= 1
          }
        }
        if isWide {
          let sum = unsafe channels[-1] &* Portable.sum(of: bytes(from), count: taps)
          added = (added.1, added.2, added.3, sum)
        }
        var to = unsafe pairs + pixel
        let end = unsafe from + 8 &* groups
        while unsafe from < end {
          let word = unsafe from.load(as: UInt32.self)
          unsafe to[0] = evenBytes(word)
          unsafe to[4] = oddBytes(word)
          unsafe to += 8
          unsafe from += 4
        }
        pixel &+= 1
      }
      if isWide {
        while pixel != 4 {
          added = (added.1, added.2, added.3, 0)
          pixel &+= 1
        }
      }
      var weights = unsafe filter
      var channel = unsafe channels
      var o = 0
      let end = unsafe pairs + 16 &* groups
      while o < outputs {
        let (biasA, biasB) = unsafe (channel[0], channel[3])
        var (a0, a1) = (biasA &+ added.0, biasA &+ added.1)
        var (a2, a3) = (biasA &+ added.2, biasA &+ added.3)
        var (b0, b1) = (biasB &+ added.0, biasB &+ added.1)
        var (b2, b3) = (biasB &+ added.2, biasB &+ added.3)
        var x = unsafe pairs
        @inline(__always) func step(_ i: Int) {
          let word = unsafe weights[i]
          let wa = signedEvenBytes(word)
          let wb = signedOddBytes(word)
          let (x0, x1) = unsafe (x[4 &* i], x[4 &* i &+ 1])
          a0 = multiplyAddPairs(x0, wa, a0)
          b0 = multiplyAddPairs(x0, wb, b0)
          a1 = multiplyAddPairs(x1, wa, a1)
          b1 = multiplyAddPairs(x1, wb, b1)
          let (x2, x3) = unsafe (x[4 &* i &+ 2], x[4 &* i &+ 3])
          a2 = multiplyAddPairs(x2, wa, a2)
          b2 = multiplyAddPairs(x2, wb, b2)
          a3 = multiplyAddPairs(x3, wa, a3)
          b3 = multiplyAddPairs(x3, wb, b3)
        }
        while unsafe x < end {
          step(0)
          step(1)
          step(2)
          step(3)
          unsafe x += 16
          unsafe weights += 4
        }
        let scaleA = unsafe (channel[1], channel[2])
        let scaleB = unsafe (channel[4], channel[5])
        var to = unsafe target + o
        @inline(__always) func store(_ a: Int32, _ b: Int32) {
          let low = unsafe requantize(a, scaleA, window)
          let high = unsafe requantize(b, scaleB, window)
          unsafe UnsafeMutableRawPointer(to).storeBytes(
            of: UInt16(truncatingIfNeeded: low | high &<< 8), as: UInt16.self)
          unsafe to += outputs
        }
        store(a0, b0)
        if count == 4 {
          store(a1, b1)
          store(a2, b2)
          store(a3, b3)
        } else {
          if count > 1 { store(a1, b1) }
          if count > 2 { store(a2, b2) }
        }
        unsafe channel += 6
        o &+= 2
      }
      unsafe target += count &* outputs
      left &-= count
    }
  }

  /// A depthwise convolution of 3 x 3 taps with rectified outputs and one output for each of a
  /// multiple of four channels. The weights of four channels are, for two taps t, u after another:
  /// bytes t0 t1 u0 u1 and t2 t3 u2 u3; the ninth tap has one word.
  @_optimize(speed) @inline(never)
  public static func convolveDepthwise(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe convolveDepthwise(layer, input, scratch, output, isWide: false)
  }

  /// The same with weights of 16 bits: for two taps t, u after another, halves t0 u0 t1 u1 t2 u2
  /// t3 u3; the ninth tap has four halves.
  @_optimize(speed) @inline(never)
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
    let w = unsafe window.pointee
    let depth = Int(w.depth)
    let channels = unsafe integers(layer + WindowRecord.size)
    let filter = unsafe words(channels + 3 &* depth)
    var target = unsafe output.assumingMemoryBound(to: UInt32.self)
    var y: Int32 = 0
    while y != w.outputHeight {
      var x: Int32 = 0
      while x != w.outputWidth {
        var top = UnsafeRawPointer(scratch)
        var pitch = 3 &* depth
        if unsafe isInside(window, x: x, y: y) {
          let corner = (y &* w.strideY &- w.top) &* w.width &+ x &* w.strideX &- w.left
          unsafe top = unsafe input + Int(corner) &* depth
          pitch = Int(w.width) &* depth
        } else {
          unsafe gather(window, x: x, y: y, from: input, to: scratch)
        }
        var middle = unsafe top + pitch
        var bottom = unsafe middle + pitch
        var weights = unsafe filter
        var channel = unsafe channels
        let end = unsafe top + depth
        while unsafe top < end {
          var s0 = unsafe channel[0]
          var s1 = unsafe channel[3]
          var s2 = unsafe channel[6]
          var s3 = unsafe channel[9]
          @inline(__always) func pair(_ a: UInt32, _ b: UInt32) {
            if isWide {
              let (a02, b02) = (evenBytes(a), evenBytes(b))
              s0 = unsafe multiplyAddPairs(lowerHalves(a02, b02), weights[0], s0)
              s2 = unsafe multiplyAddPairs(upperHalves(a02, b02), weights[2], s2)
              let (a13, b13) = (oddBytes(a), oddBytes(b))
              s1 = unsafe multiplyAddPairs(lowerHalves(a13, b13), weights[1], s1)
              s3 = unsafe multiplyAddPairs(upperHalves(a13, b13), weights[3], s3)
              unsafe weights += 4
              return
            }
            let (w01, w23) = unsafe (weights[0], weights[1])
            unsafe weights += 2
            let (a02, b02) = (evenBytes(a), evenBytes(b))
            s0 = multiplyAddPairs(lowerHalves(a02, b02), signedEvenBytes(w01), s0)
            s2 = multiplyAddPairs(upperHalves(a02, b02), signedEvenBytes(w23), s2)
            let (a13, b13) = (oddBytes(a), oddBytes(b))
            s1 = multiplyAddPairs(lowerHalves(a13, b13), signedOddBytes(w01), s1)
            s3 = multiplyAddPairs(upperHalves(a13, b13), signedOddBytes(w23), s3)
          }
          @inline(__always) func load(_ row: UnsafeRawPointer, _ column: Int) -> UInt32 {
            unsafe row.load(fromByteOffset: column &* depth, as: UInt32.self)
          }
          unsafe pair(load(top, 0), load(top, 1))
          unsafe pair(load(top, 2), load(middle, 0))
          unsafe pair(load(middle, 1), load(middle, 2))
          unsafe pair(load(bottom, 0), load(bottom, 1))
          let last = unsafe load(bottom, 2)
          let (x02, x13) = (evenBytes(last), oddBytes(last))
          let word = unsafe weights[0]
          var (w02, w13) = (signedEvenBytes(word), signedOddBytes(word))
          if isWide {
            let next = unsafe weights[1]
            (w02, w13) = (lowerHalves(word, next), upperHalves(word, next))
          }
          unsafe weights += isWide ? 2 : 1
          s0 &+= lowerHalf(x02) &* lowerHalf(w02)
          s2 &+= upperHalf(x02) &* upperHalf(w02)
          s1 &+= lowerHalf(x13) &* lowerHalf(w13)
          s3 &+= upperHalf(x13) &* upperHalf(w13)
          let (b0, b1) = unsafe (
            rectified(s0, (channel[1], channel[2])), rectified(s1, (channel[4], channel[5]))
          )
          let (b2, b3) = unsafe (
            rectified(s2, (channel[7], channel[8])), rectified(s3, (channel[10], channel[11]))
          )
          unsafe target.pointee =
            b0 | b1 &<< 8 | b2 &<< 16 | b3 &<< 24
          unsafe target += 1
          unsafe channel += 12
          unsafe top += 4
          unsafe middle += 4
          unsafe bottom += 4
        }
        x &+= 1
      }
      y &+= 1
    }
  }

  /// A fully connected layer of an even number of units, whose number of inputs is a multiple of
  /// eight. The record is that of `Portable.connect`, the weights those of a convolution.
  @_optimize(speed) @inline(never)
  public static func connect(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let r = unsafe integers(layer)
    let depth = unsafe Int(r[1])
    let units = unsafe Int(r[2])
    let channels = unsafe r + 6
    let filter = unsafe words(channels + 3 &* units)
    var source = unsafe input
    var target = unsafe bytes(output)
    var row = unsafe r[0]
    while row != 0 {
      var channel = unsafe channels
      var weights = unsafe filter
      let end = unsafe target + units
      let sourceEnd = unsafe source + depth
      while unsafe target != end {
        var (a, b) = unsafe (channel[0], channel[3])
        var x = unsafe source
        @inline(__always) func step(_ i: Int) {
          let word = unsafe x.load(fromByteOffset: 4 &* i, as: UInt32.self)
          let even = evenBytes(word)
          let odd = oddBytes(word)
          let (evenWeights, oddWeights) = unsafe (weights[2 &* i], weights[2 &* i &+ 1])
          a = multiplyAddPairs(even, signedEvenBytes(evenWeights), a)
          b = multiplyAddPairs(even, signedOddBytes(evenWeights), b)
          a = multiplyAddPairs(odd, signedEvenBytes(oddWeights), a)
          b = multiplyAddPairs(odd, signedOddBytes(oddWeights), b)
        }
        while unsafe x < sourceEnd {
          step(0)
          step(1)
          unsafe x += 8
          unsafe weights += 4
        }
        unsafe target[0] = unsafe Portable.connected(a, channel, r)
        unsafe target[1] = unsafe Portable.connected(b, channel + 3, r)
        unsafe target += 2
        unsafe channel += 6
      }
      unsafe source = unsafe sourceEnd
      row &-= 1
    }
  }

  /// The byte of a sum whose zero point is 0 and whose range is 0...255.
  @inline(__always)
  static func rectified(_ sum: Int32, _ scale: (Int32, Int32)) -> UInt32 {
    let high = roundedHighProduct(sum &+ sum, scale.0)
    let value = roundedHighProduct(high &<< 2, scale.1)
    return UInt32(bitPattern: min(max(value, 0), 255))
  }

  /// The byte of a sum with any zero point and range.
  @inline(__always)
  static func linear(
    _ sum: Int32, _ scale: (Int32, Int32), _ window: UnsafePointer<WindowRecord>
  ) -> UInt32 {
    let high = roundedHighProduct(sum &+ sum, scale.0)
    // Ties of negative numbers are rounded down.
    let value =
      unsafe roundedHighProduct((high &+ high &>> 31) &<< 2, scale.1)
      &+ window.pointee.outputZero
    return unsafe UInt32(
      bitPattern: min(max(value, window.pointee.low), window.pointee.high))
  }

  @inline(__always)
  private static func words(_ address: UnsafePointer<Int32>) -> UnsafePointer<UInt32> {
    unsafe UnsafeRawPointer(address).assumingMemoryBound(to: UInt32.self)
  }
}
