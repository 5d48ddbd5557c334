import Foundation
import MartletCommandLine
import Testing

@Suite struct CompletionTests {
  static let tool = ToolSpecification(
    name: "my-tool", summary: "Does things.",
    commands: [
      CommandSpecification(
        name: "find", summary: "Finds what's there.", operands: "FILE", operandCount: 1...1,
        options: [
          OptionSpecification("--fast", help: "quickly"),
          OptionSpecification("--kind", "big|small", help: "which"),
          OptionSpecification("--out", "FILE", repeats: true, help: "where: a file"),
        ]),
      CommandSpecification(
        name: "show", summary: "Shows it.", operands: "all|none", operandCount: 1...1, options: []),
    ], examples: [(line: "my-tool find x", effect: "Finds x.")])

  /// Bash's completions for these words, of which the last is unfinished.
  private func completions(_ words: String...) throws -> [String] {
    let script =
      CompletionTests.tool.completion(for: .bash) + """

        COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
        COMP_CWORD=\(words.count - 1)
        _my_tool
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
  func bashCompletesCommandsOptionsAndWords() throws {
    #expect(try completions("my-tool", "f") == ["find"])
    #expect(try completions("my-tool", "") == ["find", "show", "help", "--help", "--version"])
    #expect(try completions("my-tool", "find", "--f") == ["--fast"])
    #expect(try completions("my-tool", "find", "--kind", "") == ["big", "small"])
    #expect(try completions("my-tool", "help", "s") == ["show"])
    #expect(try completions("my-tool", "show", "--k") == [])
    #expect(try completions("my-tool", "find", "x") == [])
    #expect(try completions("my-tool", "show", "") == ["all", "none"])
  }

  @Test(arguments: Shell.allCases)
  func scriptContainsEveryCommandAndOption(_ shell: Shell) {
    let script = CompletionTests.tool.completion(for: shell)
    for word in ["find", "show", "all none", "fast", "kind", "out", "threads", "my-tool"] {
      #expect(script.contains(word), "\(word)")
    }
  }
}
