//===--- DetectCommand.swift - martlet detect -----------------------------===//

import MartletCommandLine
import MartletJSON
import MartletVision

struct DetectCommand: Command {
  static let specification = CommandSpecification(
    name: "detect", summary: "Finds objects in pictures and tells what they are.",
    operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options + [
      OptionSpecification("--multiple", help: "up to five objects, not the most prominent alone"),
      OptionSpecification("--max-objects", "N", help: "up to N objects"),
      OptionSpecification(
        "--region", "X,Y,W,H", help: "look for objects in this part of each picture alone"),
      OptionSpecification("--classify", help: "tell what each object is"),
    ] + ClassifierOptions.options(beside: ["--classify", "--model"]) + LocaliserOptions.options
      + ResultFormat.options + [
        OptionSpecification(
          "--annotate", "PATH",
          help: """
            write the picture with boxes and labels, as .png, .jpg or .ppm (a folder for several)
            """),
        OptionSpecification(
          "--save-crops", "DIR", help: "write what is in each box, as DIR/a-1.png, DIR/a-2.png …"),
      ])

  private let inputs: Inputs
  private let classifier: ClassifierOptions
  private let localiser: LocaliserOptions
  private let options: Interpreter.Options
  private let limit: Int
  private let region: Box?
  private let classifies: Bool
  private let format: ResultFormat
  private let annotation: OutputPaths?
  private let crops: OutputPaths?

  init(_ arguments: Arguments) throws(UsageError) {
    let inputs = try Inputs(arguments)
    self.inputs = inputs
    classifier = try ClassifierOptions(arguments)
    localiser = try LocaliserOptions(arguments)
    limit = try arguments.objectLimit()
    region = try arguments["--region"].map { text throws(UsageError) in
      try Box("--region", text)
    }
    classifies = arguments.has("--classify") || classifier.path != nil
    options = try arguments.interpreterOptions()
    format = try ResultFormat(arguments)
    annotation = try arguments["--annotate"].map { path throws(UsageError) in
      try OutputPaths("--annotate", path, isSingle: inputs.isSingle)
    }
    crops = arguments["--save-crops"].map { OutputPaths(folder: $0) }
  }

  func run() -> Int32 {
    let finder: ObjectFinder
    do {
      finder = try localiser.finder(
        classifies ? try classifier.classifier(options) : nil, options)
    } catch {
      Streams.failure(error)
      return 1
    }
    var table = TextTable([
      ("image", .left), ("object", .right), ("x", .right), ("y", .right), ("width", .right),
      ("height", .right), ("score", .right), ("category", .left), ("labels", .left),
      (inputs.hasTimings ? "ms" : "", .right),
    ])
    var (annotation, crops) = (annotation, crops)
    if format == .csv { Streams.out(CSV.objectColumns) }
    let status = inputs.forEach(options.workers, failed: report) { input in
      let image = input.file.upright
      let objects = try finder.objects(in: image, limit: limit, region: region)
      switch format {
      case .table: add(objects, of: input, to: &table)
      case .json:
        Streams.out("\(JSON.line(of: input.path, image.size, objects) + input.watch.json)")
      case .csv: printRows(objects, of: input.path)
      }
      try annotation?.write(
        image.annotated(objects), for: input.path, sparing: input.inputs)
      for (index, object) in objects.enumerated() {
        let part = PixelRectangle(covering: object.frame, in: image.size)
        guard let crop = part.flatMap({ image.croppedClipping(to: $0) }) else { continue }
        try crops?.write(crop, for: input.path, part: "-\(index + 1)", sparing: input.inputs)
      }
    }
    if !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }

  private func report(_ path: String, _ reason: any Error) {
    switch format {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: path, "\(reason)"))")
    case .csv: Streams.out(CSV.line(path, error: reason))
    }
  }

  private func printRows(_ objects: [DetectedObject], of path: String) {
    if objects.isEmpty { Streams.out(CSV.line(path)) }
    for (index, object) in objects.enumerated() {
      Streams.out(CSV.line(path, number: index + 1, object))
    }
  }

  private func add(
    _ objects: [DetectedObject], of input: InputPicture, to table: inout TextTable
  ) {
    let time = input.watch.words
    if objects.isEmpty { table.add(input.path, "none", "", "", "", "", "", "", "", time) }
    for (index, object) in objects.enumerated() {
      let frame = object.frame
      let numbers = [frame.x, frame.y, frame.width, frame.height].map {
        String(Int($0.rounded()))
      }
      table.add(
        input.path, String(index + 1), numbers[0], numbers[1], numbers[2], numbers[3],
        JSON.decimal(Double(object.score), places: 2, isPadded: true) ?? "",
        object.category?.name ?? "",
        object.labels.map(\.words).joined(separator: ", "), index == 0 ? time : "")
    }
  }
}

extension Box {
  /// A box of four numbers between commas, as an option gives it.
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
  /// How many objects are looked for at most.
  func objectLimit() throws(UsageError) -> Int {
    try integer("--max-objects", in: 1...Int.max) ?? (has("--multiple") ? 5 : 1)
  }
}
