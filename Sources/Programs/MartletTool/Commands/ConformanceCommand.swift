//===--- ConformanceCommand.swift - martlet conformance -------------------===//
//
// Prints a line for each failed case and ends with `N passed, N failed, N skipped`. Scripts rely on
// this format.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference

struct ConformanceCommand: Command {
  static let specification = CommandSpecification(
    name: "conformance",
    summary: "Compares operators and models with the outputs of LiteRT.",
    operands: "FOLDER...", operandCount: 1...Int.max,
    options: [
      OptionSpecification("--models", "DIR", help: "Folder with the models of golden cases"),
      OptionSpecification("--kernels", "fast|reference", help: "Kernels to use (default: fast)"),
      OptionSpecification(
        "--layers", help: "Compare node by node; print the first difference in each model"),
      OptionSpecification("--exact", help: "Require integers to be equal bit for bit"),
      OptionSpecification(
        "--filter", "WORD", help: "Run only cases whose name or operator contains WORD"),
      OptionSpecification("--json", "FILE", help: "Write all results to FILE as JSON"),
    ])

  let folders: [FilePath]
  let models: FilePath?
  let filter: String?
  let json: FilePath?
  let isExact: Bool
  let isByLayer: Bool
  let options: Interpreter.Options

  init(_ arguments: Arguments) throws(UsageError) {
    folders = arguments.operands
    models = arguments.path("--models")
    filter = arguments["--filter"]?.lowercased()
    json = arguments.path("--json")
    isExact = arguments.has("--exact")
    isByLayer = arguments.has("--layers")
    options = try arguments.interpreterOptions()
  }

  func run() -> Int32 {
    var results: [CaseResult] = []
    var status: Int32 = 0
    for folder in folders {
      do {
        let manifest = try ConformanceManifest(json: Files.read(folder / "manifest.json"))
        results += try run(manifest, in: folder)
      } catch {
        Streams.failure(folder, error)
        status = 1
      }
    }
    let failed = results.count { if case .failed = $0.outcome { true } else { false } }
    if let json { status = max(status, write(results, to: json)) }
    report(results, failed: failed)
    return failed > 0 ? 1 : status
  }

  private func run(
    _ manifest: ConformanceManifest, in folder: FilePath
  ) throws -> [CaseResult] {
    let runner = ConformanceRunner(
      folder: folder, models: models ?? folder, options: options, isExact: isExact)
    var work: [(name: String, run: () -> CaseResult)] = []
    for model in isByLayer ? manifest.models ?? [] : [] {
      let name = model.file.split(separator: ".").dropLast().joined(separator: ".")
      let path = folder / "layers" / (name + ".json")
      guard Files.kind(path) != nil else { continue }
      let layers = try LayerManifest(json: Files.read(path))
      work.append((model.file, { runner.run(layers, of: model) }))
    }
    for test in isByLayer ? [] : manifest.cases ?? [] {
      work.append(("\(test.id) \(test.op)", { runner.run(test) }))
    }
    for model in isByLayer ? [] : manifest.models ?? [] {
      for test in model.cases {
        work.append(("\(model.file) \(test.id)", { runner.run(test, of: model) }))
      }
    }
    for test in isByLayer ? [] : manifest.files ?? [] {
      work.append((test.file, { runner.run(test) }))
    }
    if let filter { work.removeAll { !$0.name.lowercased().holds(filter) } }
    var bar = ProgressBar(total: work.count)
    var results: [CaseResult] = []
    for (index, item) in work.enumerated() {
      bar.show(index)
      results.append(item.run())
    }
    bar.finish()
    return results
  }

  private func report(_ results: [CaseResult], failed: Int) {
    var skipped: [String: Int] = [:]
    for result in results {
      switch result.outcome {
      case .failed(let reason): Streams.show("FAILED \(result.id): \(reason)")
      case .skipped(let reason): skipped[reason, default: 0] += 1
      case .passed: break
      }
    }
    for (reason, count) in skipped.sorted(by: { $0.key < $1.key }) {
      Streams.show("skipped \(count): \(reason)")
    }
    let skippedCount = skipped.values.reduce(0, +)
    let passed = results.count - failed - skippedCount
    Streams.out("\(passed) passed, \(failed) failed, \(skippedCount) skipped")
  }

  private func write(_ results: [CaseResult], to path: FilePath) -> Int32 {
    let lines = results.map { result -> String in
      var members: [(String, JSON)] = [("id", .string(result.id))]
      switch result.outcome {
      case .passed:
        members.append(("outcome", .string("passed")))
        members.append(("largestDifference", .number(result.largest, places: 9)))
      case .failed(let reason):
        members += [("outcome", .string("failed")), ("reason", .string(reason))]
      case .skipped(let reason):
        members += [("outcome", .string("skipped")), ("reason", .string(reason))]
      }
      return JSON.object(members).description
    }
    do throws(FileError) {
      let outputs = Outputs()
      for folder in folders + folders.map({ $0 / "../golden" }) + [models].compactMap(\.self) {
        ConformanceCommand.spareFiles(in: folder, outputs)
      }
      try outputs.write([UInt8]("[\(lines.joined(separator: ",\n"))]\n".utf8), to: path)
      return 0
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }
}

extension ConformanceCommand {
  /// Protects the files in a folder and in those within it.
  private static func spareFiles(in folder: FilePath, _ outputs: Outputs) {
    for name in (try? Files.list(folder)) ?? [] {
      let item = folder / name
      if Files.kindOfItem(item) == .folder {
        spareFiles(in: item, outputs)
      } else {
        outputs.spare(item)
      }
    }
  }
}

extension String {
  /// Whether the text contains `word`. The standard library's own search would link its regular
  /// expression engine.
  fileprivate func holds(_ word: String) -> Bool {
    let (text, word) = (Array(utf8), Array(word.utf8))
    return word.isEmpty || text.indices.contains { text[$0...].starts(with: word) }
  }
}
