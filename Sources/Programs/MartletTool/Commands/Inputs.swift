//===--- Inputs.swift - the input images of commands ----------------------===//
//
// Operands are paths, folders and patterns, or `-` for one image on standard input; `--files-from`
// names a list. The images of a folder are sorted by name. A pattern with `*`, `?` or `[` is
// expanded unless a file has that path. Large images are decoded at a part of their size, unless an
// option needs all pixels; annotated images always have all.
//
// Contract  An unreadable image is reported in one line; the others are processed, and the exit
//           status is 1. The last line counts the images if there are several. Damage that does not
//           prevent decoding is reported in one line each and is no failure. A list on standard input
//           is processed line by line. Input files are never overwritten; while a list in a pipe may
//           name more of them, no existing file is. A file that this run wrote is no input. The
//           first bytes and the size of an image are checked before the rest is read; no file,
//           device or pipe takes more memory than its limit.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletInference

/// An input image of a command.
struct ImageInput {
  /// The path, as given or as found in a folder.
  let path: FilePath
  /// Its folder below the one that was given; empty for an image that was given itself.
  let folder: FilePath
  let file: ImageFile
  let watch: Stopwatch
  fileprivate let bytes: [UInt8]
  fileprivate let decoding: ImageDecoding

  /// The size of the full upright image.
  private var size: ImageSize { file.orientation.upright(file.fullSize) }

  /// The image with annotations as a file.
  func annotated(_ annotations: [Annotation], as format: ImageFormat) throws -> [UInt8] {
    try drawn(Drawing(annotations, on: size), as: format) { $0 = $0.annotated(annotations) }
  }

  /// The image with unrecognizable boxes as a file, without metadata. `image` has the image's pixels at
  /// any size.
  func concealed(
    _ boxes: [Box], _ style: Concealment, of image: RGBImage, as format: ImageFormat
  ) throws -> [UInt8] {
    try drawn(Drawing(concealing: boxes, as: style, of: image, on: size), as: format) {
      $0.conceal(boxes, as: style, of: image)
    }
  }

  /// The image with a drawing as a file. A JPEG file is made from a JPEG file without decoding it, if
  /// that is possible; otherwise all pixels are decoded, unless they have been, and `draw` draws on them.
  private func drawn(
    _ drawing: @autoclosure () -> Drawing?, as format: ImageFormat, _ draw: (inout RGBImage) -> Void
  ) throws -> [UInt8] {
    if format == .jpeg, let drawing = drawing(),
      let drawn = JPEG.redrawn(bytes, with: drawing, convertsColors: decoding.convertsColors)
    {
      return drawn
    }
    let isFull = file.image.size == file.fullSize
    var pixels = try (isFull ? file : decoding.decode(bytes)).upright
    draw(&pixels)
    return try format.encoded(pixels)
  }
}

/// How the images of a command are decoded.
private struct ImageDecoding {
  let limits: ImageLimits
  let isStrict: Bool
  let convertsColors: Bool
  let workers: Workers

  /// Decodes an image, if it is large at a part of its size with at least `minimumSide` pixels.
  func decode(_ bytes: [UInt8], minimumSide: Int? = nil) throws(ImageFileError) -> ImageFile {
    try ImageFile(
      decoding: bytes, limits: limits, isStrict: isStrict, minimumSide: minimumSide,
      convertsColors: convertsColors, workers: workers)
  }
}

/// The input images of a command.
struct Inputs {
  static let options = [
    OptionSpecification(
      "--files-from", "FILE", isInput: true,
      help: "Read image paths from FILE, or - for standard input"),
    OptionSpecification(
      "--recursive", help: "Search subfolders too, but follow no links to folders"),
    OptionSpecification(
      fullResolution, help: "Decode large images at full size instead of a reduced one"),
    OptionSpecification(noColorConversion, help: "Ignore color profiles and use colors as stored"),
    StrictOption.specification, MemoryOption.specification, TimeoutOption.ofImages,
    Stopwatch.option,
  ]

  /// The help's line about operands.
  static let remark =
    "IMAGE: a file, a folder, a pattern in quotation marks, or - for standard input"

  /// The options of commands that write the samples as stored.
  static let rawOptions = options.filter {
    ![fullResolution, noColorConversion, Stopwatch.option.name].contains($0.name)
  }

  private static let fullResolution = "--full-resolution"
  private static let noColorConversion = "--no-color-conversion"
  /// The options for which detectors examine all pixels of an image.
  private static let fullOptions = ["--save-crops", "--region"]

