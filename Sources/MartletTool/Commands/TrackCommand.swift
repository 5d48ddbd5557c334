//===--- TrackCommand.swift - martlet track -------------------------------===//

import MartletCommandLine
import MartletJSON
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
        excludes: [
          "--multiple", "--max-objects", "--detect-every", "--no-motion", "--min-score",
          "--detector",
        ],
        help: "follow what is in this box of the first frame, and look for nothing else"),
      OptionSpecification(
        "--detect-every", "N", help: "look for objects in every Nth frame (default: 5)"),
      OptionSpecification("--no-motion", help: "do not take what moves by itself for an object"),
      OptionSpecification(
        "--keep-lost", "N", help: "give up an object after N frames without it (default: 15)"),
      OptionSpecification("--classify", help: "tell what each object is"),
    ] + ClassifierOptions.options(beside: ["--classify", "--model"]) + LocaliserOptions.options
      + ResultFormat.options + [
        OptionSpecification(
          "--annotate", "PATH",
          help:
            "write frames with boxes and labels: PNGs into a folder, or a .y4m file (- for output)"
        ),
        MemoryOption.specification, Stopwatch.option,
      ])

  private let path: String
  private let limits: ImageLimits
  private let start: [Box]
  private let classifier: ClassifierOptions
  private let localiser: LocaliserOptions
  private let options: ObjectStreamOptions
  private let interpreterOptions: Interpreter.Options
  private let format: ResultFormat
  private let annotation: String?
  private let hasTimings: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? "-"
    limits = try MemoryOption.limits(arguments)
    classifier = try ClassifierOptions(arguments)
    localiser = try LocaliserOptions(arguments)
    var boxes: [Box] = []
    for text in arguments.all("--start") { boxes.append(try Box("--start", text)) }
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
    format = try ResultFormat(arguments)
    annotation = arguments["--annotate"]
    hasTimings = arguments.has(Stopwatch.option.name)
    try checkAnnotation()
  }

  /// Throws where annotated frames can't be written as they are asked for.
  private func checkAnnotation() throws(UsageError) {
    guard let annotation else { return }
    if annotation == "-", format != .table {
      throw .invalidValue(
        option: "--annotate", value: "-", expected: "beside results a folder or a .y4m file")
    }
    let name = annotation.lowercased()
    let films = [".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".gif", ".mjpeg", ".mpg"]
    let isPicture = PictureFormat.isRead(name) && !Files.isFolder(annotation)
    if isPicture || films.contains(where: name.hasSuffix) {
      throw .invalidValue(
        option: "--annotate", value: annotation,
        expected: """
          a folder, a .y4m file, or - for other films (martlet track … --annotate - | ffmpeg -i - \
          \(annotation))
          """)
    }
  }

  func run() -> Int32 {
    let stream: ObjectStream
    do throws(FailedFile) {
      let finder = try localiser.finder(
        options.shouldEnableClassification
          ? try classifier.classifier(interpreterOptions) : nil, interpreterOptions)
      stream = ObjectStream(finder, options: options)
    } catch {
      Streams.failure(error)
      return 1
    }
    do {
      var source = try FilmSource(path, limits: limits)
      var film = try annotation.map { try AnnotatedFilm($0, of: source) }
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
    if format == .csv { Streams.out(CSV.objectColumns) }
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
        report(name, number, error)
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
    guard isFirst else { return try stream.followedObjects(in: image) }
    for box in start where PixelRectangle(covering: box, in: image.size) == nil {
      let numbers = [box.x, box.y, box.width, box.height].map { "\($0)" }
      Streams.err(
        """
        martlet: --start \(numbers.joined(separator: ",")) lies outside the first frame of \
        \(image.width) x \(image.height) pixels: there is nothing to follow
        """)
    }
    return stream.begin(with: start, in: image)
  }

  private func report(
    _ name: String, _ number: Int, _ image: RGBImage, _ objects: [DetectedObject],
    _ watch: Stopwatch
  ) {
    switch format {
    case .json:
      Streams.out("\(JSON.line(of: name, frame: number, image.size, objects) + watch.json)")
    case .csv:
      if objects.isEmpty { Streams.out(CSV.line(name, frame: number)) }
      for (index, object) in objects.enumerated() {
        Streams.out(CSV.line(name, frame: number, number: index + 1, object))
      }
    case .table where annotation == "-": break
    case .table:
      let time = watch.words.isEmpty ? "" : " (\(watch.words) ms)"
      let words = objects.isEmpty ? "none" : objects.map(\.words).joined(separator: "; ")
      Streams.out("\(name)\(time): \(words)")
    }
  }

  private func report(_ name: String, _ number: Int, _ reason: any Error) {
    switch format {
    case .table: break
    case .json: Streams.out("\(JSON.failure(of: name, frame: number, "\(reason)"))")
    case .csv: Streams.out(CSV.line(name, frame: number, error: reason))
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
