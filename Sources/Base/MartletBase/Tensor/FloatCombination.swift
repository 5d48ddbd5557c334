//===--- FloatCombination.swift - binary operations on floats -------------===//
//
// The elementwise operators of two floats. The kernels of every instruction set take these names.
//===----------------------------------------------------------------------===//

/// An operation on a number `a` of one operand and a number `b` of the other.
@usableFromInline
package enum FloatCombination: Sendable, CaseIterable {
  case sum, difference, product, quotient
  /// (a - b)²
  case squaredDifference
  /// The maximum or minimum; b if neither is larger.
  case maximum, minimum
  /// a if a ≥ 0, otherwise a · b.
  case leakyRelu
}
