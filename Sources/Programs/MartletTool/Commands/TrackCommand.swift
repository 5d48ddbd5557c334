//===--- TrackCommand.swift - martlet track -------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision

struct TrackCommand: Command {
  static let specification = CommandSpecification(
    name: "track", summary: "Tracks objects or faces through the frames of a video.",
    operands: "SOURCE", operandCount: 1...1,
    options: objectOptions.map { $0.excluding("--faces") } + [
      OptionSpecification(
        "--detect-every", "N",
        help: "Detect in every Nth frame (default: objects 1, faces 5)"),
      OptionSpecification(
        "--keep-lost", "N",
        help: "Frames to keep a lost track (default: objects 30, faces 15)"),
      OptionSpecification(
        "--classify",
        help: "Classify each object, or smiling and open eyes of faces"),
      OptionSpecification(
        "--min-score", "X",
        help: "Lowest score to report, 0–1 (default: objects 0.08–0.25, faces 0.4)"),
      OptionSpecification("--faces", help: "Track faces instead of objects"),
    ] + faceOptions.map { $0.needing("--faces") } + ConfigurationOptions.options
      + ResultFormat.options(ResultFormat.all) + [
        OptionSpecification(
          "--annotate", "PATH",
          help: "Save frames with the results drawn on them: folder, FILE.y4m or -"),
        ConcealOption.specification("PATH", "folder, FILE.y4m or -"),
        OptionSpecification(
          "--fps", "N", help: "Frames per second of a source that does not say (default: 25)"),
        StrictOption.specification, MemoryOption.specification, TimeoutOption.ofImages,
        Stopwatch.option,
      ],
    remarks: [
      "SOURCE: a folder of numbered frames, a video, or - for standard input",
      "example: ffmpeg -i in.mp4 -f yuv4mpegpipe -pix_fmt yuv420p - | martlet track - --json",
    ])

  private static let objectOptions =
    [
      OptionSpecification("--multiple", help: "Detect up to five objects instead of one"),
      OptionSpecification("--max-objects", "N", help: "Detect up to N objects"),
      OptionSpecification(
        "--start", "X,Y,W,H", repeats: true,
        excludes: [
          "--multiple", "--max-objects", "--min-score", "--detector",
        ],
        help: "Track the object in this box of the first frame (up to 100 boxes)"),
    ] + ClassifierOptions.ofObjects.filter { $0.name != "--classify" } + LocalizerOptions.detectors

  private static let faceOptions =
    FaceOptions.ownOptions + [
      OptionSpecification("--no-smoothing", help: "Report the points of each frame unsmoothed")
    ]

