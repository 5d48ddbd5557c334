//===--- Float32Depthwise+NEON.swift - rows of taps on arm64 --------------===//
//
// Depthwise convolutions whose outputs share inputs, for arm64, which has no memory operands but
// many registers: each input is loaded once, and windows of three rows are unrolled.
//
// Order     As `Float32Depthwise.swift`.
// Cost      As there, with fewer loads.
//===----------------------------------------------------------------------===//

#if arch(arm64)
  import MartletMicrokernels

  extension Float32DepthwiseRun {
    /// Computes a range in blocks of one vector of channels of several outputs; the last block may
    /// overlap the previous one. Pointers move from one vector of channels to the next, so that
    /// other distances are computed once.
    func compute<Sums: Registers<V>, V: SIMD, Taps: Static, Step: Static>(
      _: Sums.Type, _ range: Range<Int>, _: Taps.Type, _: Step.Type, _ clamp: (V, V, V) -> V
    ) where V.Scalar == Float {
      let (count, rows) = (Sums.count, rows)
      let (low, high) = (V(repeating: low), V(repeating: high))
      let taps = Row<Taps, Step>(stride: 4 &* columnStride, weightStride: 4 &* weightColumnStride)
      let (rowStride, weightRowStride) = (4 &* rowStride, 4 &* weightRowStride)
      let yStride = 4 &* yStride
      var pixel = range.lowerBound
      while pixel < range.upperBound {
        let first = min(pixel, pixels &- count)
        var x = UnsafeRawPointer(x + first &* pixelStride)
        var w = UnsafeRawPointer(w)
        var bias = UnsafeRawPointer(bias)
        var y = UnsafeMutableRawPointer(y) + first &* yStride
        var left = channels
        repeat {
          var sums = Sums(repeating: bias.loadUnaligned(as: V.self))
          if rows == 3 {
            taps.add(x, w, to: &sums)
            taps.add(x + rowStride, w + weightRowStride, to: &sums)
            taps.add(x + 2 &* rowStride, w + 2 &* weightRowStride, to: &sums)
          } else {
            for row in 0..<rows {
              taps.add(x + row &* rowStride, w + row &* weightRowStride, to: &sums)
            }
          }
          for i in 0..<count {
            (y + i &* yStride).storeBytes(of: clamp(sums[i], low, high), as: V.self)
          }
          left &-= V.scalarCount
          let next = 4 &* min(left, V.scalarCount)
          x += next
          w += next
          bias += next
          y += next
        } while left > 0
        pixel &+= count
      }
    }
  }

  /// A row of `Taps` taps of outputs at the distance of `Step` taps.
  private struct Row<Taps: Static, Step: Static> {
    /// The distances in bytes from a tap, and from its weight, to the next.
    let stride: Int
    let weightStride: Int

    /// Adds the products.
    @inline(__always)
    func add<Sums: Registers<V>, V: SIMD>(
      _ x: UnsafeRawPointer, _ w: UnsafeRawPointer, to sums: inout Sums
    ) where V.Scalar == Float {
      var inputs = Registers12<V>(repeating: V(repeating: 0))
      for i in 0..<((Sums.count &- 1) &* Step.value &+ Taps.value) {
        inputs[i] = (x + i &* stride).loadUnaligned(as: V.self)
      }
      for tap in 0..<Taps.value {
        let factor = (w + tap &* weightStride).loadUnaligned(as: V.self)
        for i in 0..<Sums.count {
          sums[i] = multiplyAdd(sums[i], inputs[i &* Step.value &+ tap], factor)
        }
      }
    }
  }
#endif
