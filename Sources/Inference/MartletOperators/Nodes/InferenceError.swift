//===--- InferenceError.swift - errors of preparing and running -----------===//

@_exported public import MartletBase

/// One of a node's tensors, by its place in the operator's list.
@nonexhaustive
public enum OperandPlace: Sendable, Hashable {
  /// A tensor that the operator reads.
  case input(Int)
  /// A tensor that the operator writes.
  case output(Int)
}

/// Why a model could not be prepared or run.
///
/// `node` is the operator's index in its subgraph. Each case has the found and the needed values.
@nonexhaustive
public enum InferenceError: Error, Equatable, Sendable {
  /// No registered operator has this name at this version.
  case unsupportedOperator(node: Int, name: String, version: Int)
  /// The operator does not support tensors of this type.
  case unsupportedType(node: Int, operand: OperandPlace, found: ElementType)
  /// The operator has too few or too many tensors.
  case operandCount(node: Int, found: Int, expected: ClosedRange<Int>)
  /// A required input is absent.
  case missingOperand(node: Int, operand: OperandPlace)
  /// The element type of a tensor does not fit the others.
  case type(node: Int, operand: OperandPlace, found: ElementType, expected: ElementType)
  /// A tensor has the wrong number of axes.
  case rank(node: Int, operand: OperandPlace, found: Int, expected: ClosedRange<Int>)
  /// The extent of a tensor along an axis does not fit the others.
  case extent(node: Int, operand: OperandPlace, axis: Int, found: Int, expected: Int)
  /// The number of elements of a tensor does not fit the others.
  case elementCount(node: Int, operand: OperandPlace, found: Int, expected: Int)
  /// The operators of a subgraph are not a computation of two elements that the node supports.
  case computation(node: Int, subgraph: Int)
  /// The operator's option table is missing or belongs to another operator.
  case options(node: Int)
  /// An option, or an input that defines a shape, has an invalid value.
  case option(node: Int, name: String, value: Int)
  /// A quantized tensor has no scale, or a kind of quantization that the operator does not support.
  case quantization(node: Int, operand: OperandPlace)
  /// A zero point that the tensor's type or the operator does not allow.
  case zeroPoint(node: Int, operand: OperandPlace, found: Int, expected: ClosedRange<Int>)
  /// An input that the operator writes is not a variable tensor.
  case notVariable(node: Int, operand: OperandPlace)
  /// The value of an input defines a shape and is known only when the graph runs.
  case valueNotKnown(node: Int, operand: OperandPlace)
  /// An element of an index tensor is out of range.
  case indexOutOfRange(node: Int, operand: OperandPlace, found: Int, limit: Int)
  /// An integer divisor is zero.
  case divisionByZero(node: Int, operand: OperandPlace)
  /// A size exceeds the limit; `bytes` is `Int.max` if it overflows.
  case tooLarge(node: Int, bytes: Int, limit: Int)
  /// A node reads a tensor before any node has written it.
  case readBeforeWritten(node: Int, tensor: Int)
  /// Two nodes write one tensor, or a node writes a constant or an input.
  case writtenTwice(node: Int, tensor: Int)
  /// The model has no subgraph with this index.
  case noSuchSubgraph(index: Int, count: Int)
  /// The model has no input or output with this index.
  case noSuchTensor(index: Int, count: Int)
  /// The number of bytes of an input or output differs from the tensor's.
  case byteCount(index: Int, found: Int, expected: Int)
  /// No node writes an output of the subgraph.
  case outputNeverWritten(tensor: Int)
  /// The requested extents of an input are not possible.
  case invalidShape(index: Int, found: [Int])
  /// A node of subgraph `caller` calls subgraph `callee`, which is `caller` itself or calls it.
  case recursion(node: Int, caller: Int, callee: Int)
  /// Subgraphs call each other more deeply than the limit.
  case nesting(node: Int, depth: Int, limit: Int)
  /// The called subgraphs, counted for each call, have more nodes than the limit.
  case nestedNodes(node: Int, limit: Int)
  /// The loops of one run reach the limit `Interpreter.Options.loopLimit`.
  case loopLimit(node: Int, limit: Int)
  /// A run up to this node takes more work than `Interpreter.Options.workLimit`; `work` is `Int.max`
  /// if it overflows.
  case tooMuchWork(node: Int, work: Int, limit: Int)
  /// The run was cancelled at or before this node.
  case cancelled(node: Int)
  /// Preparation, or a run, exceeded its time limit at this node.
  case deadlineExceeded(node: Int)
  /// A resource that no VAR_HANDLE or HASHTABLE created.
  case resource(node: Int, operand: OperandPlace)
  /// A variable is read before it is assigned.
  case unassignedVariable(node: Int, name: String)
  /// A variable holds elements of another type or shape than the graph was prepared for.
  case variable(node: Int, name: String, found: Shape, expected: Shape)
  /// A hash table is searched before anything was imported into it.
  case emptyTable(node: Int, table: Int)
  /// The bytes of a tensor of strings hold fewer strings than its shape says, or strings outside the tensor.
  case strings(node: Int, operand: OperandPlace, found: Int, expected: Int)
  /// The model has no signature with this name.
  case noSuchSignature(name: String)
  /// The model or signature has no input or output with this name.
  case noSuchName(String)
  /// An error in a called subgraph; nodes are those of that subgraph.
  indirect case inSubgraph(index: Int, InferenceError)
}

extension InferenceError {
  /// The error of interrupted work at a node.
  package init(_ interruption: Interruption, node: Int) {
    self =
      switch interruption {
      case .cancelled: .cancelled(node: node)
      case .deadlineExceeded: .deadlineExceeded(node: node)
      }
  }

  /// The error without the subgraph in which it occurred.
  public var innermost: InferenceError {
    if case .inSubgraph(_, let error) = self { return error.innermost }
    return self
  }
}
