//===--- Map.swift - functions of one element -----------------------------===//
//
// ABS, NEG, SQUARE, SQRT, RSQRT, EXP, LOG, FLOOR, CEIL, ROUND, LOGICAL_NOT.
//
// Contract  `input` and `output` have the same number of elements and may be the same memory.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// y[i] = function(x[i])
  @export(implementation) @inline(__always)
  package static func map<Scalar, Result>(
    _ x: UnsafeMutableBufferPointer<Scalar>, into y: UnsafeMutableBufferPointer<Result>,
    workers: Workers = .serial, _ function: (Scalar) -> Result
  ) {
    workers.split(x.count, grain: 1 << 13) { part in
      for i in part { y[i] = function(x[i]) }
    }
  }

  /// y[i] = function(x[i]), eight at a time; lanes are independent of each other.
  @export(implementation) @inline(__always)
  package static func mapLanes(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutableBufferPointer<Float>,
    workers: Workers = .serial, _ function: (SIMD8<Float>) -> SIMD8<Float>
  ) {
    let source = UnsafeRawBufferPointer(x)
    let target = UnsafeMutableRawBufferPointer(y)
    let whole = x.count & ~7
    workers.split(whole / 8, grain: 1 << 10) { part in
      for i in stride(from: part.lowerBound * 8, to: part.upperBound * 8, by: 8) {
        let lanes = source.loadUnaligned(fromByteOffset: i * 4, as: SIMD8<Float>.self)
        target.storeBytes(of: function(lanes), toByteOffset: i * 4, as: SIMD8<Float>.self)
      }
    }
    guard whole < x.count else { return }
    var rest = SIMD8<Float>(repeating: 1)
    for i in whole..<x.count { rest[i - whole] = x[i] }
    let results = function(rest)
    for i in whole..<x.count { y[i] = results[i - whole] }
  }

  /// |x| on the output's scale, rounded as in LiteRT 2.3.0: rescaled only if the scales differ.
  @export(implementation)
  package static func absolute<Scalar: FixedWidthInteger>(
    _ x: UnsafeMutableBufferPointer<Scalar>, zeroPoint: Int32, scale: FixedPointMultiplier?,
    zeroPoint outputZeroPoint: Int32, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    let range = Int32(truncatingIfNeeded: Scalar.min)...Int32(truncatingIfNeeded: Scalar.max)
    map(x, into: y, workers: workers) { element in
      let difference = Int32(truncatingIfNeeded: element) &- zeroPoint
      let magnitude = difference < 0 ? 0 &- difference : difference
      let steps = (scale?(magnitude) ?? magnitude) &+ outputZeroPoint
      return Scalar(truncatingIfNeeded: clamp(steps, range))
    }
  }
}
