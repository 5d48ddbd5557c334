//===--- LayerRunner.swift - comparing node by node -----------------------===//
//
// Runs a model and compares every result with the expected one as soon as its node has run.
//
// Contract  Integers must agree, except for the rounding of the expected statistics. Floats must
//           agree within 0.005 of the largest magnitude of the expected tensor, which is more than
//           a kernel's rounding error. A tensor that a rewrite removes (the sum before a fused
//           clamp, the padded image) is not compared. The result of the merged node is, and both
//           operators are named.
//===----------------------------------------------------------------------===//

import MartletInference

/// A node's result that differs from the expected one.
struct LayerMismatch: Equatable, CustomStringConvertible {
  /// The operator's index and name, and the name of an operator merged with it.
  let node: Int
  let names: [String]
  let tensor: Int
  /// The statistic or element that differs.
  let number: String
  let found: Double
  let expected: Double

  var description: String {
    "operator \(node) \(names.joined(separator: " with ")), tensor \(tensor): "
      + "\(number) is \(found), expected \(expected), \(abs(found - expected)) apart"
  }
}

/// The result of comparing a model's nodes.
struct LayerComparison {
  /// The first result that differs, in execution order.
  private(set) var mismatch: LayerMismatch?
  /// The number of compared tensors; rewrites and constant folding remove the others.
  private(set) var compared = 0

  /// Runs `interpreter`, whose inputs are set, and compares its results.
  init(_ interpreter: Interpreter, with manifest: LayerManifest) throws(InferenceError) {
    var rows: [Int: LayerRow] = [:]
    var names: [Int: String] = [:]
    for row in manifest.rows {
      rows[row.tensor] = row
      names[row.node] = row.name
    }
    var (mismatch, compared): (LayerMismatch?, Int) = (nil, 0)
    try unsafe interpreter.invoke(observingResults: { node, tensor, memory in
      guard mismatch == nil, let row = rows[tensor.index] else { return }
      compared += 1
      let own = names[node] ?? row.name
      mismatch = unsafe LayerComparison.mismatch(
        row, node: node, names: row.node == node ? [own] : [own, row.name], tensor, memory)
    })
    self.mismatch = mismatch
    self.compared = compared
  }

  /// The memory belongs to the tensor; the interpreter lends it for the duration of the call.
  private static func mismatch(
    _ row: LayerRow, node: Int, names: [String], _ tensor: TensorInfo,
    _ memory: UnsafeRawBufferPointer
  ) -> LayerMismatch? {
    func mismatch(_ number: String, _ found: Double, _ expected: Double) -> LayerMismatch {
      LayerMismatch(
        node: node, names: names, tensor: tensor.index, number: number, found: found,
        expected: expected)
    }
    let bytes = unsafe [UInt8](memory)
    let elements = (0..<tensor.shape.elementCount).map {
      Comparison.element(bytes, $0, tensor.type)
    }
    let count = row.shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
    guard elements.count == count else {
      return mismatch("number of elements", Double(elements.count), Double(count))
    }
    let expected = row.statistics
    let largest = max(abs(expected.least ?? 0), abs(expected.most ?? 0))
    let found = LayerStatistics(
      of: elements, stride: expected.stride, samples: expected.samples.count)
    let isFloat = tensor.type == .float32
    return found.difference(from: expected, tolerance: isFloat ? largest * 5e-3 : 0)
      .map { mismatch($0.name, $0.found, $0.expected) }
  }
}

extension ConformanceRunner {
  /// Compares all nodes of a model with `manifest`, using the inputs of its case.
  func run(_ manifest: LayerManifest, of model: GoldenModel) -> CaseResult {
    result("\(model.file) \(manifest.case) layers") { () throws(CaseFailure) in
      guard manifest.columns == LayerManifest.columns else {
        throw .failed("the columns are not those that are understood")
      }
      guard let test = model.cases.first(where: { $0.id == manifest.case }) else {
        throw .failed("found no case \(manifest.case)")
      }
      let interpreter = try prepared(test, of: model)
      let comparison = try attempt(try LayerComparison(interpreter, with: manifest))
      if let mismatch = comparison.mismatch { throw .failed("\(mismatch)") }
      guard comparison.compared > 0 else { throw .failed("no node was compared") }
      return 0
    }
  }
}
