//===--- FloatCombination.swift - binary operations on floats -------------===//
//
// The operators that make one number of two, element by element: names that the innermost loops of
// every instruction set understand.
//===----------------------------------------------------------------------===//

/// What becomes of a number `a` of one operand and a number `b` of the other.
@usableFromInline
package enum FloatCombination: Sendable, CaseIterable {
  case sum, difference, product, quotient
  /// (a - b)²
  case squaredDifference
  /// b where neither is the larger.
  case maximum, minimum
  /// a where it is not negative, a · b elsewhere.
  case leakyRelu
}
