//===--- ElementType.swift - element types of tensors ---------------------===//
//
// The number types of the TensorFlow Lite schema, with the raw values that files carry.
//===----------------------------------------------------------------------===//

/// The type of a tensor's elements.
///
/// Raw values are those of `TensorType` in the TensorFlow Lite schema (version 3).
public enum ElementType: UInt8, Sendable, Hashable, CaseIterable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case string = 5
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case complex128 = 11
  case uint64 = 12
  case resource = 13
  case variant = 14
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18
  case int2 = 19
  case uint4 = 20
  case float8E4M3FN = 21
  case float8E5M2 = 22

  /// The size of an element in bits; zero for types without a fixed size (string, resource,
  /// variant).
  public var bitWidth: Int {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .bool, .int8, .float8E4M3FN, .float8E5M2: 8
    case .float16, .int16, .uint16, .bfloat16: 16
    case .float32, .int32, .uint32: 32
    case .int64, .uint64, .float64, .complex64: 64
    case .complex128: 128
    case .string, .resource, .variant: 0
    }
  }

  /// Whether elements are smaller than a byte, so that files store several in one byte.
  package var isNarrow: Bool { (1..<8).contains(bitWidth) }

  /// The type with one byte per element if elements are smaller than a byte; otherwise the type
  /// itself.
  package var unpacked: ElementType {
    switch self {
    case .int4, .int2: .int8
    case .uint4: .uint8
    default: self
    }
  }

  /// The range of values of elements smaller than a byte; `nil` for other types.
  package var narrowRange: ClosedRange<Int8>? {
    switch self {
    case .int2: -2...1
    case .int4: -8...7
    case .uint4: 0...15
    default: nil
    }
  }

  /// Returns the number of bytes that `count` elements take, with sub-byte elements packed, or
  /// `nil` if the number overflows.
  public func byteCount(of count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    guard !overflow, bits <= Int.max - 7 else { return nil }
    return (bits + 7) / 8
  }
}

extension ElementType: CustomStringConvertible {
  /// The schema's name in lower case, such as `float32`.
  public var description: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .int32: "int32"
    case .uint8: "uint8"
    case .int64: "int64"
    case .string: "string"
    case .bool: "bool"
    case .int16: "int16"
    case .complex64: "complex64"
    case .int8: "int8"
    case .float64: "float64"
    case .complex128: "complex128"
    case .uint64: "uint64"
    case .resource: "resource"
    case .variant: "variant"
    case .uint32: "uint32"
    case .uint16: "uint16"
    case .int4: "int4"
    case .bfloat16: "bfloat16"
    case .int2: "int2"
    case .uint4: "uint4"
    case .float8E4M3FN: "float8_e4m3fn"
    case .float8E5M2: "float8_e5m2"
    }
  }
}

/// A Swift type that has the memory layout of an element type.
///
/// The conformances in this module are all that tensors need. A conforming type must be as wide as
/// its element type.
public protocol TensorElement: BitwiseCopyable, Sendable {
  /// The element type whose memory can be read as this type.
  static var elementType: ElementType { get }
}

/// The name used inside the package.
@usableFromInline
package typealias Element = TensorElement

extension Float: TensorElement {
  /// `float32`
  @inlinable public static var elementType: ElementType { .float32 }
}
extension Double: TensorElement {
  /// `float64`
  @inlinable public static var elementType: ElementType { .float64 }
}
extension Int8: TensorElement {
  /// `int8`
  @inlinable public static var elementType: ElementType { .int8 }
}
extension UInt8: TensorElement {
  /// `uint8`
  @inlinable public static var elementType: ElementType { .uint8 }
}
extension Int16: TensorElement {
  /// `int16`
  @inlinable public static var elementType: ElementType { .int16 }
}
extension UInt16: TensorElement {
  /// `uint16`
  @inlinable public static var elementType: ElementType { .uint16 }
}
extension Int32: TensorElement {
  /// `int32`
  @inlinable public static var elementType: ElementType { .int32 }
}
extension UInt32: TensorElement {
  /// `uint32`
  @inlinable public static var elementType: ElementType { .uint32 }
}
extension Int64: TensorElement {
  /// `int64`
  @inlinable public static var elementType: ElementType { .int64 }
}
extension UInt64: TensorElement {
  /// `uint64`
  @inlinable public static var elementType: ElementType { .uint64 }
}
extension Bool: TensorElement {
  /// `bool`
  @inlinable public static var elementType: ElementType { .bool }
}
