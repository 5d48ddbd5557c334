import Foundation
import MartletInference
import MartletTestSupport
import MartletWorkers
import Testing

@testable import MartletTool

/// Every operator case of the fixtures on every kernel set, at 1, 2 and 4 workers: integers equal
/// the oracle bit for bit, floats within the case's tolerance.
@Suite struct ConformanceTests {
  static let folder = Fixtures.folder("Operators")

  static let operators: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

  func manifest(_ name: String) throws -> ConformanceManifest {
    let url = ConformanceTests.folder.appending(path: "\(name)/manifest.json")
    return try JSONDecoder().decode(ConformanceManifest.self, from: Data(contentsOf: url))
  }

  /// Where the cases' paths start: they name the operator's folder, or lie in it.
  func root(_ test: OperatorCase, in name: String) -> String {
    let folder = ConformanceTests.folder.path
    return test.model.contains("/") ? folder : folder + "/" + name
  }

  @Test func thereAreCases() {
    #expect(ConformanceTests.operators.count > 30)
  }

  @Test(arguments: operators)
  func equalsTheOracleOnEveryKernelSetAtEveryNumberOfWorkers(_ name: String) throws {
    let cases = try #require(try manifest(name).cases)
    #expect(!cases.isEmpty)
    for kernels in KernelSet.allCases {
      for workers in [1, 2, 4] {
        let options = Interpreter.Options(kernels: kernels, workers: .pool(count: workers))
        for test in cases {
          let folder = root(test, in: name)
          let runner = ConformanceRunner(
            folder: folder, models: folder, options: options, isExact: true)
          #expect(runner.run(test).outcome == .passed, "\(test.id) \(kernels) \(workers)")
        }
      }
    }
  }

  @Test func aWrongOutputFails() throws {
    let name = try #require(ConformanceTests.operators.first)
    let test = try #require(try manifest(name).cases?.first)
    let source = URL(filePath: root(test, in: name))
    let copy = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: copy) }
    let path = test.model.dropLast(".tflite".count)
    let target = copy.appending(path: String(path))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    for ending in ["tflite", "in", "out"] {
      var bytes = try Data(contentsOf: source.appending(path: "\(path).\(ending)"))
      if ending == "out", let last = bytes.popLast() { bytes.append(last ^ 0x40) }
      try bytes.write(to: copy.appending(path: "\(path).\(ending)"))
    }
    let runner = ConformanceRunner(folder: copy.path, models: copy.path, options: .init())
    guard case .failed = runner.run(test).outcome else {
      Issue.record("a changed output passes")
      return
    }
  }
}
