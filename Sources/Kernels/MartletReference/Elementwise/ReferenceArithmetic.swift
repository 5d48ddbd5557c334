//===--- ReferenceArithmetic.swift - ADD, SUB, MUL, SQUARED_DIFFERENCE ----===//
//
// y = clamp(a + b), and other operations, element by element with broadcasting, on floats and on
// integers that are not quantized.
//
// Contract  Integers wrap around, as in two's complement; floats are rounded once per operation.
//           SQUARED_DIFFERENCE has no clamp.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

/// An element type that adds, subtracts and multiplies without trapping.
@usableFromInline
package protocol ArithmeticElement: Element, Comparable {
  static func sum(_ a: Self, _ b: Self) -> Self
  static func difference(_ a: Self, _ b: Self) -> Self
  static func product(_ a: Self, _ b: Self) -> Self
}

extension ArithmeticElement where Self: FixedWidthInteger {
  @export(implementation) package static func sum(_ a: Self, _ b: Self) -> Self { a &+ b }
  @export(implementation) package static func difference(_ a: Self, _ b: Self) -> Self { a &- b }
  @export(implementation) package static func product(_ a: Self, _ b: Self) -> Self { a &* b }
}

extension Int16: ArithmeticElement {}
extension Int32: ArithmeticElement {}
extension UInt32: ArithmeticElement {}
extension Int64: ArithmeticElement {}

extension Float: ArithmeticElement {
  @export(implementation) package static func sum(_ a: Float, _ b: Float) -> Float { a + b }
  @export(implementation) package static func difference(_ a: Float, _ b: Float) -> Float { a - b }
  @export(implementation) package static func product(_ a: Float, _ b: Float) -> Float { a * b }
}

/// Computed in single precision, rounded once.
extension Half: ArithmeticElement {
  @export(implementation) package static func sum(_ a: Half, _ b: Half) -> Half {
    Half(rounding: a.float + b.float)
  }
  @export(implementation) package static func difference(_ a: Half, _ b: Half) -> Half {
    Half(rounding: a.float - b.float)
  }
  @export(implementation) package static func product(_ a: Half, _ b: Half) -> Half {
    Half(rounding: a.float * b.float)
  }
}

extension Reference {
  @export(implementation)
  package static func add<Scalar: ArithmeticElement>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, range: ClosedRange<Scalar>,
    into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { clamp(Scalar.sum($0, $1), range) }
  }

  @export(implementation)
  package static func subtract<Scalar: ArithmeticElement>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, range: ClosedRange<Scalar>,
    into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { clamp(Scalar.difference($0, $1), range) }
  }

  @export(implementation)
  package static func multiply<Scalar: ArithmeticElement>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, range: ClosedRange<Scalar>,
    into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { clamp(Scalar.product($0, $1), range) }
  }

  @export(implementation)
  package static func squaredDifference<Scalar: ArithmeticElement>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) {
      let difference = Scalar.difference($0, $1)
      return Scalar.product(difference, difference)
    }
  }

  /// `value` clamped to `range`; NaN stays NaN.
  @export(implementation)
  package static func clamp<Scalar: Comparable>(_ value: Scalar, _ range: ClosedRange<Scalar>)
    -> Scalar
  {
    let raised = value < range.lowerBound ? range.lowerBound : value
    return raised > range.upperBound ? range.upperBound : raised
  }
}
