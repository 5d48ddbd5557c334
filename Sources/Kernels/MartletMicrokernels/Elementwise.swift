//===--- Elementwise.swift - elementwise kernels --------------------------===//
//
// Arguments of kernels that compute each element of a result from one or two operands.
//
// Contract  Counts are multiples of the instruction set's lanes. The result may be an operand's
//           memory. Types that are not fixed are uint8, int8 or int16.
//===----------------------------------------------------------------------===//

import MartletBase

/// Two operands and a result of any type.
@usableFromInline
package struct BinaryRun {
  @usableFromInline package let a, b: Operand
  /// The number of elements.
  @usableFromInline package let count: Int
  @usableFromInline package let y: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  package init(a: Operand, b: Operand, count: Int, y: UnsafeMutableRawPointer) {
    self.a = a
    self.b = b
    self.count = count
    self.y = y
  }
}

/// y[i] = clamp(f(a[i], b[i])), floats.
@usableFromInline
package struct Float32Binary {
  @usableFromInline package let run: BinaryRun
  @usableFromInline package let function: FloatCombination
  /// The range of the fused activation.
  @usableFromInline package let range: ClosedRange<Float>

  @inlinable @inline(__always)
  package init(run: BinaryRun, function: FloatCombination, range: ClosedRange<Float>) {
    self.run = run
    self.function = function
    self.range = range
  }
}

/// An operand of a sum: (x - zeroPoint) * 2^extraBits * scale.
@usableFromInline
package struct Addend: Sendable {
  @usableFromInline package let zeroPoint: Int32
  /// A factor less than one.
  @usableFromInline package let scale: FixedPointMultiplier
  /// The steps of the result for a step of x.
  @usableFromInline package let factor: Double

  @inlinable @inline(__always)
  package init(zeroPoint: Int32, scale: FixedPointMultiplier, factor: Double) {
    self.zeroPoint = zeroPoint
    self.scale = scale
    self.factor = factor
  }
}

/// The stored value: clamp(zeroPoint + scale * x).
@usableFromInline
package struct QuantizedResult: Sendable {
  @usableFromInline package let zeroPoint: Int32
  @usableFromInline package let scale: FixedPointMultiplier
  /// The range of the fused activation.
  @usableFromInline package let range: ClosedRange<Int32>

  @inlinable @inline(__always)
  package init(zeroPoint: Int32, scale: FixedPointMultiplier, range: ClosedRange<Int32>) {
    self.zeroPoint = zeroPoint
    self.scale = scale
    self.range = range
  }
}

/// The sum of two quantized operands.
@usableFromInline
package struct QuantizedAdd {
  @usableFromInline package let run: BinaryRun
  @usableFromInline package let type: ElementType
  @usableFromInline package let a, b: Addend
  @usableFromInline package let extraBits: Int32
  @usableFromInline package let y: QuantizedResult

  @inlinable @inline(__always)
  package init(
    run: BinaryRun, type: ElementType, a: Addend, b: Addend, extraBits: Int32, y: QuantizedResult
  ) {
    self.run = run
    self.type = type
    self.a = a
    self.b = b
    self.extraBits = extraBits
    self.y = y
  }
}

/// The product of two quantized operands minus their zero points.
@usableFromInline
package struct QuantizedMultiply {
  @usableFromInline package let run: BinaryRun
  @usableFromInline package let type: ElementType
  @usableFromInline package let zeroPointA, zeroPointB: Int32
  @usableFromInline package let y: QuantizedResult

  @inlinable @inline(__always)
  package init(
    run: BinaryRun, type: ElementType, zeroPointA: Int32, zeroPointB: Int32, y: QuantizedResult
  ) {
    self.run = run
    self.type = type
    self.zeroPointA = zeroPointA
    self.zeroPointB = zeroPointB
    self.y = y
  }
}

/// Reductions of rows of floats, in element order.
@usableFromInline
package struct Float32Reduce {
  @usableFromInline package let x: UnsafePointer<Float>
  @usableFromInline package let rows: Int
  /// The number of elements of a row.
  @usableFromInline package let depth: Int
  @usableFromInline package let reduction: FloatReduction
  @usableFromInline package let y: UnsafeMutablePointer<Float>

  @inlinable @inline(__always)
  package init(
    x: UnsafePointer<Float>, rows: Int, depth: Int, reduction: FloatReduction,
    y: UnsafeMutablePointer<Float>
  ) {
    self.x = x
    self.rows = rows
    self.depth = depth
    self.reduction = reduction
    self.y = y
  }
}

/// real = scale * (quantized - zeroPoint).
@usableFromInline
package struct AffineMap: Sendable {
  @usableFromInline package let type: ElementType
  @usableFromInline package let scale: Float
  @usableFromInline package let zeroPoint: Int32

  @inlinable @inline(__always)
  package init(type: ElementType, scale: Float, zeroPoint: Int32) {
    self.type = type
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

/// quantized = round(real * inverse + zeroPoint), within -128...127.
@usableFromInline
package struct DynamicMap: Sendable {
  @usableFromInline package let inverse: Float
  /// A whole number.
  @usableFromInline package let zeroPoint: Float

  @inlinable @inline(__always)
  package init(inverse: Float, zeroPoint: Float) {
    self.inverse = inverse
    self.zeroPoint = zeroPoint
  }
}
