//===--- ModelStarts.swift - from a file to the first result --------------===//
//
// Opens each network of a folder, prepares it and runs it once on zeros, several times in one
// process. The first start also loads the program's code; the table has the first and the median of
// the others.
//
// Contract  Times are processor time, in milliseconds. Files are mapped, as in the tool. Each start
//           releases its interpreter and its mapping before the next one begins.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel

struct ModelStarts {
  /// Milliseconds of one start.
  private struct Start {
    let open: Double
    let prepare: Double
    let run: Double
    var total: Double { open + prepare + run }
  }

  private let paths: [FilePath]
  private let workers: Workers

  init(in folder: FilePath, workers: Workers, isSelected: (String) -> Bool) throws(FileError) {
    paths = try Files.list(folder).filter { $0.hasSuffix(".tflite") && isSelected("\($0)") }
      .map { folder / $0 }
    self.workers = workers
  }

  /// Starts each network `count` times and once before, and prints a table.
  func report(count: Int) throws {
    var table = TextTable([
      ("network", .left), ("first ms", .right), ("median ms", .right), ("open", .right),
      ("prepare", .right), ("run", .right), ("file KiB", .right), ("packed KiB", .right),
      ("other KiB", .right),
    ])
    for path in paths {
      var memory: MemoryUse?
      let first = try start(path, &memory)
      let starts = try (0..<count).map { _ in try start(path, &memory) }
        .sorted { $0.total < $1.total }
      let median = starts[count / 2]
      guard let memory else { continue }
      let kibibytes = { (bytes: Int) in String((bytes + 1023) / 1024) }
      table.add(
        "\(path.stem)",
        milliseconds(first.total), milliseconds(median.total), milliseconds(median.open),
        milliseconds(median.prepare), milliseconds(median.run), kibibytes(memory.file),
        kibibytes(memory.packed),
        kibibytes(memory.copied + memory.folded + memory.arena + memory.variables))
    }
    Streams.out("\(table)\npeak memory \(Machine.peakByteCount >> 20) MiB\n")
  }

  private func start(_ path: FilePath, _ memory: inout MemoryUse?) throws -> Start {
    let begin = Machine.processorTime
    let model = try Model(Files.model(path))
    let opened = Machine.processorTime
    let interpreter = try Interpreter(model: model, options: .init(workers: workers))
    let prepared = Machine.processorTime
    try interpreter.invoke()
    let end = Machine.processorTime
    memory = interpreter.memory
    return Start(open: opened - begin, prepare: prepared - opened, run: end - prepared)
  }

  private func milliseconds(_ value: Double) -> String { JSON.decimal(value, places: 3) ?? "" }
}
