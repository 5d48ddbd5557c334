import Foundation
import MartletCommandLine
import MartletInference
import MartletSystem
import MartletTestSupport
import Testing

@testable import MartletTool

/// Every operator case of the fixtures on every kernel set, at 1, 2 and 4 workers: integers equal
/// the oracle bit for bit, floats within the case's tolerance.
@Suite struct ConformanceTests {
  static let operators: [String] = Fixtures.files(in: "Operators", withExtension: "tar")
    .map { $0.deletingPathExtension().lastPathComponent }

  /// Calls `body` with the cases of an operator and the folder with their unpacked files.
  func withCases(
    of name: String, _ body: (_ cases: [OperatorCase], _ folder: URL) throws -> Void
  ) throws {
    let file = Fixtures.folder("Operators/\(name).tar")
    try TarArchive(try Fixtures.bytes(of: file)).unpacked { folder in
      let list = folder.appending(path: "manifest.json")
      let manifest = try ConformanceManifest(json: Files.read(list.path))
      try body(try #require(manifest.cases), folder)
    }
  }

  @Test func hasOperatorCases() {
    #expect(ConformanceTests.operators.count > 30)
  }

  @Test(arguments: operators)
  func matchesReferenceWithAnyKernelsAndWorkers(_ name: String) throws {
    try withCases(of: name) { cases, folder in
      #expect(!cases.isEmpty)
      for kernels in KernelSet.allCases {
        for workers in [1, 2, 4] {
          let runner = ConformanceRunner(
            folder: FilePath(folder.path), models: FilePath(folder.path),
            options: Interpreter.Options(kernels: kernels, workers: .pool(count: workers)),
            isExact: true)
          for test in cases {
            #expect(runner.run(test).outcome == .passed, "\(test.id) \(kernels) \(workers)")
          }
        }
      }
    }
  }

  @Test func wrongOutputFails() throws {
    try withCases(of: try #require(ConformanceTests.operators.first)) { cases, folder in
      let test = try #require(cases.first)
      let output = folder.appending(path: test.model.dropLast("tflite".count) + "out")
      var bytes = try Data(contentsOf: output)
      if let last = bytes.popLast() { bytes.append(last ^ 0x40) }
      try bytes.write(to: output)
      let runner = ConformanceRunner(
        folder: FilePath(folder.path), models: FilePath(folder.path), options: .init())
      guard case .failed = runner.run(test).outcome else {
        Issue.record("a changed output passed")
        return
      }
    }
  }
}
