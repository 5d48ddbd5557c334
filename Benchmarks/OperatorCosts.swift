//===--- OperatorCosts.swift - time per unit of operator work -------------===//
//
// Compares `Interpreter.Options.workLimit` with the clock. Each model of one operator runs on one
// thread with inputs that are enlarged along one axis, so that the work exceeds the overhead of a
// call.
//
// Contract  Up to four models for each operator and type of its first input, in the order of
//           names. The time is the shortest of a few runs. Models that cannot be enlarged to
//           `leastWork` are left out.
// Cost      About a minute for the operator cases.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel

struct OperatorCosts {
  /// The units of work of an enlarged model, and the nanoseconds that a unit may take: three times
  /// what `workLimit` documents.
  private static let leastWork = 1 << 14
  private static let mostWork = 1 << 24
  private static let limit = 12.0

  private struct Row {
    let name: String
    let work: Int
    let nanoseconds: Double
    var perUnit: Double { nanoseconds / Double(work) }
  }

  private let files: [FilePath]

  init(in folder: FilePath, isSelected: (String) -> Bool) throws(FileError) {
    var files: [FilePath] = []
    for name in try Files.list(folder) {
      let isFolder = Files.kind(folder / name) == .folder
      for file in isFolder ? try Files.list(folder / name).map({ name / $0 }) : [name]
      where file.hasSuffix(".tflite") && isSelected("\(file)") { files.append(folder / file) }
    }
    self.files = files
  }

  /// Measures, and prints a table with the slowest operators first.
  func report() throws {
    var rows: [Row] = []
    var counts: [String: Int] = [:]
    var bar = ProgressBar(total: files.count)
    for (index, file) in files.enumerated() {
      bar.show(index)
      let model = try Model(bytes: Files.read(file))
      for kernels in [KernelSet.fast, .reference] {
        guard let row = try? measure(model, file, kernels, &counts) else { continue }
        rows.append(row)
      }
    }
    bar.finish()
    var table = TextTable([("model and inputs", .left), ("work", .right), ("ns per unit", .right)])
    for row in rows.sorted(by: { $0.perUnit > $1.perUnit }) {
      table.add(row.name, String(row.work), JSON.decimal(row.perUnit, places: 2) ?? "")
    }
    let slow = rows.count { $0.perUnit > OperatorCosts.limit }
    Streams.out(
      "\(table)\n\n\(slow) of \(rows.count) take more than \(Int(OperatorCosts.limit)) ns per unit\n"
    )
  }

  /// Returns `nil` if the model is left out.
  private func measure(
    _ model: Model, _ file: FilePath, _ kernels: KernelSet, _ counts: inout [String: Int]
  ) throws -> Row? {
    let options = Interpreter.Options(kernels: kernels, workLimit: OperatorCosts.mostWork)
    let original = try Interpreter(model: model, options: options)
    guard let node = original.nodeSummaries.first, original.nodeSummaries.count == 1,
      let interpreter = enlarged(model, from: original, options)
    else { return nil }
    let kind = "\(node.name) \(node.type.map { "\($0)" } ?? "") \(kernels)"
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= 4 else { return nil }
    try ModelBenchmarks.fillInputs(of: interpreter)
    var shortest = 1.0
    for _ in 0..<5 {
      let start = MonotonicClock.now
      try interpreter.invoke()
      shortest = min(shortest, MonotonicClock.now - start)
    }
    let inputs = interpreter.inputs.map { $0.shape.description }.joined(separator: " ")
    return Row(
      name: "\(file.name) \(inputs) \(kernels)",
      work: interpreter.work, nanoseconds: shortest * 1e9)
  }

  /// The model with inputs that are longer along one axis: all inputs, or one of them.
  private func enlarged(
    _ model: Model, from original: Interpreter, _ options: Interpreter.Options
  ) -> Interpreter? {
    let shapes = original.inputs.map { $0.shape.dimensions }
    let axes = 0..<(shapes.map(\.count).max() ?? 0)
    let choices = [Array(shapes.indices)] + shapes.indices.map { [$0] }
    for factor in [4096, 512, 64] {
      for (inputs, axis) in choices.flatMap({ inputs in axes.map { (inputs, $0) } }) {
        guard let interpreter = try? Interpreter(model: model, options: options) else { continue }
        do {
          for input in inputs where axis < shapes[input].count {
            var extents = shapes[input]
            extents[axis] *= factor
            try interpreter.resizeInput(input, to: extents)
          }
        } catch { continue }
        if interpreter.work >= OperatorCosts.leastWork { return interpreter }
      }
    }
    return original.work >= OperatorCosts.leastWork ? original : nil
  }
}
