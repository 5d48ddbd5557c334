import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

/// Runs that signals, kills and full disks end. `.ci/check/killed-results` does this for longer.
@Suite(.timeLimit(.minutes(10))) struct InterruptionTests {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)

  private func removeFolder() { try? FileManager.default.removeItem(atPath: "\(folder)") }

  /// Small images, which take a few milliseconds each.
  private func makeImages(_ count: Int) throws {
    try Files.makeFolder(folder / "in")
    let bytes = try Files.read(Fixtures.folder("Faces").path + "/portrait.jpg")
    for index in 0..<count { try Files.write(bytes, to: folder / "in" / "\(1000 + index).jpg") }
  }

  private static func words(_ folder: String) -> [String] {
    ["detect", folder + "/in", "--annotate", folder + "/out", "--resume", folder + "/lines"]
  }

  /// Checks that every image has one line, and each line an annotated image that is whole.
  private func checkResults(_ count: Int) throws {
    let lines = String(decoding: try Files.read(folder / "lines"), as: UTF8.self)
      .split(separator: "\n").dropFirst()
    struct Line: Decodable { let image, annotated: String }
    let results = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    #expect(Set(results.map(\.image)).count == count && results.count == count)
    #expect(Set(results.map(\.annotated)).count == count)
    for name in try Files.list(folder / "out") where !name.hasPrefix(".martlet-") {
      #expect(try Files.read(folder / "out" / name).suffix(2) == [0xFF, 0xD9], "\(name)")
    }
  }

  @Test func killedRunsLoseNothing() async throws {
    defer { removeFolder() }
    try makeImages(40)
    for kill in 0..<6 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = "\(folder)" as String, kill = kill as Int] in
        Thread.detachNewThread {
          // From the first line on, so that every run makes progress.
          while (try? Files.read(folder + "/lines").count) ?? 0 < 100 { usleep(500) }
          usleep(UInt32(5000 + kill * 7919 % 30000))
          Foundation.kill(getpid(), SIGKILL)
        }
        while true { _ = MartletTool.run(InterruptionTests.words(folder)) }
      }
    }
    #expect(MartletTool.run(InterruptionTests.words("\(folder)")) == 0)
    try checkResults(40)
  }

  /// The built tool, beside the program of the tests: in a process of tests, threads that already run
  /// would take the signal.
  private static let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "martlet")

  /// SIGTERM, SIGINT and SIGHUP end the process as always and leave no temporary file.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: tool.path)),
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalsLeaveNoPartialFiles(_ signal: Int32) throws {
    defer { removeFolder() }
    try makeImages(200)
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = ["detect", "\(folder)/in", "--report", "\(folder)/page.html"]
    (process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice
    )
    try process.run()
    while process.isRunning, try !hasPartialFile() { usleep(500) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    #expect(try Files.list(folder) == ["in"])
  }

  private func hasPartialFile() throws -> Bool {
    try Files.list(folder).contains { $0.hasSuffix(".partial") }
  }

  /// A reader of standard output that ends: the process ends by SIGPIPE, and removes its files.
  @Test func closedPipeLeavesNoPartialFiles() async throws {
    defer { removeFolder() }
    try makeImages(3)
    await #expect(processExitsWith: .signal(SIGPIPE)) { [folder = "\(folder)" as String] in
      Temporaries.handleSignals()
      let pipe = Pipe()
      #expect(dup2(pipe.fileHandleForWriting.fileDescriptor, 1) >= 0)
      try pipe.fileHandleForReading.close()
      exit(
        MartletTool.run(["detect", folder + "/in", "--json", "--report", folder + "/page.html"]))
    }
    #expect(try Files.list(folder) == ["in"])
  }

  /// An ignored signal stays ignored, as in `nohup`.
  @Test func ignoredSignalsStayIgnored() async {
    await #expect(processExitsWith: .exitCode(0)) {
      _ = signal(SIGHUP, SIG_IGN)
      Temporaries.handleSignals()
      kill(getpid(), SIGHUP)
      usleep(50_000)
      exit(MartletTool.run(["--version"]))
    }
  }

  /// A limit on the size of files has the effect of a full disk: annotated images of more bytes than
  /// the limit fail, and leave nothing. Without the limit, the same command completes the results.
  @Test func fullDiskLosesNothing() async throws {
    defer { removeFolder() }
    try makeImages(4)
    let size = try Files.read(folder / "in/1000.jpg").count
    await #expect(processExitsWith: .exitCode(1)) {
      [folder = "\(folder)" as String, size = size as Int] in
      Temporaries.handleSignals()
      var limit = rlimit(rlim_cur: rlim_t(size / 2), rlim_max: rlim_t(size / 2))
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      exit(MartletTool.run(InterruptionTests.words(folder)))
    }
    #expect(try Files.list(folder / "out").isEmpty)
    #expect(MartletTool.run(InterruptionTests.words("\(folder)")) == 0)
    try checkResults(4)
  }

  /// The results themselves reach the limit: a line that does not fit is removed.
  @Test func resultsOnAFullDiskStayWhole() async throws {
    defer { removeFolder() }
    try makeImages(20)
    let words = ["detect", "\(folder)/in", "--resume", "\(folder)/lines"]
    await #expect(processExitsWith: .exitCode(1)) { [words = words as [String]] in
      Temporaries.handleSignals()
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      exit(MartletTool.run(words))
    }
    let before = try Files.read(folder / "lines")
    #expect(before.count > 500 && before.count <= 1000 && before.last == UInt8(ascii: "\n"))
    #expect(MartletTool.run(words) == 0)
    let after = try Files.read(folder / "lines")
    #expect(after.starts(with: before) && after.count { $0 == UInt8(ascii: "\n") } == 21)
  }
}
