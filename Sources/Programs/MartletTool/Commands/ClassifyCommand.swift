//===--- ClassifyCommand.swift - martlet classify -------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

struct ClassifyCommand: Command {
  static let specification = CommandSpecification(
    name: "classify", summary: "Classifies whole images.", operands: "IMAGE...",
    operandCount: 0...Int.max,
    options: Inputs.options + ClassifierOptions.options(classifies: true)
      + ConfigurationOptions.options + ResultFormat.options + [
        OptionSpecification(
          "--classes", excludes: ["--files-from"],
          help: "List the classes, or the fine labels, and exit")
      ])

  /// The images; `nil` if only the class names are requested.
  private let inputs: Inputs?
  private let objects: ObjectOptions
  private let options: Interpreter.Options
  private let format: ResultFormat

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.has("--classes"), let operand = arguments.operands.first {
      throw .excludes(option: "\(operand)", other: "--classes")
    }
    inputs = arguments.has("--classes") ? nil : try Inputs(arguments)
    objects = try ObjectOptions(arguments, classifies: true)
    options = try arguments.interpreterOptions(inputs?.deadline)
    format = try ResultFormat(arguments)
  }

  func run() -> Int32 {
    let classifier: Classifier
    do {
      guard let made = try objects.classifier(options) else { return 1 }
      classifier = made
    } catch {
      Streams.failure(error)
      return 1
    }
    guard let inputs else { return printClasses(of: classifier) }
    var table = TextTable([
      ("image", .left), ("labels", .left), (inputs.hasTimings ? "ms" : "", .right),
    ])
    if format == .csv { Streams.out(CSV.labelColumns) }
    let images = inputs.images(options.workers)
    for (path, decoded) in images {
      do {
        let input = try decoded.get()
        let image = DetectionImage(input.file)
        let classification = try classifier.classification(in: image.pixels)
        let labels = classification.labels + (classification.fineLabels ?? [])
        switch format {
        case .table:
          let words = labels.map(\.words).joined(separator: ", ")
          table.add("\(input.path)", words.isEmpty ? "unknown" : words, input.watch.words)
        case .json:
          let members = input.file.warnings.json + input.watch.json + path.json("image")
          Streams.out("\(JSON.line(of: "\(path)", image.size, classification) + members)")
        case .csv:
          if labels.isEmpty { Streams.out(CSV.labelLine(input.path)) }
          for label in labels { Streams.out(CSV.labelLine(input.path, label)) }
        }
      } catch {
        images.report(error, about: path)
        report(path, error)
      }
    }
    let status = images.finish()
    if !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }

  private func printClasses(of classifier: Classifier) -> Int32 {
    guard let names = classifier.fineLabeler?.names ?? classifier.classNames else {
      Streams.err("martlet: the model has no class names; pass them with --labels FILE")
      return 1
    }
    Streams.out(ClassifyCommand.list(names, as: format))
    return 0
  }

  /// The class names with their indices. In JSON the index is the position in the list.
  static func list(_ names: [String], as format: ResultFormat) -> String {
    switch format {
    case .table:
      var table = TextTable([("index", .right), ("class", .left)])
      for (index, name) in names.enumerated() { table.add(String(index), name) }
      return "\(table)"
    case .json: return "\(JSON.object([("classes", .array(names.map { .string($0) }))]))"
    case .csv:
      let rows = names.enumerated().map { [String($0.offset), $0.element] }
      return ([["index", "class"]] + rows).map { CSV.line($0) }.joined(separator: "\n")
    }
  }

  private func report(_ path: FilePath, _ reason: any Error) {
    switch format {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: path, reason))")
    case .csv: Streams.out(CSV.labelLine(path, error: reason))
    }
  }
}
