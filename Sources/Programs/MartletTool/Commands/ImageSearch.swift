//===--- ImageSearch.swift - detection in still images --------------------===//
//
// The part that `detect` and `faces` share: reading still images, printing and drawing the results.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletVision

/// Processes still images one after another, and prints and draws the results.
struct ImageSearch {
  /// The output options, in addition to those of `Inputs`.
  static let outputOptions =
    ResultFormat.options(ResultFormat.boxes) + [
      OptionSpecification(
        "--annotate", "PATH",
        help: "Save a copy with the results drawn on it: .png, .jpg, .ppm or a folder"),
      ConcealOption.specification("PATH", "a file or folder"),
      OptionSpecification(
        "--save-crops", "DIR", help: "Save the content of each box as DIR/a-1.png, DIR/a-2.png, …"),
    ] + CropShape.options + [
      OptionSpecification(
        "--report", "FILE.html", excludes: ["--resume"],
        help: "Save an HTML page that shows all images with their boxes"),
      OptionSpecification(
        "--resume", "FILE", excludes: ["--json", "--format", "--output"],
        help: "Append JSON lines to FILE, skipping images already in it"),
      OptionSpecification(
        "--retry", needs: ["--resume"], help: "Repeat images that failed in earlier runs"),
    ]

  private let inputs: Inputs
  private let format: ResultFormat
  private let output: FilePath?
  private let annotation: OutputPaths?
  private let concealment: (style: Concealment, paths: OutputPaths)?
  private let crops: OutputPaths?
  private let cropShape: CropShape
  private let report: FilePath?
  private let resumed: FilePath?
  private let header: ResultsHeader
  private let retries: Bool

  /// The time limit of each image.
  var deadline: Deadline { inputs.deadline }

  init(_ arguments: Arguments) throws(UsageError) {
    let inputs = try Inputs(arguments)
    self.inputs = inputs
    resumed = arguments.path("--resume")
    retries = arguments.has("--retry")
    header = ResultsHeader(arguments)
    if resumed != nil { inputs.outputs.keepsFiles = true }
    format = resumed != nil ? .json : try ResultFormat(arguments, of: ResultFormat.boxes)
    output = arguments.path("--output")
    annotation = try arguments.path("--annotate").map { path throws(UsageError) in
      try OutputPaths("--annotate", path, isSingle: inputs.isSingle, of: inputs.outputs)
    }
    concealment = try ConcealOption(arguments).map { option throws(UsageError) in
      (option.style, try option.paths(isSingle: inputs.isSingle, of: inputs.outputs))
    }
    crops = arguments.path("--save-crops").map { OutputPaths(folder: $0, of: inputs.outputs) }
    cropShape = try CropShape(arguments)
    report = arguments.path("--report")
  }

  /// Prints and draws what `find` detects in each image, in pixels of the full image, and returns
  /// the exit status. `classes` are the names of the classes in annotations.
  func run<Result: Finding>(
    _ workers: Workers, classes: [String],
    _ find: (DetectionImage) throws(VisionError) -> [Result]
  ) -> Int32 {
    var (annotation, concealment, crops) = (annotation, concealment, crops)
    let results: ResultsFile?
    let writer: ResultWriter<Result>
    var page: HTMLReport?
    do throws(FailedFile) {
      results = try resumed.map { path throws(FailedFile) in
        try FailedFile.naming(path) {
          try inputs.outputs.claim(path)
          return try ResultsFile(path, header, retries: retries)
        }
      }
      writer = try FailedFile.naming(output ?? .standardStream) {
        try ResultWriter(
          format, to: output, of: inputs.outputs,
          Result.table(hasTimings: inputs.hasTimings, pathWidth: inputs.pathWidth),
          classes: classes)
      }
      page = try report.map { path throws(FailedFile) in
        try FailedFile.naming(path) {
          let page = try HTMLReport(path, of: inputs.outputs)
          try page.add(command: header.words)
          return page
        }
      }
    } catch {
      Streams.failure(error)
      return 1
    }
    let images = inputs.images(workers, results)
    func add(_ line: JSON, _ image: RGBImage?) {
      do throws(FileError) { try page?.add(line, image) } catch {
        page = nil
        images.fail(error)
      }
    }
    for (path, decoded) in images {
      // The files made from this image, which only its line names.
      var files: [OutputFile] = []
      var members: [(String, JSON)] = []
      func keep(_ file: OutputFile?, as name: String) {
        guard let file else { return }
        files.append(file)
        members += [(name, .string("\(file.path)"))] + file.path.json(name)
      }
      do {
        let input = try decoded.get()
        let image = DetectionImage(input.file)
        let found = try find(image)
        members = input.file.warnings.json + input.watch.json
        keep(
          try annotation?.write(for: path, in: input.folder) {
            try input.annotated(found.annotations, as: $0)
          }, as: "annotated")
        if let style = concealment?.style {
          keep(
            try concealment?.paths.write(for: path, in: input.folder) {
              try input.concealed(found.map(\.frame), style, of: image.pixels, as: $0)
            }, as: "concealed")
        }
        if crops != nil {
          let paths = try found.enumerated().map { index, finding -> FilePath? in
            let box = cropShape.box(around: finding.frame, in: image.size)
            let part = PixelRectangle(covering: box, in: image.size)
            guard let crop = part.flatMap({ image.pixels.croppedClipping(to: $0) }),
              let file = try crops?.write(
                crop, for: path, in: input.folder, part: "-\(index + 1)")
            else { return nil }
            files.append(file)
            return file.path
          }
          members += JSON.members("crops", paths)
        }
        if let results {
          try results.append(Result.line(of: path, frame: nil, image.size, found) + members)
        } else {
          try writer.add(
            found, in: path, folder: input.folder, image.size, members, time: input.watch.words)
        }
        add(Result.line(of: path, frame: nil, image.size, found), image.pixels)
      } catch let error as FileError where error.isOfOutput && results != nil {
        // The image has no line, so that the next run repeats it.
        for file in files { file.undo() }
        images.report(error, about: path)
        if error.path == resumed { break }
      } catch {
        images.report(error, about: path)
        do throws(FileError) { try results?.append(.failure(of: path, error)) } catch {
          images.fail(error)
          break
        }
        if results == nil { writer.add(error, about: path) }
        add(.failure(of: path, error), nil)
      }
    }
    do throws(FileError) { try page?.finish() } catch { images.fail(error) }
    do throws(FileError) { try writer.finish() } catch { images.fail(error) }
    return images.finish()
  }
}

extension JSON {
  /// A list of paths, and another of their bytes if one of them is not UTF-8.
  fileprivate static func members(_ name: String, _ paths: [FilePath?]) -> [(String, JSON)] {
    let texts = paths.map { path in path.map { JSON.string("\($0)") } ?? .null }
    let bytes = paths.map { path in path?.base64.map { JSON.string($0) } ?? .null }
    let isText = paths.allSatisfy { $0?.base64 == nil }
    return [(name, .array(texts))] + (isText ? [] : [(name + "Bytes", .array(bytes))])
  }
}

extension Array where Element: Finding {
  /// What is drawn on an image for the results.
  var annotations: [Annotation] { enumerated().map { $1.annotation(at: $0) } }
}
