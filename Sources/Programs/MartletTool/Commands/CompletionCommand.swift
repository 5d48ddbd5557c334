//===--- CompletionCommand.swift - martlet completion, martlet manual -----===//

import MartletCommandLine

struct CompletionCommand: Command {
  static let specification = CommandSpecification(
    name: "completion", summary: "Prints a completion script for a shell.",
    operands: "bash|zsh|fish", operandCount: 1...1, isComputing: false, options: [])

  private let shell: Shell

  init(_ arguments: Arguments) throws(UsageError) {
    let name = arguments.operands.first?.description ?? ""
    guard let shell = Shell(rawValue: name) else {
      throw .invalidValue(option: "completion", value: name, expected: "bash, zsh or fish")
    }
    self.shell = shell
  }

  func run() -> Int32 {
    Streams.out(MartletTool.specification.completion(for: shell))
    return 0
  }
}

struct ManualCommand: Command {
  static let specification = CommandSpecification(
    name: "manual", summary: "Prints the manual page; view it with: martlet manual | man -l -",
    operands: "", operandCount: 0...0, isComputing: false, options: [])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run() -> Int32 {
    Streams.out(Array(MartletTool.specification.manualPage.utf8))
    return 0
  }
}
