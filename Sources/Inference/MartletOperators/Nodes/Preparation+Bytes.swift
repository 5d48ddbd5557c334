//===--- Preparation+Bytes.swift - operands of any type -------------------===//
//
// Operators that only move elements depend on the element size alone. They accept every type with a
// whole number of bytes per element, and narrow integers, which take one byte each in memory.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletReference

/// A handle to a tensor whose elements are only moved.
package struct ByteOperand: Sendable {
  package let slot: Int
  package let shape: Shape
  /// The size of one element in bytes.
  package let elementSize: Int

  /// The size of all elements in bytes.
  package var byteCount: Int { shape.elementCount * elementSize }
  /// Byte strides along the axes, outermost first.
  package var strides: [Int] { shape.strides(elementSize: elementSize) }
}

extension Evaluation {
  /// The memory of an operand. The preparation has checked the slot and the size. Only a node's
  /// outputs may be written.
  package subscript(operand: ByteOperand) -> UnsafeMutableRawPointer {
    unsafe addresses[operand.slot]
  }
}

extension Preparation {
  /// Returns a handle to input `index` of any type with a whole number of bytes per element.
  package func inputBytes(_ index: Int) throws(InferenceError) -> ByteOperand {
    let info = try input(index)
    return try bytes(of: info, shape: info.shape, operand: .input(index))
  }

  /// Returns a handle to input `index`; throws unless it has the type of input `other`.
  package func inputBytes(
    _ index: Int, typedAs other: Int
  ) throws(InferenceError) -> ByteOperand {
    let expected = try input(other).declaredType
    let found = try input(index).declaredType
    guard found == expected else {
      throw .type(node: node, operand: .input(index), found: found, expected: expected)
    }
    return try inputBytes(index)
  }

  /// Sets the shape of output `index` and returns its handle; throws unless it has the type of
  /// input `input`.
  package mutating func outputBytes(
    _ index: Int, typedAs input: Int, shape: Shape
  ) throws(InferenceError) -> ByteOperand {
    let expected = try self.input(input).declaredType
    let found = try output(index).declaredType
    guard found == expected else {
      throw .type(node: node, operand: .output(index), found: found, expected: expected)
    }
    return try outputBytes(index, shape: shape)
  }

  /// Sets the shape of output `index`, of any type with a whole number of bytes per element, and
  /// returns its handle.
  ///
  /// A kernel that computes narrow integers, instead of moving them, must stay within their range.
  package mutating func outputBytes(
    _ index: Int, shape: Shape
  ) throws(InferenceError) -> ByteOperand {
    let info = try output(index)
    let operand = try bytes(of: info, shape: shape, operand: .output(index))
    setShape(shape, ofTensor: info.index)
    return operand
  }

  /// Sets the shape of output `index`, of type `Scalar` or of narrower integers stored as `Scalar`.
  /// Returns its handle and the range of its values.
  package mutating func outputAndRange<Scalar: Element & FixedWidthInteger>(
    _ index: Int, as: Scalar.Type, shape: Shape
  ) throws(InferenceError) -> (Operand<Scalar>, ClosedRange<Scalar>) {
    let info = try output(index)
    guard let range = info.declaredType.narrowRange, info.type == Scalar.elementType else {
      return (try output(index, as: Scalar.self, shape: shape), Scalar.min...Scalar.max)
    }
    setShape(shape, ofTensor: info.index)
    return (
      Operand(slot: info.index, shape: shape),
      Scalar(range.lowerBound)...Scalar(range.upperBound)
    )
  }

  private func bytes(
    of info: TensorInfo, shape: Shape, operand: OperandPlace
  ) throws(InferenceError) -> ByteOperand {
    guard info.type.bitWidth > 0, info.type.bitWidth % 8 == 0 else {
      throw .unsupportedType(node: node, operand: operand, found: info.type)
    }
    guard info.type.byteCount(of: shape.elementCount) != nil else {
      throw .tooLarge(node: node, bytes: Int.max, limit: Int(Int32.max))
    }
    return ByteOperand(slot: info.index, shape: shape, elementSize: info.type.bitWidth / 8)
  }

  /// The bytes, padded with zeros, of the element that represents zero in output `index`: the zero
  /// point if the output is quantized.
  package func zeroElement(ofOutput index: Int) throws(InferenceError) -> SIMD2<UInt64> {
    let output = try output(index)
    guard let map = output.quantization else { return SIMD2(0, 0) }
    let range: ClosedRange<Int>
    switch output.type {
    case .uint8: range = 0...255
    case .int8: range = -128...127
    case .int16: range = -32768...32767
    default: return SIMD2(0, 0)
    }
    guard range.contains(map.zeroPoint) else {
      throw .zeroPoint(
        node: node, operand: .output(index), found: map.zeroPoint, expected: range)
    }
    return SIMD2(UInt64(truncatingIfNeeded: map.zeroPoint).littleEndian, 0)
  }
}
