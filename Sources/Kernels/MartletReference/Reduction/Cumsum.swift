//===--- Cumsum.swift - running sums along an axis ------------------------===//
//
// y[i] = x[0] + ... + x[i] along one axis; exclusive sums omit x[i], reversed ones run from the
// end.
//
// Contract  `x` is [outer, depth, inner]; `y` may not be the same memory. Integers wrap around.
// Order     A sum runs along its axis, from zero.
// Cost      One pass.
//===----------------------------------------------------------------------===//

extension Reference {
  @export(implementation)
  package static func cumsum<Scalar: ArithmeticElement>(
    _ x: UnsafeMutableBufferPointer<Scalar>, depth: Int, inner: Int, isExclusive: Bool,
    isReversed: Bool, zero: Scalar, into y: UnsafeMutableBufferPointer<Scalar>
  ) {
    guard depth > 0, inner > 0 else { return }
    for index in 0..<x.count {
      let place = index / inner % depth
      // In reverse, each sum starts from the next element along the axis.
      let i = isReversed ? x.count &- 1 &- index : index
      let previous = isReversed ? i &+ inner : i &- inner
      let element = x[i]
      if place == 0 {
        y[i] = isExclusive ? zero : element
      } else {
        y[i] = Scalar.sum(y[previous], isExclusive ? x[previous] : element)
      }
    }
  }
}
