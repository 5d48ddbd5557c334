//===--- MartletCompile.swift - the compiler that the build plugin calls --===//
//
// `martlet compile` as a program of its own, which builds faster than the tool.
//
// Contract  Prints nothing on success. Otherwise prints `FILE: error: REASON`, as compilers do, to
//           standard error. The exit status is 1 for a failed model, 2 for wrong use.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletCommandLine

@main
struct MartletCompile {
  static func main() {
    Temporaries.handleSignals()
    let words = CommandLine.words
    do throws(UsageError) {
      let command = try CompileCommand(Arguments(words: words, for: CompileCommand.specification))
      do throws(FailedFile) {
        _ = try command.compile()
      } catch {
        fail(error.path, error.reason, status: 1)
      }
    } catch {
      fail(words.first ?? "", error, status: 2)
    }
  }

  private static func fail(_ path: FilePath, _ reason: any Error, status: Int32) -> Never {
    Streams.err("\(path.description.printable): error: \("\(reason)".printable)")
    exit(status)
  }
}
