//===--- ClassifyCommand.swift - martlet classify -------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

struct ClassifyCommand: Command {
  static let specification = CommandSpecification(
    name: "classify", summary: "Classifies whole images.", operands: "IMAGE...",
    operandCount: 0...Int.max,
    options: Inputs.options + ClassifierOptions.options(classifies: true)
      + ConfigurationOptions.options + ResultFormat.options(ResultFormat.all) + [
        OptionSpecification(
          "--classes", excludes: ["--files-from"],
          help: "List the classes, or the fine labels, and exit")
      ],
    remarks: [Inputs.remark])

  /// The images; `nil` if only the class names are requested.
  private let inputs: Inputs?
  private let objects: ObjectOptions
  private let options: Interpreter.Options
  private let format: ResultFormat
  private let output: FilePath?
  private let outputs: Outputs

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.has("--classes"), let operand = arguments.operands.first {
      throw .excludes(option: "\(operand)", other: "--classes")
    }
    inputs = arguments.has("--classes") ? nil : try Inputs(arguments)
    objects = try ObjectOptions(arguments, classifies: true)
    options = try arguments.interpreterOptions(inputs?.deadline)
    format = try ResultFormat(arguments)
    output = arguments.path("--output")
    outputs = inputs?.outputs ?? Outputs(arguments)
  }

  func run() -> Int32 {
    do throws(FailedFile) {
      guard let classifier = try objects.classifier(options) else { return 1 }
      let lines = try FailedFile.naming(output ?? .standardStream) {
        try ResultLines(output, of: outputs)
      }
      let filter = objects.configuration.filter
      let names = classifier.fineLabeler?.names ?? classifier.classNames
      if classifier.isCoarse {
        try FailedFile.naming("the shipped classifier") { try classifier.check(filter) }
      }
      let status = inputs.map { classify($0, classifier, filter, lines) } ?? list(names, lines)
      try FailedFile.naming(output ?? .standardStream) { try lines.finish() }
      return status
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  private func classify(
    _ inputs: Inputs, _ classifier: Classifier, _ filter: LabelFilter, _ lines: ResultLines
  ) -> Int32 {
    var table = TextTable(
      [("image", .left), ("labels", .left), (inputs.hasTimings ? "ms" : "", .right)],
      leastWidth: inputs.pathWidth)
    if format == .csv { lines.add(CSV.labelColumns) }
    let images = inputs.images(options.workers)
    for (path, decoded) in images {
      do {
        let input = try decoded.get()
        let image = DetectionImage(input.file)
        var classification = try classifier.classification(in: image.pixels)
        if classifier.isCoarse {
          classification = filter.permitted(classification, classifier.fineLabeler)
        }
        let labels = classification.labels + (classification.fineLabels ?? [])
        switch format {
        case .table:
          let words = labels.map(\.quotedWords).joined(separator: ", ")
          table.add("\(input.path)", words.isEmpty ? "unknown" : words, input.watch.words)
          for line in table.takeLines() { lines.add(line) }
        case .json:
          let members = input.file.warnings.json + input.watch.json + path.json("image")
          lines.add("\(JSON.line(of: "\(path)", image.size, classification) + members)")
        default:
          if labels.isEmpty { lines.add(CSV.labelLine(input.path)) }
          for label in labels { lines.add(CSV.labelLine(input.path, label)) }
        }
      } catch {
        images.report(error, about: path)
        if format == .json { lines.add("\(JSON.failure(of: path, error))") }
        if format == .csv { lines.add(CSV.labelLine(path, error: error)) }
      }
    }
    return images.finish()
  }

  private func list(_ names: [String]?, _ lines: ResultLines) -> Int32 {
    guard let names else {
      Streams.err("martlet: the model has no class names; pass them with --labels FILE")
      return 1
    }
    lines.add(ClassifyCommand.list(names, as: format))
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
    default:
      let rows = names.enumerated().map { [String($0.offset), $0.element] }
      return ([["index", "class"]] + rows).map { CSV.line($0) }.joined(separator: "\n")
    }
  }
}