  /// The paths with the folder that was given instead, and why some of them hold no image.
  fileprivate let operands: [(path: FilePath, root: FilePath?)]
  private let failures: [FilePath: any Error]
  /// The folders of which something was left out, and what.
  fileprivate let notes: [(folder: FilePath, text: String)]
  fileprivate let list: FilePath?
  /// The files that the command may write.
  let outputs: Outputs
  private let limits: ImageLimits
  private let isStrict: Bool
  private let minimumSide: Int?
  private let convertsColors: Bool
  /// The time limit of each image, which begins again when its bytes have been read.
  let deadline: Deadline
  /// Whether `--timings` requests the time of each image.
  let hasTimings: Bool

  /// The inputs of a command. If `isRaw`, images are neither reduced nor converted to sRGB.
  init(_ arguments: Arguments, isRaw: Bool = false) throws(UsageError) {
    var operands: [(path: FilePath, root: FilePath?)] = []
    var failures: [FilePath: any Error] = [:]
    var notes: [(folder: FilePath, text: String)] = []
    for operand in arguments.operands {
      guard Files.kind(operand) == .folder else {
        operands += Inputs.matches(operand).map { ($0, nil) }
        continue
      }
      do throws(FileError) {
        let search = try FolderSearch(operand, isRecursive: arguments.has("--recursive"))
        if search.images.isEmpty {
          failures[operand] = NoImages(rest: search.rest)
        } else if let text = search.leftOut {
          notes.append((operand, text))
        }
        operands +=
          search.images.isEmpty ? [(operand, nil)] : search.images.map { ($0, operand) }
      } catch {
        failures[operand] = error
        operands.append((operand, nil))
      }
    }
    self.operands = operands
    self.failures = failures
    self.notes = notes
    list = arguments.path("--files-from")
    outputs = Outputs(arguments)
    for operand in operands { outputs.spare(operand.path) }
    limits = try MemoryOption.limits(arguments)
    deadline = try TimeoutOption.deadline(arguments)
    isStrict = arguments.has(StrictOption.specification.name)
    let isFull =
      arguments.has(Inputs.fullResolution)
      || Inputs.fullOptions.contains { arguments[$0] != nil }
    minimumSide = isRaw || isFull ? nil : ImageFile.detectionSide
    convertsColors = !isRaw && !arguments.has(Inputs.noColorConversion)
    hasTimings = arguments.has(Stopwatch.option.name)
    guard !arguments.operands.isEmpty || list != nil else {
      throw .operandCount(found: 0, expected: 1...Int.max, name: "IMAGE")
    }
  }

  /// Whether the only input is one operand.
  var isSingle: Bool { list == nil && operands.count == 1 }

  /// The images, except for those of `results`, each decoded when it is requested.
  func images(_ workers: Workers, _ results: ResultsFile? = nil) -> InputImages {
    InputImages(self, workers, results)
  }

  /// The width of the longest path that was given, in characters.
  var pathWidth: Int { operands.map { "\($0.path)".printable.count }.max() ?? 0 }

  /// Decodes the image at `path`.
  fileprivate func decode(
    _ path: FilePath, _ folder: FilePath, _ workers: Workers
  ) -> Result<ImageInput, any Error> {
    Result {
      if let failure = failures[path] { throw failure }
      if outputs.hasWritten(path) { throw FileError.wasWritten(path: path) }
      let watch = Stopwatch(isRunning: hasTimings)
      let decoding = ImageDecoding(
        limits: limits, isStrict: isStrict, convertsColors: convertsColors,
        workers: workers.checking(deadline.check))
      let bytes = try ImageFile.bytes(readingFrom: path, limits: limits)
      deadline.begin()
      let file = try decoding.decode(bytes, minimumSide: minimumSide)
      for warning in file.warnings { Streams.warning(path, warning) }
      return ImageInput(
        path: path, folder: folder, file: file, watch: watch, bytes: bytes, decoding: decoding)
    }
  }

  /// `492 images, 6 failed, 100 done before, 3.1 s`.
  static func summary(of all: Int, failed: Int, done: Int, after time: Double) -> String {
    let seconds = JSON.decimal(time, places: 1, isPadded: true) ?? ""
    return
      (["\(all) images", "\(failed) failed"] + (done > 0 ? ["\(done) done before"] : [])
      + ["\(seconds) s"]).joined(separator: ", ")
  }

  /// The path itself, or the matches of a pattern.
  private static func matches(_ operand: FilePath) -> [FilePath] {
    let isPattern = operand.contains(anyOf: "*?[") && Files.kind(operand) == nil
    let matches = isPattern ? Files.matches(of: operand) : []
    return matches.isEmpty ? [operand] : matches
  }
}

