//===--- Pool.swift - averages and maxima of windows ----------------------===//
//
// y[p, c] = clamp(mean, maximum or root of the mean square over taps t of x[p + t, c])
//
// Contract  TFLite AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D. Only taps within the image count,
//           also in the divisor; every window has at least one. Integer means are rounded to
//           nearest, ties away from zero, and ignore zero points. Order     Float sums run over
//           taps row by row.
// Cost      outputs · taps.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  @export(implementation)
  package static func averagePool(
    _ input: UnsafeMutableBufferPointer<Float>, _ window: SlidingWindow, depth: Int,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    poolMeans(of: { $0 }, input, window, depth: depth, into: output) {
      min(max($0, range.lowerBound), range.upperBound)
    }
  }

  @export(implementation)
  package static func averagePool<Scalar: FixedWidthInteger>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ window: SlidingWindow, depth: Int,
    clampedTo range: ClosedRange<Int32>, into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    for i in 0..<window.outputCount {
      for channel in 0..<depth {
        var sum: Int64 = 0
        var count: Int64 = 0
        window.forEachTap(ofOutput: i) { pixel, _ in
          sum &+= Int64(input[pixel &* depth &+ channel])
          count &+= 1
        }
        let mean = (sum &+ (sum > 0 ? count / 2 : -(count / 2))) / count
        let clamped = min(max(mean, Int64(range.lowerBound)), Int64(range.upperBound))
        output[i &* depth &+ channel] = Scalar(truncatingIfNeeded: clamped)
      }
    }
  }

  /// Stores the roots of the mean squares.
  package static func l2Pool(
    _ input: UnsafeMutableBufferPointer<Float>, _ window: SlidingWindow, depth: Int,
    clampedTo range: ClosedRange<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    poolMeans(of: { $0 * $0 }, input, window, depth: depth, into: output) {
      min(max($0.squareRoot(), range.lowerBound), range.upperBound)
    }
  }

  /// Stores the result of `finish` for the mean of each window's `term`s.
  @export(implementation)
  static func poolMeans(
    of term: (Float) -> Float, _ input: UnsafeMutableBufferPointer<Float>, _ window: SlidingWindow,
    depth: Int, into output: UnsafeMutableBufferPointer<Float>, _ finish: (Float) -> Float
  ) {
    for i in 0..<window.outputCount {
      for channel in 0..<depth {
        var sum: Float = 0
        var count: Float = 0
        window.forEachTap(ofOutput: i) { pixel, _ in
          sum += term(input[pixel &* depth &+ channel])
          count += 1
        }
        output[i &* depth &+ channel] = finish(sum / count)
      }
    }
  }

  @export(implementation)
  package static func maxPool<Scalar: Comparable>(
    _ input: UnsafeMutableBufferPointer<Scalar>, _ window: SlidingWindow, depth: Int,
    clampedTo range: ClosedRange<Scalar>, into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    for i in 0..<window.outputCount {
      for channel in 0..<depth {
        // Results are never less than the lower bound.
        var largest = range.lowerBound
        window.forEachTap(ofOutput: i) { pixel, _ in
          largest = max(largest, input[pixel &* depth &+ channel])
        }
        output[i &* depth &+ channel] = min(largest, range.upperBound)
      }
    }
  }
}
