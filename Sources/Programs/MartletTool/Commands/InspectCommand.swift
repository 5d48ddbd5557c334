//===--- InspectCommand.swift - martlet inspect ---------------------------===//
//
// Prints the contents of a model and the cost of running it. Missing operators are named, and the
// rest is printed anyway.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel

struct InspectCommand: Command {
  static let specification = CommandSpecification(
    name: "inspect", summary: "Lists inputs, outputs, operators and memory of a model.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification(
        "--all", excludes: ["--json"], help: "Also list all tensors, nodes and blocks of memory"),
      OptionSpecification("--json", help: "Print one JSON object, with everything"),
      OptionSpecification(
        "--profile", help: "Run the model and print the time by operator and shape"),
      OptionSpecification("--kernels", "fast|reference", help: "Kernels to use (default: fast)"),
      TimeoutOption.ofModels,
    ])

  private let path: FilePath
  private let isJSON: Bool
  private let isComplete: Bool
  private let isProfile: Bool
  private let options: Interpreter.Options

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    isJSON = arguments.has("--json")
    isComplete = arguments.has("--all")
    isProfile = arguments.has("--profile")
    options = try arguments.interpreterOptions()
  }

  func run() -> Int32 {
    do {
      let inspection = try ModelInspection(bytes: try Files.model(path), options: options)
      if !isJSON { Streams.show(inspection.text) }
      if !isJSON, isComplete { Streams.show("\n" + inspection.details) }
      let profile = isProfile ? try inspection.interpreter.map { try Profile(of: $0) } : nil
      if isJSON {
        Streams.out("\(inspection.json(profile))")
      } else if let profile {
        Streams.show("\n" + profile.text)
      }
      let missing = inspection.missing
      if inspection.problem != nil && !missing.isEmpty
        || missing.contains(where: { $0.subgraph == 0 })
      {
        Streams.failure(path, MissingOperators(all: missing))
      } else if let problem = inspection.problem {
        Streams.failure(path, problem)
      } else {
        return 0
      }
      return 1
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }
}
