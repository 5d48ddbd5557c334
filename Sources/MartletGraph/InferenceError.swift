//===--- InferenceError.swift - errors of preparing and running -----------===//
//
// Checked   by every suite of Tests/MartletInferenceTests
//===----------------------------------------------------------------------===//

@_exported public import enum MartletRuntime.Interruption
@_exported public import MartletTensor

/// One of a node's tensors, by its place in the operator's list.
public enum OperandPlace: Sendable, Hashable {
  /// A tensor that the operator reads.
  case input(Int)
  /// A tensor that the operator writes.
  case output(Int)
}

/// Why a model could not be prepared or run.
///
/// `node` is the operator's index in its subgraph. Each case carries what was found and what was
/// needed.
public enum InferenceError: Error, Equatable, Sendable {
  /// No registered operator has this name at this version.
  case unsupportedOperator(node: Int, name: String, version: Int)
  /// The operator is there, but not for tensors of this type.
  case unsupportedType(node: Int, operand: OperandPlace, found: ElementType)
  /// The operator has too few or too many tensors.
  case operandCount(node: Int, found: Int, expected: ClosedRange<Int>)
  /// An input that the operator needs is absent.
  case missingOperand(node: Int, operand: OperandPlace)
  /// A tensor's element type is not the one that the others ask for.
  case type(node: Int, operand: OperandPlace, found: ElementType, expected: ElementType)
  /// A tensor has the wrong number of axes.
  case rank(node: Int, operand: OperandPlace, found: Int, expected: ClosedRange<Int>)
  /// A tensor's extent along an axis does not fit the others.
  case extent(node: Int, operand: OperandPlace, axis: Int, found: Int, expected: Int)
  /// A tensor's number of elements does not fit the others.
  case elementCount(node: Int, operand: OperandPlace, found: Int, expected: Int)
  /// The operator's option table is missing or belongs to another operator.
  case options(node: Int)
  /// An option or a shape-giving input has a value that means nothing.
  case option(node: Int, name: String, value: Int)
  /// A quantized tensor has no scale, or one of a kind that the operator cannot take.
  case quantization(node: Int, operand: OperandPlace)
  /// A zero point that the tensor's type or the operator does not allow.
  case zeroPoint(node: Int, operand: OperandPlace, found: Int, expected: ClosedRange<Int>)
  /// An input that the operator writes is no variable tensor.
  case notVariable(node: Int, operand: OperandPlace)
  /// The value of an input decides a shape and is known only when the graph runs.
  case valueNotKnown(node: Int, operand: OperandPlace)
  /// An element of an index tensor is out of range.
  case indexOutOfRange(node: Int, operand: OperandPlace, found: Int, limit: Int)
  /// An integer operand to divide by is zero.
  case divisionByZero(node: Int, operand: OperandPlace)
  /// A size overflows, or passes the limit.
  case tooLarge(node: Int, bytes: Int, limit: Int)
  /// A node reads a tensor before any node has written it.
  case readBeforeWritten(node: Int, tensor: Int)
  /// Two nodes write one tensor, or a node writes a constant or an input.
  case writtenTwice(node: Int, tensor: Int)
  /// The model has no subgraph of this index.
  case noSuchSubgraph(index: Int, count: Int)
  /// The model has no input or output of this index.
  case noSuchTensor(index: Int, count: Int)
  /// The bytes given for an input, or taken from an output, are not as many as the tensor holds.
  case byteCount(index: Int, found: Int, expected: Int)
  /// A subgraph's output that no node writes.
  case outputNeverWritten(tensor: Int)
  /// An extent asked for in resizing an input is not possible.
  case invalidShape(index: Int, found: [Int])
  /// A node of subgraph `caller` calls subgraph `callee`, which is `caller` itself or one of those
  /// that call it.
  case recursion(node: Int, caller: Int, callee: Int)
  /// Subgraphs call each other more deeply than the limit.
  case nesting(node: Int, depth: Int, limit: Int)
  /// The subgraphs that a model calls, each counted as often as it is called, have more nodes than
  /// the limit.
  case nestedNodes(node: Int, limit: Int)
  /// The loops of one run have made as many iterations as `Interpreter.Options.loopLimit` allows.
  case loopLimit(node: Int, limit: Int)
  /// With this node, one run takes more work than `Interpreter.Options.workLimit` allows.
  case tooMuchWork(node: Int, work: Int, limit: Int)
  /// The run was cancelled while it was at this node, or before it.
  case cancelled(node: Int)
  /// Preparing the model, or one run, took longer than its time limit, and was at this node.
  case deadlineExceeded(node: Int)
  /// A tensor of type resource that no VAR_HANDLE, or for a hash table no HASHTABLE, made.
  case resource(node: Int, operand: OperandPlace)
  /// A variable is read before it is assigned.
  case unassignedVariable(node: Int, name: String)
  /// A variable holds elements of another type or shape than the graph was prepared for.
  case variable(node: Int, name: String, found: Shape, expected: Shape)
  /// A hash table is searched before anything was imported into it.
  case emptyTable(node: Int, table: Int)
  /// The bytes of a tensor of strings do not hold as many strings as its shape says, or their
  /// places lie outside of them.
  case strings(node: Int, operand: OperandPlace, found: Int, expected: Int)
  /// The model has no signature of this name.
  case noSuchSignature(name: String)
  /// The model or signature has no input or output of this name.
  case noSuchName(String)
  /// What went wrong in a subgraph that others call: nodes are those of that subgraph.
  indirect case inSubgraph(index: Int, InferenceError)
}

extension InferenceError {
  /// The error of work that was interrupted at a node.
  package init(_ interruption: Interruption, node: Int) {
    self =
      switch interruption {
      case .cancelled: .cancelled(node: node)
      case .deadlineExceeded: .deadlineExceeded(node: node)
      }
  }

  /// What went wrong, without the subgraph where it did.
  public var innermost: InferenceError {
    if case .inSubgraph(_, let error) = self { return error.innermost }
    return self
  }
}
