//===--- FloatFunction.swift - unary operations on floats -----------------===//
//
// The elementwise operators of one float. The kernels of every instruction set take these names.
//===----------------------------------------------------------------------===//

/// An operation on a number x.
@usableFromInline
package enum FloatFunction: Sendable {
  /// x clamped to a range.
  case clamp(ClosedRange<Float>)
  /// x if x > 0, otherwise x times a factor.
  case leakyRelu(Float)
  case hardSwish, logistic, tanh, exp, squareRoot, inverseSquareRoot
  /// x if x > 0, otherwise eˣ - 1.
  case elu
}
