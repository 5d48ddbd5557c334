//===--- DetectCommand.swift - martlet detect -----------------------------===//

import MartletCommandLine
import MartletVision

struct DetectCommand: Command {
  static let specification = CommandSpecification(
    name: "detect", summary: "Detects and classifies objects in images.",
    operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options + [
      OptionSpecification("--multiple", help: "Detect up to five objects instead of one"),
      OptionSpecification("--max-objects", "N", help: "Detect up to N objects"),
      OptionSpecification(
        "--region", "X,Y,W,H", help: "Detect objects only in this part of each image"),
    ] + ClassifierOptions.ofObjects + LocalizerOptions.options + [LocalizerOptions.allBoxes]
      + ConfigurationOptions.options + ImageSearch.outputOptions,
    remarks: [
      Inputs.remark,
      "example: martlet detect photos --recursive --multiple --report report.html",
    ])

  private let images: ImageSearch
  private let objects: ObjectOptions
  private let options: Interpreter.Options

  init(_ arguments: Arguments) throws(UsageError) {
    images = try ImageSearch(arguments)
    objects = try ObjectOptions(arguments)
    options = try arguments.interpreterOptions(images.deadline)
  }

  func run() -> Int32 {
    let finder: ObjectFinder
    do {
      finder = try objects.finder(options)
    } catch {
      Streams.failure(error)
      return 1
    }
    guard objects.hasFineLabels else {
      return images.run(options.workers, classes: finder.labelNames) { image throws(VisionError) in
        try finder.objects(in: image)
      }
    }
    return images.run(options.workers, classes: finder.labelNames) { image throws(VisionError) in
      try finder.objects(in: image).map(NamedObject.init)
    }
  }
}

extension Box {
  /// Parses an option's value: four numbers separated by commas.
  init(_ option: String, _ text: String) throws(UsageError) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Float($0) }.filter(\.isFinite)
    guard numbers.count == 4, text.count(where: { $0 == "," }) == 3, numbers[2] > 0, numbers[3] > 0
    else {
      throw .invalidValue(
        option: option, value: text, expected: "X,Y,W,H in pixels, W and H above zero")
    }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