/// The input images of a command, one after another. Errors are printed.
///
/// ```swift
/// let images = inputs.images(workers)
/// for (path, decoded) in images {
///   do { try process(try decoded.get()) } catch { images.report(error, about: path) }
/// }
/// return images.finish()
/// ```
final class InputImages: Sequence, IteratorProtocol {
  /// The path, and the image or why it cannot be read.
  typealias Element = (path: FilePath, image: Result<ImageInput, any Error>)

  private let inputs: Inputs
  private let workers: Workers
  private let results: ResultsFile?
  private let start = MonotonicClock.now
  /// The paths of the list, for after the operands.
  private var paths: PathList?
  private var index = 0
  private var counts = (all: 0, failed: 0, done: 0)
  private var hasFailed = false
  private var bar: ProgressBar

  fileprivate init(_ inputs: Inputs, _ workers: Workers, _ results: ResultsFile?) {
    self.inputs = inputs
    self.workers = workers
    self.results = results
    for note in inputs.notes { Streams.failure("\(note.folder)", note.text) }
    var total: Int? = inputs.operands.count
    do throws(FileError) {
      if let list = inputs.list {
        total = try InputImages.spare(list, inputs.outputs).map { $0 + inputs.operands.count }
        paths = try PathList(list)
      }
    } catch {
      Streams.failure(inputs.list ?? "-", error)
      hasFailed = true
    }
    bar = ProgressBar(total: total)
  }

  func next() -> Element? {
    while let path = nextPath() {
      bar.show(index - 1)
      counts.all += 1
      if results?.done.contains(path) == true {
        counts.done += 1
      } else if let error = results?.failed[path] {
        Streams.failure("\(path)", "\(error); --retry repeats it")
        counts.failed += 1
        hasFailed = true
      } else {
        if index > inputs.operands.count, !inputs.outputs.hasWritten(path) {
          inputs.outputs.spare(path)
        }
        let root = index <= inputs.operands.count ? inputs.operands[index - 1].root : nil
        return (path, inputs.decode(path, root.map(path.folder) ?? "", workers))
      }
    }
    return nil
  }

  /// Prints why an image failed.
  func report(_ error: any Error, about path: FilePath) {
    Streams.failure(path, error)
    counts.failed += 1
    hasFailed = true
  }

  /// Prints why an output of all images failed.
  func fail(_ error: FileError) {
    Streams.failure(error.path, error)
    hasFailed = true
  }

  /// Prints the number of images if there are several, and returns the exit status.
  func finish() -> Int32 {
    bar.finish()
    if counts.all > 1 {
      Streams.err(
        Inputs.summary(
          of: counts.all, failed: counts.failed, done: counts.done,
          after: MonotonicClock.now - start))
    }
    return hasFailed ? 1 : 0
  }

  /// The next operand; after the last one, the next line of the list.
  private func nextPath() -> FilePath? {
    defer { index += 1 }
    if index < inputs.operands.count { return inputs.operands[index].path }
    do throws(FileError) { return try paths?.next() } catch {
      Streams.failure(inputs.list ?? "-", error)
      hasFailed = true
      return nil
    }
  }

  /// Protects the files of a list from being overwritten, and returns their number. Returns `nil`
  /// for a pipe, which can be read only once: its files are added as they are read, and until then
  /// all existing files are kept.
  private static func spare(_ list: FilePath, _ outputs: Outputs) throws(FileError) -> Int? {
    guard list != .standardStream, Files.kind(list) == .regular else {
      outputs.keepsFiles = true
      return nil
    }
    var paths = try PathList(list)
    var count = 0
    while let path = try paths.next() {
      outputs.spare(path)
      count += 1
    }
    return count
  }
}

extension ImageFile {
  /// Decodes the image in the file at `path`, or on standard input if it is `-`.
  init(
    readingFrom path: FilePath, limits: ImageLimits, isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws {
    try self.init(
      decoding: try ImageFile.bytes(readingFrom: path, limits: limits), limits: limits,
      isStrict: isStrict, minimumSide: minimumSide, workers: workers)
  }

  /// The contents of the image file at `path`, or on standard input if it is `-`.
  fileprivate static func bytes(readingFrom path: FilePath, limits: ImageLimits) throws -> [UInt8] {
    let file = try OpenFile(reading: path)
    let beginning = try file.beginning(atLeast: ImageFile.signatureLength)
    try ImageFile.check(beginning: beginning, byteCount: file.plainSize, limits: limits)
    do throws(FileError) {
      return try file.rest(after: beginning, limit: limits.memory)
    } catch .tooLarge(_, let limit) {
      throw ImageFileError.memory(MemoryExcess(needed: Int64(limit) + 1, limit: Int64(limit)))
    }
  }
}
