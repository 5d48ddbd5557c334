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
      OptionSpecification("--classify", help: "Classify each object"),
    ] + ClassifierOptions.options() + LocalizerOptions.options + [LocalizerOptions.allBoxes]
      + ImageSearch.outputOptions)

  private let images: ImageSearch
  private let classifier: ClassifierOptions
  private let localizer: LocalizerOptions
  private let options: Interpreter.Options
  private let limit: Int
  private let region: Box?
  private let classifies: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    images = try ImageSearch(arguments)
    classifier = try ClassifierOptions(arguments)
    localizer = try LocalizerOptions(arguments)
    limit = try arguments.objectLimit()
    region = try arguments["--region"].map { text throws(UsageError) in
      try Box("--region", text)
    }
    classifies = arguments.has("--classify") || classifier.isRequested
    options = try arguments.interpreterOptions(images.deadline)
  }

  func run() -> Int32 {
    let finder: ObjectFinder
    do {
      finder = try localizer.finder(
        classifies ? try classifier.classifier(options) : nil, options)
    } catch {
      Streams.failure(error)
      return 1
    }
    func find(_ image: DetectionImage) throws(VisionError) -> [DetectedObject] {
      image.full(try finder.objects(in: image.pixels, limit: limit, region: region))
    }
    guard classifier.hasFineLabels else { return images.run(options.workers, find) }
    return images.run(options.workers) { image throws(VisionError) in
      try find(image).map(NamedObject.init)
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

extension Arguments {
  /// The largest number of objects.
  func objectLimit() throws(UsageError) -> Int {
    try integer("--max-objects", in: 1...Int.max) ?? (has("--multiple") ? 5 : 1)
  }
}
