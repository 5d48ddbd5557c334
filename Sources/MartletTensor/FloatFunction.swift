//===--- FloatFunction.swift - unary operations on floats -----------------===//
//
// The operators that make one number of another, element by element: names that the innermost loops
// of every instruction set understand.
//===----------------------------------------------------------------------===//

/// What becomes of a number x.
@usableFromInline
package enum FloatFunction: Sendable {
  /// x within bounds.
  case clamp(ClosedRange<Float>)
  /// x above zero, x times a factor elsewhere.
  case leakyRelu(Float)
  case hardSwish, logistic, tanh, exp, squareRoot, inverseSquareRoot
  /// x above zero, eˣ - 1 elsewhere.
  case elu
}
