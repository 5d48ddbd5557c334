//===--- ReferenceComparison.swift - comparison, extrema, selection -------===//
//
// Comparisons, minimum, maximum and selection, element by element with broadcasting.
//
// Contract  NaN is unequal to everything and unordered. MAXIMUM and MINIMUM keep the second operand
//           unless the first is greater or less, as in LiteRT. Quantized operands are compared as
//           integers after scaling, bit for bit LiteRT 2.3.0's `ComparisonWithScaling`.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

/// A relation between two elements.
@usableFromInline
package enum Relation: Sendable, CaseIterable {
  case equal, notEqual, less, lessEqual, greater, greaterEqual
}

/// An integer's real value with eight fractional bits, for comparisons across scales.
@usableFromInline
package struct QuantizedValue: Sendable {
  @usableFromInline let zeroPoint: Int32
  @usableFromInline let scale: FixedPointMultiplier

  package init(_ map: Quantization) {
    zeroPoint = Int32(truncatingIfNeeded: map.zeroPoint)
    scale = FixedPointMultiplier(Double(map.scale))
  }

  @export(implementation)
  package func callAsFunction(_ element: Int32) -> Int32 { scale((element &- zeroPoint) &<< 8) }
}

extension Reference {
  @export(implementation)
  package static func compare<Scalar: Comparable>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ relation: Relation,
    _ b: UnsafeMutableBufferPointer<Scalar>, _ broadcast: Broadcast,
    into y: UnsafeMutableBufferPointer<Bool>,
    workers: Workers = .serial
  ) {
    // Three loops serve six relations: a > b is computed as b < a.
    let isGreater = relation == .greater || relation == .greaterEqual
    let (a, b, walk) = isGreater ? (b, a, broadcast.swapped) : (a, b, broadcast)
    switch relation {
    case .equal, .notEqual:
      let isEqual = relation == .equal
      walk.combine(a, b, into: y, workers: workers) { ($0 == $1) == isEqual }
    case .less, .greater: walk.combine(a, b, into: y, workers: workers) { $0 < $1 }
    case .lessEqual, .greaterEqual: walk.combine(a, b, into: y, workers: workers) { $0 <= $1 }
    }
  }

  @export(implementation)
  package static func compare<Scalar: FixedWidthInteger>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ valueA: QuantizedValue, _ relation: Relation,
    _ b: UnsafeMutableBufferPointer<Scalar>, _ valueB: QuantizedValue, _ broadcast: Broadcast,
    into y: UnsafeMutableBufferPointer<Bool>,
    workers: Workers = .serial
  ) {
    broadcast.combineEach(a, b, into: y, workers: workers) {
      let left = valueA(Int32(truncatingIfNeeded: $0))
      let right = valueB(Int32(truncatingIfNeeded: $1))
      return switch relation {
      case .equal: left == right
      case .notEqual: left != right
      case .less: left < right
      case .lessEqual: left <= right
      case .greater: left > right
      case .greaterEqual: left >= right
      }
    }
  }

  @export(implementation)
  package static func maximum<Scalar: Comparable>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { $0 > $1 ? $0 : $1 }
  }

  @export(implementation)
  package static func minimum<Scalar: Comparable>(
    _ a: UnsafeMutableBufferPointer<Scalar>, _ b: UnsafeMutableBufferPointer<Scalar>,
    _ broadcast: Broadcast, into y: UnsafeMutableBufferPointer<Scalar>,
    workers: Workers = .serial
  ) {
    broadcast.combine(a, b, into: y, workers: workers) { $0 < $1 ? $0 : $1 }
  }

  /// y = condition ? a : b, of elements as wide as `Word`.
  @export(implementation)
  package static func select<Word: BitwiseCopyable>(
    _ condition: UnsafeMutableBufferPointer<Bool>, _ a: UnsafePointer<Word>,
    _ b: UnsafePointer<Word>, _ broadcast: Broadcast, into y: UnsafeMutablePointer<Word>,
    workers: Workers = .serial
  ) {
    broadcast.forEachPiece(workers) { start, offsets, count in
      for i in 0..<count {
        let isChosen = condition[offsets[0] + i * broadcast.steps[0]]
        y[start + i] =
          isChosen
          ? a[offsets[1] + i * broadcast.steps[1]] : b[offsets[2] + i * broadcast.steps[2]]
      }
    }
  }
}
