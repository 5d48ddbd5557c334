//===--- Registration.swift - operator registration -----------------------===//
//
// An operator has a name, a range of versions, and a function that prepares a node. The function
// checks the node's tensors and options, sets the outputs' shapes, requests scratch memory,
// computes what can be computed beforehand, and returns the function to run. Builtin and
// user-defined operators are registered in the same way; builtin ones also state what graph
// rewrites, strings and the work limit need to know (OperatorTraits.swift).
//===----------------------------------------------------------------------===//

public import MartletModel

/// An operator implementation.
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
  /// The operator that it implements.
  public let code: OperatorCode
  /// The operator versions that `prepare` supports.
  public let versions: ClosedRange<Int>
  package let traits: OperatorTraits
  package let prepare: @Sendable (inout Preparation) throws(InferenceError) -> Evaluate

  /// Creates an operator for the given versions.
  ///
  /// `prepare` may allocate and throw. It is called for each node of this operator before the graph
  /// runs, again when an input is resized, and during a run if it requires values that were not
  /// known before. The returned function runs once per run of the graph. It should neither allocate
  /// nor depend on the number of workers, and throws only for the values of its tensors.
  public init(
    _ code: OperatorCode, versions: ClosedRange<Int>,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.init(code, versions: versions, traits: .plain, prepare: prepare)
  }

  /// Creates an operator of this package that is not in the schema.
  package init(
    _ code: OperatorCode, versions: ClosedRange<Int>, traits: OperatorTraits,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.code = code
    self.versions = versions
    self.traits = traits
    self.prepare = prepare
  }

  /// Creates a builtin operator.
  package init(
    _ builtin: BuiltinOperator, versions: ClosedRange<Int>,
    traits: OperatorTraits = .plain,
    prepare: @escaping @Sendable (inout Preparation) throws(InferenceError) -> Evaluate
  ) {
    self.init(.builtin(builtin), versions: versions, traits: traits, prepare: prepare)
  }
}
