//===--- Bench.swift - swift run -c release bench -------------------------===//
//
// Contract  Standard output has only the table or the JSON. The exit status is 0 for success, 1 if
//           a file cannot be read or written, 2 for invalid arguments. Times do not affect it.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary
import MartletCommandLine
import MartletSystem

@main
struct Bench {
  static let specification = CommandSpecification(
    name: "bench",
    summary: """
      Measures networks, kernels, codecs and detection: time, share of the machine's peak, memory, \
      allocations.
      """,
    operands: "", operandCount: 0...0,
    options: [
      OptionSpecification(
        "--json", "FILE", help: "also write the results to FILE as JSON; - prints only JSON"
      ),
      OptionSpecification("--filter", "WORD", help: "only benchmarks with WORD in their names"),
      OptionSpecification("--models", "DIR", help: "also measure every network in DIR"),
      OptionSpecification(
        "--operators", "DIR",
        help: "only operators: the time per unit of work of each model of one operator in DIR"),
      OptionSpecification(
        "--images", "DIR", help: "the images to decode and process (default: the tests' scenes)"),
      OptionSpecification(
        "--processor-time", help: "measure processor time, which other programs disturb less"),
      OptionSpecification(
        "--runs", "N",
        help: "only networks: run each N times without a report, for profilers"),
      OptionSpecification(
        "--starts", "N",
        help: "only networks of --models: time N starts, from opening a file to its first result"),
    ])

  private let arguments: Arguments
  private let workers: Workers

  static func main() {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), for: specification)
      if arguments.has("--help") {
        Streams.out(specification.help(invocation: "swift run -c release bench"))
        exit(0)
      }
      if arguments.has("--version") {
        Streams.out("bench \(packageVersion)")
        exit(0)
      }
      exit(try Bench(arguments).run())
    } catch let error as UsageError {
      Streams.err("bench: \(error)")
      exit(2)
    } catch FileError.unreadable(let path, let reason) {
      Streams.err("bench: \(path): \(FileError.unreadable(path: path, reason))")
      exit(1)
    } catch {
      Streams.err("bench: \(error)")
      exit(1)
    }
  }

  private init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    let count = try arguments.integer("--threads", in: 1...1024)
    workers = .pool(count: count ?? Processors.count)
  }

  /// Measures, reports and returns the exit status.
  private func run() throws -> Int32 {
    if let folder = arguments.path("--operators") {
      try OperatorCosts(in: folder, isSelected: isSelected).report()
      return 0
    }
    if let folder = arguments.path("--models"),
      let count = try arguments.integer("--starts", in: 1...1_000_000)
    {
      try ModelStarts(in: folder, workers: workers, isSelected: isSelected).report(count: count)
      return 0
    }
    let networks = try ModelBenchmarks.networks(in: arguments.path("--models"))
      .filter { isSelected($0.name) }
    if let runs = try arguments.integer("--runs", in: 1...1_000_000) {
      for network in networks { try repeatedly(runs, network) }
      return 0
    }
    let benchmarks =
      ModelBenchmarks.all(of: networks, workers: workers) + (try otherBenchmarks())
    let steady = benchmarks.filter { $0.isSteady }
    guard !Allocations.isCounting else {
      Allocations.count(steady)
      return 0
    }
    #if DEBUG
      Streams.err("bench: this is a debug build; measure with `swift run -c release bench`")
    #endif
    if benchmarks.isEmpty, let word = arguments["--filter"] {
      Streams.err("bench: no benchmark has \(word) in its name")
      return 1
    }
    let allocations = steady.isEmpty ? [:] : Allocations.counted()
    var report = Report(machine: Machine(workers: workers))
    let isTablePrinted = arguments["--json"] != "-"
    if isTablePrinted { Streams.out(report.heading + "\n") }
    var bar = ProgressBar(total: benchmarks.count)
    for (index, benchmark) in benchmarks.enumerated() {
      bar.show(index)
      measure(benchmark, allocations: allocations[benchmark.name], into: &report)
    }
    bar.finish()
    if isTablePrinted { Streams.out("\(report)") }
    if let path = arguments.path("--json") {
      try Files.write(Array("\(report.json)\n".utf8), to: path)
    }
    return 0
  }

  private func measure(_ benchmark: Benchmark, allocations: Int?, into report: inout Report) {
    do {
      let work = try benchmark.prepare()
      report.add(
        Outcome(
          name: benchmark.name,
          measurement: try Measurement(
            ofProcessor: arguments.has("--processor-time"), of: work.run),
          unit: work.unit,
          arenaByteCount: work.arenaByteCount, isSteady: benchmark.isSteady,
          allocations: allocations))
    } catch {
      report.add(Skipped(name: benchmark.name, reason: "\(error)"))
    }
  }

  private func repeatedly(_ runs: Int, _ network: ModelBenchmarks.Network) throws {
    let interpreter = try ModelBenchmarks.interpreter(of: network, workers: workers)
    for _ in 0..<runs { try interpreter.invoke() }
  }

  private func otherBenchmarks() throws(FileError) -> [Benchmark] {
    var all = KernelBenchmarks(workers: workers).all + DetectionBenchmarks.all
    let samples = ImageBenchmarks.samples
    if let folder = arguments.path("--images") ?? (Files.kind(samples) == .folder ? samples : nil) {
      all += try ImageBenchmarks(workers: workers).all(in: folder)
    }
    return all.filter { isSelected($0.name) }
  }

  private func isSelected(_ name: String) -> Bool {
    guard let part = arguments["--filter"] else { return true }
    return name.indices.contains { name[$0...].hasPrefix(part) }
  }
}
