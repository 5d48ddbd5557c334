//===--- TrackCommand.swift - martlet track -------------------------------===//

import MartletCommandLine
import MartletVision

struct TrackCommand: Command {
  static let specification = CommandSpecification(
    name: "track", summary: "Follows objects through the frames of a film.",
    operands: "SOURCE", operandCount: 1...1,
    options: [
      OptionSpecification("--multiple", help: "up to five objects, not the most prominent alone"),
      OptionSpecification("--max-objects", "N", help: "up to N objects"),
      OptionSpecification(
        "--start", "X,Y,W,H", repeats: true,
        help: "follow what is in this box of the first frame, and look for nothing else"),
      OptionSpecification(
        "--detect-every", "N", help: "look for objects in every Nth frame (default: 5)"),
      OptionSpecification("--no-motion", help: "do not take what moves by itself for an object"),
      OptionSpecification(
        "--keep-lost", "N", help: "give up an object after N frames without it (default: 15)"),
      OptionSpecification("--classify", help: "tell what each object is"),
    ] + ClassifierOptions.options + LocaliserOptions.options + [
      OptionSpecification("--json", help: "one line of JSON for each frame"),
      OptionSpecification(
        "--annotate", "PATH",
        help:
          "write frames with boxes and labels: PNGs into a folder, or a .y4m file (- for output)"
      ),
      Stopwatch.option,
    ])

  private let path: String
  private let start: [Box]
  private let classifier: ClassifierOptions
  private let localiser: LocaliserOptions
  private let options: ObjectStreamOptions
  private let interpreterOptions: Interpreter.Options
  private let isJSON: Bool
  private let annotation: String?
  private let hasTimings: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? "-"
    classifier = try ClassifierOptions(arguments)
    localiser = try LocaliserOptions(arguments)
    var boxes: [Box] = []
    for text in arguments.all("--start") { boxes.append(try TrackCommand.box(text)) }
    start = boxes
    var options = ObjectStreamOptions()
    options.maximumObjectCount = try arguments.objectLimit()
    options.shouldEnableClassification = arguments.has("--classify") || classifier.path != nil
    options.shouldDetectMotion = boxes.isEmpty && !arguments.has("--no-motion")
    if let interval = try arguments.integer("--detect-every", in: 1...Int.max) {
      options.detectionInterval = interval
    }
    if let count = try arguments.integer("--keep-lost", in: 0...Int.max) {
      options.lostFrameCount = count
    }
    self.options = options
    interpreterOptions = try arguments.interpreterOptions()
    isJSON = arguments.has("--json")
    annotation = arguments["--annotate"]
    hasTimings = arguments.has(Stopwatch.option.name)
    if isJSON, annotation == "-" {
      throw .invalidValue(
        option: "--annotate", value: "-", expected: "with --json a folder or a .y4m file")
    }
  }

  /// A box of four numbers between commas.
  private static func box(_ text: String) throws(UsageError) -> Box {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Float($0) }.filter(\.isFinite)
    guard numbers.count == 4, text.count(where: { $0 == "," }) == 3, numbers[2] > 0, numbers[3] > 0
    else {
      throw .invalidValue(
        option: "--start", value: text, expected: "X,Y,W,H in pixels, W and H above zero")
    }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  func run() -> Int32 {
    let stream: ObjectStream
    do {
      let finder = try localiser.finder(
        options.shouldEnableClassification
          ? try classifier.classifier(interpreterOptions) : nil, interpreterOptions)
      stream = ObjectStream(finder, options: options)
    } catch {
      Streams.failure(classifier.path ?? localiser.path ?? "the shipped networks", error)
      return 1
    }
    do {
      var source = try FilmSource(path)
      var film = try annotation.map { try AnnotatedFilm($0, source: path, rate: source.rate) }
      return follow(&source, stream, &film)
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }

  private func follow(
    _ source: inout FilmSource, _ stream: ObjectStream, _ film: inout AnnotatedFilm?
  ) -> Int32 {
    var status: Int32 = 0
    var hasBegun = false
    var watch = Stopwatch(isRunning: hasTimings)
    while let (name, number, result) = source.next() {
      do {
        let image = try result.get()
        let objects = try objects(in: image, stream, isFirst: !hasBegun)
        hasBegun = true
        report(name, number, image, objects, watch)
        try film?.add(image, objects, name: name, number: number)
      } catch {
        Streams.failure(name, error)
        status = 1
      }
      watch = Stopwatch(isRunning: hasTimings)
    }
    return status
  }

  private func objects(
    in image: RGBImage, _ stream: ObjectStream, isFirst: Bool
  ) throws(VisionError) -> [DetectedObject] {
    if start.isEmpty { return try stream.objects(in: image) }
    return isFirst ? stream.begin(with: start, in: image) : try stream.followedObjects(in: image)
  }

  private func report(
    _ name: String, _ number: Int, _ image: RGBImage, _ objects: [DetectedObject],
    _ watch: Stopwatch
  ) {
    if isJSON {
      let json = JSON.object(
        [
          ("image", .string(name)), ("frame", .integer(number)), ("width", .integer(image.width)),
          ("height", .integer(image.height)), ("objects", .array(objects.map(\.json))),
        ] + watch.json)
      Streams.out("\(json)")
    } else if annotation != "-" {
      let time = watch.words.isEmpty ? "" : " (\(watch.words) ms)"
      let words = objects.isEmpty ? "none" : objects.map(\.words).joined(separator: "; ")
      Streams.out("\(name)\(time): \(words)")
    }
  }
}

extension DetectedObject {
  /// The object in words: `#3 at 120,40 60x80 Food 0.87`.
  fileprivate var words: String {
    let numbers = [frame.x, frame.y, frame.width, frame.height].map { String(Int($0.rounded())) }
    let place = "#\(trackingID ?? 0) at \(numbers[0]),\(numbers[1]) \(numbers[2])x\(numbers[3])"
    return ([place] + labels.map(\.words)).joined(separator: " ")
  }

  /// The object's box, in a colour of its own.
  fileprivate var annotation: Annotation {
    let name = labels.first.map { " " + $0.words } ?? ""
    let number = trackingID ?? 0
    return Annotation(box: frame, text: "#\(number)\(name)", colorIndex: number)
  }
}

extension AnnotatedFilm {
  /// Adds a frame with what was found in it.
  fileprivate mutating func add(
    _ image: RGBImage, _ objects: [DetectedObject], name: String, number: Int
  ) throws {
    try add(image.annotated(objects.map(\.annotation)), name: name, number: number)
  }
}
