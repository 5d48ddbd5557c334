//===--- MartletTool.swift - the command line tool ------------------------===//
//
// Contract  Prints results to standard output and everything else to standard error. The exit
//           status is 0 for success, 1 for a failed input or check, 2 for a usage error.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary
import MartletCommandLine

@main
struct MartletTool {
  static var commands: [any Command.Type] {
    [
      DetectCommand.self, FacesCommand.self, TrackCommand.self, ClassifyCommand.self,
      EvaluateCommand.self, ReportCommand.self, RunCommand.self, AnnotateModelCommand.self,
      CompileCommand.self, InspectCommand.self, DecodeCommand.self, PublishModelCommand.self,
      CompletionCommand.self, ManualCommand.self, ConformanceCommand.self,
    ]
  }

  static var specification: ToolSpecification {
    ToolSpecification(
      name: "martlet", summary: "Object and face detection and classification in pure Swift.",
      commands: commands.map { $0.specification }, examples: examples)
  }

  private static let examples = [
    (
      line: "martlet detect photo.jpg --multiple --classify --annotate found.png",
      effect: "Draws up to five objects with their categories."
    ),
    (
      line: "martlet detect photos --recursive --multiple --classify --report report.html",
      effect: "Saves an HTML page that shows all images of a folder with their boxes."
    ),
    (
      line: "find photos -name '*.jpg' | martlet detect --files-from - --resume results.jsonl",
      effect: "Writes a line of JSON per image; the next run continues after the last one."
    ),
    (
      line: "martlet detect street.jpg --multiple --fine-labels",
      effect: "Labels objects with everyday names, such as person, dog or banana."
    ),
    (
      line:
        "martlet detect street --detector ssd_mobilenet_v1.tflite --max-objects 50 --format coco",
      effect: "Detects people, cars and animals with a public model, and prints COCO JSON."
    ),
    (
      line: "martlet faces group.jpg --landmarks --contours --annotate faces.png",
      effect: "Draws the landmarks of all faces, and the contours of the most prominent one."
    ),
    (
      line: """
      ffmpeg -i in.mp4 -f yuv4mpegpipe -pix_fmt yuv420p - | martlet track - --multiple \
      --annotate - | ffmpeg -i - out.mp4
      """,
      effect: "Tracks up to five objects through a video."
    ),
    (
      line: "martlet inspect model.tflite",
      effect: "Lists the inputs, outputs and operators of a model."
    ),
  ]

  static func main() {
    Temporaries.handleSignals()
    exit(run(words: CommandLine.words))
  }

  /// Runs the tool with the arguments `words` and returns the exit status.
  static func run(_ words: [String]) -> Int32 { run(words: words.map { FilePath($0) }) }

  static func run(words: [FilePath]) -> Int32 {
    guard let name = words.first?.description else {
      Streams.err(specification.help)
      return 2
    }
    do throws(UsageError) {
      switch name {
      case "--help", "-h", "help": return try help(on: words.dropFirst().first?.description)
      case "--version", "version": return printVersion()
      default: break
      }
      let type = try command(name)
      let specification = type.specification
      let arguments = try Arguments(words: Array(words.dropFirst()), for: specification) {
        (path, given) throws(UsageError) in
        try ConfigurationOptions.read(path, for: specification, given: given)
      }
      if arguments.has("--help") { return try help(on: name) }
      if arguments.has("--version") { return printVersion() }
      if arguments.has(Arguments.configurationPrint) {
        return try ConfigurationOptions.print(arguments)
      }
      return try type.init(arguments).run()
    } catch {
      Streams.err("martlet: \(error)")
      return 2
    }
  }

  private static func printVersion() -> Int32 {
    Streams.out("\(specification.name) \(packageVersion)")
    return 0
  }

  private static func command(_ name: String) throws(UsageError) -> any Command.Type {
    guard let type = commands.first(where: { $0.specification.name == name }) else {
      let names = commands.map { $0.specification.name }
      throw .unknownCommand(name, nearest: (names + ["help"]).nearest(to: name))
    }
    return type
  }

  /// Prints the help for a command, or for the tool.
  private static func help(on name: String?) throws(UsageError) -> Int32 {
    if let name {
      Streams.out(try command(name).specification.help(invocation: "martlet \(name)"))
    } else {
      Streams.out(specification.help)
    }
    return 0
  }
}
