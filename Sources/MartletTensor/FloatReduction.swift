//===--- FloatReduction.swift - reductions of floats ----------------------===//
//
// The operators that make one number of a row: names that the innermost loops of every instruction
// set understand.
//===----------------------------------------------------------------------===//

/// What becomes of a row of floats, taken one after the other.
@usableFromInline
package enum FloatReduction: Sendable, CaseIterable {
  case sum, product
  /// The least or the greatest that is no NaN; of equal ones the first.
  case minimum, maximum

  /// What a row begins with.
  package var initial: Float {
    switch self {
    case .sum: 0
    case .product: 1
    case .minimum: .greatestFiniteMagnitude
    case .maximum: -.greatestFiniteMagnitude
    }
  }
}
