//===--- Floats.swift - layers of floats ----------------------------------===//
//
// Contract  Bit for bit the interpreter's reference kernels on finite numbers: the same order of additions, and
//           products are rounded before they are added. The weights of four outputs lie together:
//           four biases, then four weights for each tap and channel; those of depthwise layers are
//           biases by output channel, then weights by rows, columns, output channels. In a record,
//           the least and greatest result have the bits of floats.
// Cost      One product for each tap and channel, four at a time in convolutions.
//===----------------------------------------------------------------------===//

/// Layers of floats.
public enum Floats {
  /// A convolution or, as a window of one pixel, a fully connected layer.
  @inline(never)
  public static func convolve(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let window = unsafe record(layer)
    let w = unsafe window.pointee
    let (low, high) = limits(w)
    let size = MemoryLayout<SIMD4<Float>>.size
    let depth = Int(w.depth)
    let taps = Int(w.rows &* w.columns) &* depth
    let image = unsafe floats(input)
    var target = unsafe floats(output)
    unsafe forEachPixel(window) { x, y in
      var weights = unsafe layer + WindowRecord.size
      var channels = w.outputDepth
      while channels > 0 {
        let bias = unsafe weights.loadUnaligned(as: SIMD4<Float>.self)
        unsafe weights += size
        var sum = SIMD4<Float>()
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          var source = unsafe image + pixel &* depth
          var weight = unsafe weights + tap &* depth &* size
          let end = unsafe source + depth
          while unsafe source != end {
            unsafe sum += source.pointee * weight.loadUnaligned(as: SIMD4<Float>.self)
            unsafe source += 1
            unsafe weight += size
          }
        }
        unsafe weights += taps &* size
        let results = sum + bias
        var lane = 0
        while lane != 4 && channels != 0 {
          unsafe target.pointee = min(max(results[lane], low), high)
          unsafe target += 1
          lane &+= 1
          channels &-= 1
        }
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
    let (low, high) = limits(w)
    let multiplier = w.outputDepth / w.depth
    let (depth, outputs) = (Int(w.depth), Int(w.outputDepth))
    var target = unsafe floats(output)
    unsafe forEachPixel(window) { x, y in
      var source = unsafe floats(input)
      var bias = unsafe floats(layer + WindowRecord.size)
      var copies = multiplier
      let end = unsafe target + outputs
      while unsafe target != end {
        var sum: Float = 0
        unsafe forEachTap(window, x: x, y: y) { pixel, tap in
          unsafe sum += source[pixel &* depth] * bias[(tap &+ 1) &* outputs]
        }
        unsafe target.pointee = min(max(sum + bias.pointee, low), high)
        unsafe target += 1
        unsafe bias += 1
        copies &-= 1
        if copies == 0 {
          copies = multiplier
          unsafe source += 1
        }
      }
    }
  }

  /// Average pooling; taps outside the image do not count.
  @inline(never)
  public static func averagePool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let (low, high) = unsafe limits(record(layer).pointee)
    unsafe pool(record(layer), floats(input), to: floats(output), initial: 0 as Float) {
      sum, value in
      sum += value
    } finish: { sum, count in
      min(max(sum / Float(Int(count)), low), high)
    }
  }

  /// Maximum pooling.
  @inline(never)
  public static func maxPool(
    _ layer: UnsafeRawPointer, _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) {
    let (low, high) = unsafe limits(record(layer).pointee)
    unsafe pool(record(layer), floats(input), to: floats(output), initial: low) {
      largest, value in
      largest = max(largest, value)
    } finish: { largest, _ in
      min(largest, high)
    }
  }

  /// The least and greatest result of a layer.
  @inline(__always)
  private static func limits(_ w: WindowRecord) -> (low: Float, high: Float) {
    (Float(bits: w.low), Float(bits: w.high))
  }
}

extension Float {
  /// The number with these bits.
  @inline(__always)
  init(bits: Int32) { self.init(bitPattern: UInt32(bitPattern: bits)) }
}
