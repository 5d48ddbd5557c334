//===--- LayerRunner.swift - the first node that differs ------------------===//
//
// Runs a model and compares every result, as soon as its node has run, with what the oracle says.
//
// Contract  Integers must agree but for the oracle's rounding of its statistics; floats within five
//           thousandths of the largest magnitude of the oracle's tensor, beyond which a kernel's
//           rounding does not reach. A tensor that a rewrite does away with (the sum before a fused
//           clamp, the padded image) is not looked at: the result of the node that took its
//           operator in is, and both are named.
// Checked   Tests/MartletToolTests/LayerRunnerTests.swift
//===----------------------------------------------------------------------===//

import MartletInference

/// A node's result that is not what it should be.
struct LayerMismatch: Equatable, CustomStringConvertible {
  /// The operator's index, its name, and the name of one that was merged with it.
  let node: Int
  let names: [String]
  let tensor: Int
  /// Which number differs.
  let number: String
  let found: Double
  let expected: Double

  var description: String {
    "operator \(node) \(names.joined(separator: " with ")), tensor \(tensor): "
      + "\(number) is \(found), expected \(expected), \(abs(found - expected)) apart"
  }
}

/// What came of comparing a model's nodes.
struct LayerComparison {
  /// The first result that differs, in running order.
  private(set) var mismatch: LayerMismatch?
  /// How many tensors were compared; rewrites and folding do away with the others.
  private(set) var compared = 0

  /// Runs `interpreter`, whose inputs are set, and compares.
  init(_ interpreter: Interpreter, with manifest: LayerManifest) throws(InferenceError) {
    var rows: [Int: LayerRow] = [:]
    var names: [Int: String] = [:]
    for row in manifest.rows {
      rows[row.tensor] = row
      names[row.node] = row.name
    }
    var (mismatch, compared): (LayerMismatch?, Int) = (nil, 0)
    try unsafe interpreter.invoke(lookingAtResults: { node, tensor, memory in
      guard mismatch == nil, let row = rows[tensor.index] else { return }
      compared += 1
      let own = names[node] ?? row.name
      mismatch = unsafe LayerComparison.mismatch(
        row, node: node, names: row.node == node ? [own] : [own, row.name], tensor, memory)
    })
    self.mismatch = mismatch
    self.compared = compared
  }

  /// The memory is the tensor's, which the interpreter lends for the length of the call.
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
  /// Compares all nodes of a model with those of `manifest`, on the inputs of the case that it names.
  func run(_ manifest: LayerManifest, of model: GoldenModel) -> CaseResult {
    result("\(model.file) \(manifest.case) layers") { () throws(CaseFailure) in
      guard manifest.columns == LayerManifest.columns else {
        throw .failed("the columns are not those that are understood")
      }
      guard let test = model.cases.first(where: { $0.id == manifest.case }) else {
        throw .failed("there is no case \(manifest.case)")
      }
      let interpreter = try prepared(test, of: model)
      let comparison = try attempt(try LayerComparison(interpreter, with: manifest))
      if let mismatch = comparison.mismatch { throw .failed("\(mismatch)") }
      guard comparison.compared > 0 else { throw .failed("no node was compared") }
      return 0
    }
  }
}