  private let path: FilePath
  private let outputs: Outputs
  private let limits: ImageLimits
  private let deadline: Deadline
  private let isStrict: Bool
  private let start: [Box]
  private let objects: ObjectOptions
  /// The parts of faces to detect; `nil` if objects are tracked.
  private let faces: FaceOptions?
  private let interpreterOptions: Interpreter.Options
  private let format: ResultFormat
  private let output: FilePath?
  private let annotation: FilePath?
  private let concealment: ConcealOption?
  private let rate: Double?
  private let hasTimings: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? .standardStream
    outputs = Outputs(arguments)
    limits = try MemoryOption.limits(arguments)
    deadline = try TimeoutOption.deadline(arguments)
    isStrict = arguments.has(StrictOption.specification.name)
    var boxes: [Box] = []
    for text in arguments.all("--start") { boxes.append(try Box("--start", text)) }
    guard boxes.count <= ObjectStream.initialBoxLimit else {
      throw .invalidValue(
        option: "--start", value: "\(boxes.count) boxes",
        expected: "at most \(ObjectStream.initialBoxLimit)")
    }
    start = boxes
    concealment = try ConcealOption(arguments)
    var faces = arguments.has("--faces") ? try FaceOptions(arguments, isTracking: true) : nil
    // A new face must not be shown until the next detection.
    if concealment != nil, !arguments.has("--detect-every") {
      faces?.configuration.detectionInterval = 1
    }
    self.faces = faces
    objects = try ObjectOptions(arguments, isStream: true)
    interpreterOptions = try arguments.interpreterOptions(deadline)
    format = try ResultFormat(arguments)
    output = arguments.path("--output")
    annotation = arguments.path("--annotate")
    rate = try arguments.number("--fps", in: 0.01...Double(1000))
    hasTimings = arguments.has(Stopwatch.option.name)
    if let annotation {
      try AnnotatedVideo.check(
        annotation, of: "--annotate", isPrinting: isPrinted && format != .table)
    }
    if let concealment {
      try concealment.checkVideo(isPrinting: isPrinted && format != .table)
      if annotation == .standardStream, concealment.path == .standardStream {
        throw .excludes(option: "--conceal \(concealment.style.rawValue) -", other: "--annotate -")
      }
    }
  }

  /// Whether results go to standard output.
  private var isPrinted: Bool { output.map(Outputs.isStandardOutput) ?? true }

  func run() -> Int32 {
    do throws(FailedFile) {
      if let faces {
        let stream = try faces.stream(interpreterOptions)
        return track { frame, _ throws(VisionError) in
          try stream.results(in: DetectionImage(frame))
        }
      }
      let stream = ObjectStream(try objects.finder(interpreterOptions))
      func find(_ frame: RGBImage, isFirst: Bool) throws(VisionError) -> [DetectedObject] {
        try objects(in: frame, stream, isFirst: isFirst)
      }
      guard objects.hasFineLabels else { return track(find) }
      return track { frame, isFirst throws(VisionError) in
        try find(frame, isFirst: isFirst).map(NamedObject.init)
      }
    } catch {
      Streams.failure(error)
      return 1
    }
  }

  /// The number of frames for which a lost track is kept.
  private var lostFrameCount: Int {
    faces?.configuration.maximumLostFrames ?? objects.configuration.tracking.lostFrameCount
  }

  /// Calls `find` with each frame, prints and draws the results, and returns the exit status.
  private func track<Result: Finding>(
    _ find: (RGBImage, _ isFirst: Bool) throws(VisionError) -> [Result]
  ) -> Int32 {
    do {
      var source = try VideoSource(path, limits: limits, isStrict: isStrict, rate: rate, deadline)
      let writer = try ResultWriter<Result>(
        format, to: output, of: outputs, Result.table(hasTimings: false))
      var video = try annotation.map { try AnnotatedVideo($0, of: source, outputs) }
      var concealed = try concealment.map {
        ConcealedVideo(
          try AnnotatedVideo($0.path, of: source, outputs), $0.style,
          lostFrameCount: lostFrameCount, limits: limits)
      }
      return track(&source, find, writer, &video, &concealed)
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }

  private func track<Result: Finding>(
    _ source: inout VideoSource,
    _ find: (RGBImage, _ isFirst: Bool) throws(VisionError) -> [Result],
    _ writer: ResultWriter<Result>, _ video: inout AnnotatedVideo?,
    _ concealed: inout ConcealedVideo?
  ) -> Int32 {
    var hasStarted = false
    var sides = LabelSides()
    var (count, failed) = (0, 0)
    var status: Int32 = 0
    var identifiers: Set<Int> = []
    let start = MonotonicClock.now
    var bar = ProgressBar(total: source.frameCount)
    var watch = Stopwatch(isRunning: hasTimings)
    while let (name, number, result) = next(&source) {
      do {
        let image = try result.get()
        let found = try find(image, !hasStarted)
        hasStarted = true
        if video != nil {
          let annotated = image.annotated(found.annotations, keeping: &sides)
          try video?.add(annotated, name: name, number: number)
        }
        try concealed?.add(found, in: image, name: name, number: number)
        identifiers.formUnion(found.compactMap(\.trackingID))
        if format != .table {
          try writer.add(
            found, in: name, frame: number, image.size, source.warnings.json + watch.json)
        } else if !isPrinted || ![annotation, concealment?.path].contains(.standardStream) {
          writer.add(line(found, in: name, watch))
        }
      } catch {
        Streams.failure(name, error)
        writer.add(error, about: name, frame: number)
        failed += 1
      }
      count += 1
      bar.show(count)
      watch = Stopwatch(isRunning: hasTimings)
    }
    bar.finish()
    do {
      try video?.finish()
      try concealed?.finish()
      try writer.finish()
    } catch {
      Streams.failure(path, error)
      status = 1
    }
    let seconds = JSON.decimal(MonotonicClock.now - start, places: 1, isPadded: true) ?? ""
    Streams.err(
      "\(counted(count, "frame")), \(failed) failed, \(counted(identifiers.count, "track")), "
        + "\(seconds) s")
    return failed > 0 ? 1 : status
  }

  /// Returns the next frame and prints its warnings.
  private func next(_ source: inout VideoSource) -> VideoSource.Frame? {
    let frame = source.next()
    for warning in source.warnings { Streams.warning(frame?.name ?? path, warning) }
    return frame
  }

  /// A line of text about a frame.
  private func line<Result: Finding>(
    _ found: [Result], in name: FilePath, _ watch: Stopwatch
  ) -> String {
    let time = watch.words.isEmpty ? "" : " (\(watch.words) ms)"
    let words = found.isEmpty ? "none" : found.map(\.sentence).joined(separator: "; ")
    return "\(name)\(time): \(words)".printable
  }

  private func objects(
    in image: RGBImage, _ stream: ObjectStream, isFirst: Bool
  ) throws(VisionError) -> [DetectedObject] {
    if start.isEmpty { return try stream.objects(in: image) }
    guard isFirst else { return try stream.trackedObjects(in: image) }
    for box in start where PixelRectangle(covering: box, in: image.size) == nil {
      let numbers = [box.x, box.y, box.width, box.height].map { "\($0)" }
      Streams.err(
        """
        martlet: --start \(numbers.joined(separator: ",")) lies outside the first frame of \
        \(image.width) x \(image.height) pixels
        """)
    }
    return try stream.begin(with: start, in: image)
  }
}
