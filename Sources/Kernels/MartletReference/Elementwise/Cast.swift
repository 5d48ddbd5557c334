//===--- Cast.swift - CAST ------------------------------------------------===//
//
// Conversion between element types.
//
// Contract  As in LiteRT 2.3.0. Integers keep their low bits. Reals are truncated and saturate; NaN
//           becomes the highest integer. Every value except zero is true. 16-bit floats are rounded
//           from single precision. A complex number is converted by its real part.
// Cost      One pass.
//===----------------------------------------------------------------------===//

import MartletBase

extension Reference {
  /// Whether `cast` reads and writes elements of a type.
  package static func casts(_ type: ElementType) -> Bool {
    switch type {
    case .float32, .float64, .float16, .bfloat16, .complex64, .bool, .int8, .uint8, .int16, .uint16,
      .int32, .uint32, .int64:
      true
    default: false
    }
  }

  /// Stores `count` elements of type `from` as type `to`; both must be supported by `casts`.
  package static func cast(
    _ x: UnsafeRawPointer, _ from: ElementType, into y: UnsafeMutableRawPointer, _ to: ElementType,
    count: Int
  ) {
    if from == to {
      y.copyMemory(from: x, byteCount: count * (from.bitWidth / 8))
      return
    }
    switch from {
    case .float16: cast(x, as: Half.self, into: y, to, count)
    case .bfloat16: cast(x, as: BrainFloat.self, into: y, to, count)
    case .complex64: cast(x, as: ComplexNumber.self, into: y, to, count)
    case .float32: cast(x, as: Float.self, into: y, to, count)
    case .float64: cast(x, as: Double.self, into: y, to, count)
    case .bool: cast(x, as: Bool.self, into: y, to, count)
    case .int8: cast(x, as: Int8.self, into: y, to, count)
    case .uint8: cast(x, as: UInt8.self, into: y, to, count)
    case .int16: cast(x, as: Int16.self, into: y, to, count)
    case .uint16: cast(x, as: UInt16.self, into: y, to, count)
    case .int32: cast(x, as: Int32.self, into: y, to, count)
    case .uint32: cast(x, as: UInt32.self, into: y, to, count)
    case .int64: cast(x, as: Int64.self, into: y, to, count)
    default: break
    }
  }

  private static func cast<From: CastElement>(
    _ x: UnsafeRawPointer, as: From.Type, into y: UnsafeMutableRawPointer, _ to: ElementType,
    _ count: Int
  ) {
    let x = x.assumingMemoryBound(to: From.self)
    switch to {
    case .float16: cast(x, into: y.assumingMemoryBound(to: Half.self), count)
    case .bfloat16: cast(x, into: y.assumingMemoryBound(to: BrainFloat.self), count)
    case .complex64: cast(x, into: y.assumingMemoryBound(to: ComplexNumber.self), count)
    case .float32: cast(x, into: y.assumingMemoryBound(to: Float.self), count)
    case .float64: cast(x, into: y.assumingMemoryBound(to: Double.self), count)
    case .bool: cast(x, into: y.assumingMemoryBound(to: Bool.self), count)
    case .int8: cast(x, into: y.assumingMemoryBound(to: Int8.self), count)
    case .uint8: cast(x, into: y.assumingMemoryBound(to: UInt8.self), count)
    case .int16: cast(x, into: y.assumingMemoryBound(to: Int16.self), count)
    case .uint16: cast(x, into: y.assumingMemoryBound(to: UInt16.self), count)
    case .int32: cast(x, into: y.assumingMemoryBound(to: Int32.self), count)
    case .uint32: cast(x, into: y.assumingMemoryBound(to: UInt32.self), count)
    case .int64: cast(x, into: y.assumingMemoryBound(to: Int64.self), count)
    default: break
    }
  }

  /// Stores floats as integers within a range.
  package static func cast(
    _ x: UnsafeMutableBufferPointer<Float>, into y: UnsafeMutablePointer<Int8>,
    clampedTo range: ClosedRange<Int8>
  ) {
    let (lowest, highest) = (Float(range.lowerBound), Float(range.upperBound))
    for i in 0..<x.count { y[i] = Int8(x[i] < highest ? max(x[i], lowest) : highest) }
  }

  private static func cast<From: CastElement, To: CastElement>(
    _ x: UnsafePointer<From>, into y: UnsafeMutablePointer<To>, _ count: Int
  ) {
    for i in 0..<count { y[i] = x[i].cast(to: To.self) }
  }
}

/// An element type that CAST reads and writes.
private protocol CastElement: BitwiseCopyable {
  init(integer: Int64)
  init(real: Double)
  /// The value converted to another type.
  func cast<To: CastElement>(to: To.Type) -> To
}

extension CastElement where Self: FixedWidthInteger {
  init(integer: Int64) { self = Self(truncatingIfNeeded: integer) }
  init(real: Double) {
    if real >= Double(Self.min), real < Double(Self.max) {
      self = Self(real)
    } else {
      self = real < 0 ? Self.min : Self.max
    }
  }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To {
    To(integer: Int64(truncatingIfNeeded: self))
  }
}

extension Int8: CastElement {}
extension UInt8: CastElement {}
extension Int16: CastElement {}
extension UInt16: CastElement {}
extension Int32: CastElement {}
extension UInt32: CastElement {}
extension Int64: CastElement {}

extension Bool: CastElement {
  init(integer: Int64) { self = integer != 0 }
  init(real: Double) { self = real != 0 }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To {
    To(integer: self ? 1 : 0)
  }
}

extension Float: CastElement {
  init(integer: Int64) { self = Float(integer) }
  init(real: Double) { self = Float(real) }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To { To(real: Double(self)) }
}

extension Double: CastElement {
  init(integer: Int64) { self = Double(integer) }
  init(real: Double) { self = real }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To { To(real: self) }
}

/// Converts by way of single precision, as in LiteRT.
extension CastElement where Self: RealElement {
  init(integer: Int64) { self = Self(rounding: Float(integer)) }
  init(real: Double) { self = Self(rounding: Float(real)) }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To { To(real: Double(float)) }
}

extension Half: CastElement {}
extension BrainFloat: CastElement {}

extension ComplexNumber: CastElement {
  init(integer: Int64) { self = ComplexNumber(Float(integer), 0) }
  init(real: Double) { self = ComplexNumber(Float(real), 0) }
  fileprivate func cast<To: CastElement>(to: To.Type) -> To { To(real: Double(real)) }
}
