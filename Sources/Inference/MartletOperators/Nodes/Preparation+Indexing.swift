//===--- Preparation+Indexing.swift - checks of index tensors -------------===//
//
// Shared by operators that read indices from a tensor.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension IndexOutOfRange {
  /// The error of a node for which input `input` contains this index.
  package func error(node: Int, input: Int) -> InferenceError {
    .indexOutOfRange(node: node, operand: .input(input), found: found, limit: limit)
  }
}

extension Preparation {
  /// A function whose kernel throws the first index out of range in input `input`.
  func evaluation(
    withIndicesIn input: Int,
    _ kernel: @escaping @Sendable (borrowing Evaluation) throws(IndexOutOfRange) -> Void
  ) -> Evaluate {
    { [node] e throws(InferenceError) in
      do throws(IndexOutOfRange) { try kernel(e) } catch {
        throw error.error(node: node, input: input)
      }
    }
  }

  /// Throws unless input `index` has `count` elements.
  package func expectCount(_ count: Int, input index: Int) throws(InferenceError) {
    let found = try input(index).shape.elementCount
    guard found == count else {
      throw .elementCount(node: node, operand: .input(index), found: found, expected: count)
    }
  }

  /// Returns a handle to input `index`; throws unless it has type `Scalar` and `count` elements.
  package func input<Scalar: Element>(
    _ index: Int, as type: Scalar.Type, count: Int
  ) throws(InferenceError) -> Operand<Scalar> {
    let operand = try input(index, as: type)
    try expectCount(count, input: index)
    return operand
  }

  /// Throws unless input `index` has one of these types.
  package func expectType(_ types: [ElementType], input index: Int) throws(InferenceError) {
    let info = try input(index)
    guard types.contains(info.type) else {
      throw .unsupportedType(node: node, operand: .input(index), found: info.declaredType)
    }
  }
}
