//===--- FloatReduction.swift - reductions of floats ----------------------===//
//
// The operators that reduce a row to one number. The kernels of every instruction set take these
// names.
//===----------------------------------------------------------------------===//

/// A reduction of a row of floats, in the row's order.
@usableFromInline
package enum FloatReduction: Sendable, CaseIterable {
  case sum, product
  /// The smallest or largest number, NaN if there is none; of equal ones the first.
  case minimum, maximum

  /// The value that a reduction starts from.
  package var initial: Float {
    switch self {
    case .sum: 0
    case .product: 1
    case .minimum: .infinity
    case .maximum: -.infinity
    }
  }
}
