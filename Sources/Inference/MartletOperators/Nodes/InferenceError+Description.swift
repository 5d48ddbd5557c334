//===--- InferenceError+Description.swift - error messages ----------------===//

import MartletModel

extension OperandPlace: CustomStringConvertible {
  /// For example `input 0` or `output 1`.
  public var description: String {
    switch self {
    case .input(let index): "input \(index)"
    case .output(let index): "output \(index)"
    }
  }
}

extension InferenceError {
  /// Advice for a model that is compiled for an accelerator, whose code is in an operator of this
  /// name; `nil` for other operators.
  package static func advice(forAcceleratorOperator name: String) -> String? {
    let (accelerator, compiler): (String, String)
    switch name {
    case "edgetpu-custom-op": (accelerator, compiler) = ("a Coral accelerator", "edgetpu_compiler")
    case "ethos-u": (accelerator, compiler) = ("an Ethos-U", "Vela")
    case "NeutronGraph": (accelerator, compiler) = ("a Neutron NPU of NXP", "the Neutron converter")
    default: return nil
    }
    return "the model is compiled for \(accelerator); use the file before \(compiler)"
  }

  /// Advice for a model with an unsupported operator; `nil` if the schema defines the operator.
  package static func advice(forOperator name: String) -> String? {
    if let advice = advice(forAcceleratorOperator: name) { return advice }
    if name.hasPrefix("Flex") {
      return "\(name) is a TensorFlow operator; convert the model without SELECT_TF_OPS"
    }
    if BuiltinOperator.allCases.contains(where: { $0.description == name }) { return nil }
    return """
      custom operators are part of the program that made the model: convert it without them, or add them to \
      Interpreter.Options.operators
      """
  }
}

extension InferenceError: CustomStringConvertible {
  /// The error in one line: the operator or tensor, what was found, and what was expected.
  public var description: String {
    switch self {
    case .unsupportedOperator(let node, let name, let version):
      "operator \(node): unsupported operator \(name) of version \(version)"
        + (InferenceError.advice(forOperator: name).map { "; \($0)" } ?? "")
    case .unsupportedType(let node, let operand, let found):
      "operator \(node): \(operand) is \(found), which is not supported"
    case .operandCount(let node, let found, let expected):
      "operator \(node): found \(found) tensors, expected \(InferenceError.words(expected))"
    case .missingOperand(let node, let operand):
      "operator \(node): \(operand) is missing"
    case .type(let node, let operand, let found, let expected):
      "operator \(node): \(operand) is \(found), expected \(expected)"
    case .rank(let node, let operand, let found, let expected):
      "operator \(node): \(operand) has \(found) axes, expected \(InferenceError.words(expected))"
    case .extent(let node, let operand, let axis, let found, let expected):
      "operator \(node): \(operand) has \(found) elements along axis \(axis), expected \(expected)"
    case .elementCount(let node, let operand, let found, let expected):
      "operator \(node): \(operand) has \(found) elements, expected \(expected)"
    case .computation(let node, let subgraph):
      "operator \(node): subgraph \(subgraph) is not a supported computation; it must pass on its second "
        + "input, or add, multiply or compare its two inputs by one operator"
    case .options(let node):
      "operator \(node): its options are missing or those of another operator"
    case .option(let node, let name, let value):
      "operator \(node): invalid \(name) \(value)"
    case .quantization(let node, let operand):
      "operator \(node): the quantization of \(operand) is missing or not supported"
    case .zeroPoint(let node, let operand, let found, let expected):
      "operator \(node): the zero point of \(operand) is \(found), "
        + "expected \(InferenceError.words(expected))"
    case .notVariable(let node, let operand):
      "operator \(node): \(operand) must be a variable tensor"
    case .valueNotKnown(let node, let operand):
      "operator \(node): the elements of \(operand) are not known before the run"
    case .indexOutOfRange(let node, let operand, let found, let limit):
      "operator \(node): \(operand) holds the index \(found), the limit is \(limit)"
    case .divisionByZero(let node, let operand):
      "operator \(node): division by zero: \(operand) holds a zero"
    case .tooLarge(let node, let bytes, let limit):
      "operator \(node): \(InferenceError.amount(bytes, of: "bytes")) are needed, "
        + "the limit is \(limit)"
    case .readBeforeWritten(let node, let tensor):
      "operator \(node) reads tensor \(tensor) before any operator writes it"
    case .writtenTwice(let node, let tensor):
      "operator \(node) writes tensor \(tensor), which is already written"
    case .noSuchSubgraph(let index, let count):
      "the model has no subgraph \(index), only \(count) subgraphs"
    case .noSuchTensor(let index, let count):
      "the model has no tensor \(index), only \(count) tensors"
    case .byteCount(let index, let found, let expected):
      "tensor \(index): found \(found) bytes, expected \(expected)"
    case .outputNeverWritten(let tensor):
      "output tensor \(tensor) is never written"
    case .invalidShape(let index, let found):
      "invalid shape \(found) for input \(index)"
    case .recursion(let node, let caller, let callee):
      "operator \(node) of subgraph \(caller) calls subgraph \(callee), which calls it"
    case .nesting(let node, let depth, let limit):
      "operator \(node): subgraphs call each other \(depth) deep, the limit is \(limit)"
    case .nestedNodes(let node, let limit):
      "operator \(node): all calls of subgraphs have more than \(limit) operators together"
    case .tooMuchWork(let node, let work, let limit):
      "operator \(node): a run up to here takes \(InferenceError.amount(work, of: "units of work")), "
        + "the limit is \(limit)"
    case .cancelled(let node):
      "operator \(node): the run was cancelled"
    case .deadlineExceeded(let node):
      "operator \(node): the time limit has passed; raise it, or use a smaller model"
    case .loopLimit(let node, let limit):
      "operator \(node): the loops have reached the limit of \(limit) iterations"
    case .resource(let node, let operand):
      "operator \(node): \(operand) is not known to be a variable or a table"
    case .unassignedVariable(let node, let name):
      "operator \(node): the variable \(name) is read before it is assigned"
    case .variable(let node, let name, let found, let expected):
      "operator \(node): the variable \(name) holds \(found), expected \(expected)"
    case .emptyTable(let node, let table):
      "operator \(node): hash table \(table) is searched before it is filled"
    case .strings(let node, let operand, let found, let expected):
      "operator \(node): \(operand) holds \(found) valid strings, expected \(expected)"
    case .noSuchSignature(let name):
      "the model has no signature \(name)"
    case .noSuchName(let name):
      "the model has no input or output \(name)"
    case .inSubgraph(let index, let error):
      "subgraph \(index): \(error.description)"
    }
  }

  private static func amount(_ count: Int, of unit: String) -> String {
    count == .max ? "more \(unit) than can be counted" : "\(count) \(unit)"
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
      ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
