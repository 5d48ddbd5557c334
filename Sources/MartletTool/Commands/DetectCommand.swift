//===--- DetectCommand.swift - martlet detect -----------------------------===//

import MartletCommandLine
import MartletVision

struct DetectCommand: Command {
  static let specification = CommandSpecification(
    name: "detect", summary: "Finds objects in pictures and tells what they are.",
    operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options + [
      OptionSpecification("--multiple", help: "up to five objects, not the most prominent alone"),
      OptionSpecification("--max-objects", "N", help: "up to N objects"),
      OptionSpecification("--classify", help: "tell what each object is"),
    ] + ClassifierOptions.options + LocaliserOptions.options + [
      OptionSpecification("--json", help: "one line of JSON for each picture"),
      OptionSpecification(
        "--annotate", "PATH",
        help: "write the picture with boxes and labels as PNG (a folder for several pictures)"),
    ])

  private let inputs: Inputs
  private let classifier: ClassifierOptions
  private let localiser: LocaliserOptions
  private let options: Interpreter.Options
  private let limit: Int
  private let classifies: Bool
  private let isJSON: Bool
  private let annotation: String?

  init(_ arguments: Arguments) throws(UsageError) {
    inputs = try Inputs(arguments)
    classifier = try ClassifierOptions(arguments)
    localiser = try LocaliserOptions(arguments)
    limit = try arguments.objectLimit()
    classifies = arguments.has("--classify") || classifier.path != nil
    options = try arguments.interpreterOptions()
    isJSON = arguments.has("--json")
    annotation = arguments["--annotate"]
  }

  func run() -> Int32 {
    let finder: ObjectFinder
    do {
      finder = try localiser.finder(
        classifies ? try classifier.classifier(options) : nil, options)
    } catch {
      Streams.failure(classifier.path ?? localiser.path ?? "the shipped networks", error)
      return 1
    }
    var table = TextTable([
      ("image", .left), ("object", .right), ("x", .right), ("y", .right), ("width", .right),
      ("height", .right), ("score", .right), ("category", .left), ("labels", .left),
      (inputs.hasTimings ? "ms" : "", .right),
    ])
    var annotations = annotation.map { AnnotationPaths($0, isFolder: !inputs.isSingle) }
    let status = inputs.forEach(options.workers) { path, image, watch in
      let objects = try finder.objects(in: image, limit: limit)
      if isJSON {
        Streams.out("\(json(path, image, objects, watch))")
      } else {
        add(objects, of: path, watch, to: &table)
      }
      if let path = try annotations?.next(for: path) {
        try AnnotatedPicture(image, objects).write(to: path)
      }
    }
    if !isJSON, !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }

  private func json(
    _ path: String, _ image: RGBImage, _ objects: [DetectedObject], _ watch: Stopwatch
  ) -> JSON {
    .object(
      [
        ("image", .string(path)), ("width", .integer(image.width)),
        ("height", .integer(image.height)), ("objects", .array(objects.map(\.json))),
      ] + watch.json)
  }

  private func add(
    _ objects: [DetectedObject], of path: String, _ watch: Stopwatch, to table: inout TextTable
  ) {
    let time = watch.words
    if objects.isEmpty { table.add(path, "none", "", "", "", "", "", "", "", time) }
    for (index, object) in objects.enumerated() {
      let frame = object.frame
      let numbers = [frame.x, frame.y, frame.width, frame.height].map {
        String(Int($0.rounded()))
      }
      table.add(
        path, String(index + 1), numbers[0], numbers[1], numbers[2], numbers[3],
        JSON.decimal(Double(object.score), places: 2, isPadded: true) ?? "",
        object.category?.name ?? "",
        object.labels.map(\.words).joined(separator: ", "), index == 0 ? time : "")
    }
  }
}

extension Arguments {
  /// How many objects are looked for at most.
  func objectLimit() throws(UsageError) -> Int {
    try integer("--max-objects", in: 1...Int.max) ?? (has("--multiple") ? 5 : 1)
  }
}

extension DetectedObject {
  /// The object as the tool's JSON carries it.
  var json: JSON {
    func pixels(_ value: Float) -> JSON { .number(Double(value), places: 2) }
    var members: [(String, JSON)] = [
      (
        "frame",
        .object([
          ("x", pixels(frame.x)), ("y", pixels(frame.y)), ("width", pixels(frame.width)),
          ("height", pixels(frame.height)),
        ])
      ),
      ("score", .number(Double(score), places: 4)),
      ("trackingID", trackingID.map { .integer($0) } ?? .null),
    ]
    if let category { members.append(("category", .string(category.name))) }
    members.append(("labels", .array(labels.map(\.json))))
    return .object(members)
  }
}
