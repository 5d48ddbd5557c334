//===--- Allocations.swift - count of allocations -------------------------===//
//
// The C library's tracer writes a line per allocation in a process with its debugging library
// loaded, so the benchmark starts itself a second time. Unlike times, counts are exact and
// reproducible.
//
// Contract  Counting needs the tracer: the GNU C library with its debugging library installed.
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import MartletCommandLine
  import MartletCLibrary

  @_silgen_name("mtrace") private func startTracing()
  @_silgen_name("muntrace") private func stopTracing()

  struct Allocations {
    /// The path to which the second process writes its counts.
    private static let resultVariable = "MARTLET_BENCH_ALLOCATIONS"
    private static let traceVariable = "MALLOC_TRACE"

    /// Whether this is the second process, which counts.
    static var isCounting: Bool { variable(resultVariable) != nil }

    /// Counts the allocations of one run of each benchmark, after two other runs, and writes them
    /// to the result file.
    static func count(_ benchmarks: [Benchmark]) {
      guard let result = variable(resultVariable) else { return }
      var lines = ""
      for benchmark in benchmarks {
        var work: Work?
        // Preparation allocates: if the tracer counts nothing, it is not loaded.
        guard traced({ work = try? benchmark.prepare() }) > 0, let work else { continue }
        do {
          try work.run()
          try work.run()
        } catch { continue }
        lines += "\(traced { try? work.run() }) \(benchmark.name)\n"
      }
      try? Files.write(Array(lines.utf8), to: FilePath(result))
    }

    private static func traced(_ body: () -> Void) -> Int {
      startTracing()
      body()
      stopTracing()
      let trace = variable(traceVariable).flatMap { try? Files.lines(FilePath($0)) } ?? []
      return trace.count { $0.contains(" + 0x") || $0.contains(" > 0x") }
    }

    /// Starts a second process that counts, and returns the counts by benchmark name.
    static func counted() -> [String: Int] {
      let path = "\(variable("TMPDIR") ?? "/tmp")/martlet-bench-\(getpid())"
      let (trace, counts) = (path + ".trace", path + ".counts")
      defer { for file in [trace, counts] { unlink(file) } }
      setenv("LD_PRELOAD", "libc_malloc_debug.so.0", 1)
      setenv(traceVariable, trace, 1)
      setenv(resultVariable, counts, 1)
      defer { for name in ["LD_PRELOAD", traceVariable, resultVariable] { unsetenv(name) } }
      runAgain()
      let lines = (try? Files.lines(FilePath(counts))) ?? []
      let pairs = lines.compactMap { line -> (String, Int)? in
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]) else { return nil }
        return (String(parts[1]), count)
      }
      return Dictionary(pairs) { first, _ in first }
    }

    private static func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }
    }

    /// Runs this program again with the same arguments and the current environment.
    private static func runAgain() {
      var words = CommandLine.arguments.map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var process: pid_t = 0
      guard posix_spawn(&process, "/proc/self/exe", nil, nil, &words, environ) == 0 else {
        return
      }
      waitpid(process, nil, 0)
    }
  }
#else
  struct Allocations {
    static var isCounting: Bool { false }
    static func count(_ benchmarks: [Benchmark]) {}
    static func counted() -> [String: Int] { [:] }
  }
#endif
