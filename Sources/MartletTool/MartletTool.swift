//===--- MartletTool.swift - the command line tool ------------------------===//
//
// Contract  Results on standard output, everything else on standard error. Exit status 0 success,
//           1 a failed input or check, 2 wrong use.
// Checked   Tests/MartletToolTests
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletSystem

@main
struct MartletTool {
  static var commands: [any Command.Type] {
    [
      DetectCommand.self, TrackCommand.self, ClassifyCommand.self, RunCommand.self,
      AnnotateModelCommand.self, ConformanceCommand.self, InspectCommand.self, DecodeCommand.self,
      ServeModelsCommand.self,
    ]
  }

  static var help: String {
    var table = TextTable([("commands", .left), ("", .left)])
    for command in commands {
      table.add("  " + command.specification.name, command.specification.summary)
    }
    return """
      Object detection and classification in pure Swift.

      usage: martlet COMMAND [options]; martlet COMMAND --help tells more

      \(table)
      """
  }

  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs the tool with `words` as its arguments and returns the exit status.
  static func run(_ words: [String]) -> Int32 {
    guard let name = words.first else {
      Streams.err(help)
      return 2
    }
    if name == "--help" || name == "help" {
      Streams.out(help)
      return 0
    }
    do throws(UsageError) {
      guard let type = commands.first(where: { $0.specification.name == name }) else {
        throw UsageError.unknownCommand(name)
      }
      let arguments = try Arguments(Array(words.dropFirst()), for: type.specification)
      if arguments.has("--help") {
        Streams.out(type.specification.help(invocation: "martlet \(name)"))
        return 0
      }
      return try type.init(arguments).run()
    } catch {
      Streams.err("martlet: \(error)")
      return 2
    }
  }
}
