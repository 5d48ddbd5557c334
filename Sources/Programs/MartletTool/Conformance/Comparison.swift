//===--- Comparison.swift - comparison of outputs -------------------------===//
//
// Contract  Integers and booleans must agree within a number of steps, floats within an absolute
//           tolerance. NaN equals NaN, and infinities of the same sign are equal. The first element
//           that differs more is reported.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference

/// The first element of an output that differs from the expected one.
struct Mismatch: Equatable, CustomStringConvertible {
  let output: Int
  let element: Int
  let found: Double
  let expected: Double

  var description: String {
    "output \(output) element \(element): \(found), expected \(expected)"
  }
}

/// The difference between an output and the expected elements.
struct Comparison {
  /// The largest absolute difference.
  private(set) var largest = 0.0
  /// The first element that exceeds the tolerance.
  private(set) var mismatch: Mismatch?

  /// Compares every `stride`th element of `found` with `expected`.
  init(
    output: Int, found: [UInt8], expected: [UInt8], type: ElementType, tolerance: Double,
    stride: Int = 1
  ) {
    // A complex number is compared as two real numbers.
    let type: ElementType =
      type == .complex64 ? .float32 : type == .complex128 ? .float64 : type
    let size = max(type.bitWidth / 8, 1)
    let count = (found.count / size + stride - 1) / stride
    guard count == expected.count / size else {
      mismatch = Mismatch(
        output: output, element: min(count, expected.count / size), found: Double(count),
        expected: Double(expected.count / size))
      largest = .infinity
      return
    }
    for index in 0..<count {
      let a = Comparison.element(found, index * stride, type)
      let b = Comparison.element(expected, index, type)
      let difference = a == b || (a.isNaN && b.isNaN) ? 0 : abs(a - b)
      if !(difference <= largest) { largest = difference.isNaN ? .infinity : difference }
      if !(difference <= tolerance), mismatch == nil {
        mismatch = Mismatch(output: output, element: index * stride, found: a, expected: b)
      }
    }
  }

  static func element(_ bytes: [UInt8], _ index: Int, _ type: ElementType) -> Double {
    /// Loads the element as a number. Every bit pattern is valid, and the span checks its bounds.
    func load<T: BitwiseCopyable>(_: T.Type) -> T {
      unsafe bytes.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: index * MemoryLayout<T>.size, as: T.self)
    }
    return switch type {
    case .float32: Double(load(Float.self))
    case .float64: load(Double.self)
    case .float16: Double(Float(halfBits: load(UInt16.self)))
    case .bfloat16: Double(Float(bitPattern: UInt32(load(UInt16.self)) << 16))
    case .int8: Double(load(Int8.self))
    case .int16: Double(load(Int16.self))
    case .uint16: Double(load(UInt16.self))
    case .int32: Double(load(Int32.self))
    case .uint32: Double(load(UInt32.self))
    case .int64: Double(load(Int64.self))
    case .uint64: Double(load(UInt64.self))
    default: Double(load(UInt8.self))
    }
  }
}

extension ElementType {
  /// The type with a manifest's name: `float32`, `FLOAT32`, `bool`.
  init?(manifestName: String) {
    let name = manifestName.lowercased()
    guard let type = ElementType.allCases.first(where: { $0.description == name }) else {
      return nil
    }
    self = type
  }
}
