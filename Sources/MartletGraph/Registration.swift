//===--- Registration.swift - an operator by name, version and job --------===//
//
// An operator is a name, the versions it serves, and a function that prepares a node: it checks the
// node's tensors and options, states the outputs' shapes, asks for scratch memory, works out all
// that can be known beforehand, and returns what runs. The package's own operators and those of its
// users are made the same way.
//
// Checked   Tests/MartletInferenceTests/InterpreterTests.swift,
//           Tests/MartletOperatorTests/OwnOperatorTests.swift
//===----------------------------------------------------------------------===//

public import MartletModel

/// An operator, ready to be looked up.
///
/// ```swift
/// let scale = Registration(.custom("Scale"), versions: 1...1) { p throws(InferenceError) in
///   try p.expect(inputs: 1...1)
///   guard let factor = try p.customOptions()["factor"]?.floatValue else {
///     throw .options(node: p.node)
///   }
///   let x = try p.input(0, as: Float.self)
///   let y = try p.output(0, as: Float.self, shape: x.shape)
///   return { e in
///     for i in 0..<x.count { e[y][i] = factor * e[x][i] }
///   }
/// }
/// let options = Interpreter.Options(operators: [scale])
/// ```
public struct Registration: Sendable {
  /// Which operator it is.
  public let code: OperatorCode
  /// The operator versions that `prepare` understands.
  public let versions: ClosedRange<Int>
  package let prepare: @Sendable (inout Preparation) throws(InferenceError) -> Evaluate

  /// An operator that serves the given versions.
  ///
  /// `prepare` may allocate and throw. It is called for each node of this operator before the graph
  /// runs, again when an input is resized, and in mid-run where it asked for values that were not
  /// known before. What it returns runs each time that the graph does, and should neither allocate
  /// nor depend on the number of workers; it throws only for the values of its tensors.
  public init(
    _ code: OperatorCode, versions: ClosedRange<Int>,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.code = code
    self.versions = versions
    self.prepare = prepare
  }

  /// A builtin operator.
  package init(
    _ builtin: BuiltinOperator, versions: ClosedRange<Int>,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.init(.builtin(builtin), versions: versions, prepare: prepare)
  }
}
