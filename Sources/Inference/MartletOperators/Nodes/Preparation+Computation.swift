//===--- Preparation+Computation.swift - computations of two elements -----===//
//
// Some operators combine elements as a subgraph describes: one operator on its two inputs, or none,
// so that its second input is its result. The subgraph never runs.
//
// Contract  Integers wrap. `or`, `add` and `maximum` of Booleans are the same, as are `and`,
//           `multiply` and `minimum`. The file is untrusted: any byte other than 0 is true.
// Source    LiteRT 2.3.0 `stablehlo_reduce_window.cc`, `stablehlo_scatter.cc`,
//           `stablehlo_elementwise.h`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// A computation of two elements.
package enum Computation: Sendable {
  /// The second element.
  case second
  case add, multiply, maximum, minimum
  /// 1 if both or any of the elements differ from 0, otherwise 0.
  case and, or
}

extension Preparation {
  /// Returns the computation that subgraph `index` describes.
  func computation(ofSubgraph index: Int) throws(InferenceError) -> Computation {
    guard subgraphs.indices.contains(index) else {
      throw .noSuchSubgraph(index: index, count: subgraphs.count)
    }
    guard let computation = subgraphs[index].computation else {
      throw .computation(node: node, subgraph: index)
    }
    return computation
  }
}

extension Subgraph {
  /// The computation that the subgraph describes, or `nil` if it is none of these.
  fileprivate var computation: Computation? {
    guard inputs.count == 2, inputs[0] != inputs[1] else { return nil }
    guard let operation = operators.first else { return outputs == [inputs[1]] ? .second : nil }
    guard operators.count == 1, operation.outputs == outputs,
      operation.inputs == inputs || operation.inputs == inputs.reversed()
    else { return nil }
    switch (operation.code, operation.options) {
    case (.builtin(.add), .add(let options)) where options.activation != .none: return nil
    case (.builtin(.mul), .mul(let options)) where options.activation != .none: return nil
    default: break
    }
    switch operation.code {
    case .builtin(.add), .builtin(.stablehloAdd): return .add
    case .builtin(.mul), .builtin(.stablehloMultiply): return .multiply
    case .builtin(.maximum), .builtin(.stablehloMaximum): return .maximum
    case .builtin(.minimum), .builtin(.stablehloMinimum): return .minimum
    case .builtin(.logicalAnd), .builtin(.stablehloAnd): return .and
    case .builtin(.logicalOr), .builtin(.stablehloOr): return .or
    default: return nil
    }
  }
}

// MARK: - Functions

/// Prepares a node for a function of two elements.
protocol ComputationBody {
  func prepare<Scalar: Element>(
    _ p: inout Preparation, _ function: @escaping @Sendable (Scalar, Scalar) -> Scalar
  ) throws(InferenceError) -> Evaluate
}

extension Preparation {
  /// Prepares `body` with the function of `computation` for the type of input `index`. Booleans are
  /// `UInt8`.
  ///
  /// - Parameter takesUnordered: Whether the extremum of NaN and another element is the second of
  ///   them, instead of the first.
  mutating func prepare(
    _ body: some ComputationBody, _ computation: Computation, ofInput index: Int,
    takesUnordered: Bool = false
  ) throws(InferenceError) -> Evaluate {
    switch try input(index).type {
    case .float32:
      return try body.prepare(&self, computation.function(Float.self, takesUnordered))
    case .float64:
      return try body.prepare(&self, computation.function(Double.self, takesUnordered))
    case .float16:
      if computation == .second { return try body.prepare(&self) { (_: Half, y: Half) in y } }
      let function = computation.function(Float.self, takesUnordered)
      return try body.prepare(&self) { Half(rounding: function($0.float, $1.float)) }
    case .bool: return try body.prepare(&self, computation.booleanFunction)
    case .int8: return try body.prepare(&self, computation.function(Int8.self))
    case .int16: return try body.prepare(&self, computation.function(Int16.self))
    case .int32: return try body.prepare(&self, computation.function(Int32.self))
    case .int64: return try body.prepare(&self, computation.function(Int64.self))
    case .uint8: return try body.prepare(&self, computation.function(UInt8.self))
    case .uint16: return try body.prepare(&self, computation.function(UInt16.self))
    case .uint32: return try body.prepare(&self, computation.function(UInt32.self))
    case .uint64: return try body.prepare(&self, computation.function(UInt64.self))
    case let found: throw .unsupportedType(node: node, operand: .input(index), found: found)
    }
  }

  /// A handle to input `index`, which must have the type of input 0, as `Scalar` of the same width.
  func input<Scalar: Element>(
    _ index: Int, typedAsFirst: Scalar.Type
  ) throws(InferenceError) -> Operand<Scalar> {
    let operand = try inputBytes(index, typedAs: 0)
    return Operand(slot: operand.slot, shape: operand.shape)
  }

  /// Sets the shape of output 0, which must have the type of input 0, and returns its handle as
  /// `Scalar` of the same width.
  mutating func output<Scalar: Element>(
    typedAsFirst: Scalar.Type, shape: Shape
  ) throws(InferenceError) -> Operand<Scalar> {
    Operand(slot: try outputBytes(0, typedAs: 0, shape: shape).slot, shape: shape)
  }
}

extension Computation {
  fileprivate func function<Scalar: Element & FixedWidthInteger>(
    _: Scalar.Type
  ) -> @Sendable (Scalar, Scalar) -> Scalar {
    switch self {
    case .second: { $1 }
    case .add: { $0 &+ $1 }
    case .multiply: { $0 &* $1 }
    case .maximum: { max($0, $1) }
    case .minimum: { min($0, $1) }
    case .and: { $0 != 0 && $1 != 0 ? 1 : 0 }
    case .or: { $0 != 0 || $1 != 0 ? 1 : 0 }
    }
  }

  fileprivate func function<Scalar: Element & BinaryFloatingPoint>(
    _: Scalar.Type, _ takesUnordered: Bool
  ) -> @Sendable (Scalar, Scalar) -> Scalar {
    switch self {
    case .second: { $1 }
    case .add: { $0 + $1 }
    case .multiply: { $0 * $1 }
    case .maximum where takesUnordered: { $0 >= $1 ? $0 : $1 }
    case .maximum: { $0 < $1 ? $1 : $0 }
    case .minimum where takesUnordered: { $0 <= $1 ? $0 : $1 }
    case .minimum: { $1 < $0 ? $1 : $0 }
    case .and: { $0 != 0 && $1 != 0 ? 1 : 0 }
    case .or: { $0 != 0 || $1 != 0 ? 1 : 0 }
    }
  }

  fileprivate var booleanFunction: @Sendable (UInt8, UInt8) -> UInt8 {
    switch self {
    case .second: { $1 }
    case .add, .maximum, .or: { $0 | $1 != 0 ? 1 : 0 }
    case .multiply, .minimum, .and: { $0 != 0 && $1 != 0 ? 1 : 0 }
    }
  }
}
