//===--- ImageSearch.swift - detection in still images --------------------===//
//
// The part that `detect` and `faces` share: reading still images, printing and drawing the results.
//
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletSystem
import MartletVision

/// Processes still images one after another, and prints and draws the results.
struct ImageSearch {
  /// The output options, in addition to those of `Inputs`.
  static let outputOptions =
    ResultFormat.options + [
      OptionSpecification(
        "--annotate", "PATH",
        help: """
          write the image with what was found drawn on it, as .png, .jpg or .ppm (a folder for \
          several: JPEG for JPEG, otherwise PNG)
          """),
      OptionSpecification(
        "--save-crops", "DIR", help: "write what is in each box, as DIR/a-1.png, DIR/a-2.png …"),
      OptionSpecification(
        "--report", "FILE.html", excludes: ["--resume"],
        help: "write a page of all images with their boxes, to look through in a browser"),
      OptionSpecification(
        "--resume", "FILE", excludes: ["--json", "--format"],
        help: "write the lines of JSON into FILE, and skip the images that it has already"),
    ]

  private let inputs: Inputs
  private let format: ResultFormat
  private let annotation: OutputPaths?
  private let crops: OutputPaths?
  private let report: String?
  private let resumed: String?

  /// The time limit of each image.
  var deadline: Deadline { inputs.deadline }

  init(_ arguments: Arguments) throws(UsageError) {
    let inputs = try Inputs(arguments)
    self.inputs = inputs
    resumed = arguments["--resume"]
    let isResumed = resumed != nil
    format = isResumed ? .json : try ResultFormat(arguments)
    annotation = try arguments["--annotate"].map { path throws(UsageError) in
      try OutputPaths("--annotate", path, isSingle: inputs.isSingle, keepsFiles: isResumed)
    }
    crops = arguments["--save-crops"].map { OutputPaths(folder: $0, keepsFiles: isResumed) }
    report = arguments["--report"]
  }

  /// Prints and draws what `find` detects in each image, in pixels of the full image, and returns
  /// the exit status.
  func run<Result: Finding>(
    _ workers: Workers, _ find: (DetectionImage) throws(VisionError) -> [Result]
  ) -> Int32 {
    var table = Result.table(hasTimings: inputs.hasTimings)
    var (annotation, crops) = (annotation, crops)
    var isRanked = false
    let results: ResultsFile?
    let page: HTMLReport?
    do throws(FailedFile) {
      results = try resumed.map { path throws(FailedFile) in
        try FailedFile.naming(path) { try ResultsFile(continuing: path) }
      }
      page = try report.map { path throws(FailedFile) in
        try FailedFile.naming(path) { try HTMLReport(path, sparing: inputs.identities) }
      }
    } catch {
      Streams.failure(error)
      return 1
    }
    format.begin(Result.self)
    let images = inputs.images(workers, done: results?.images ?? [])
    for (path, decoded) in images {
      do {
        let input = try decoded.get()
        let image = DetectionImage(input.file)
        let found = try find(image)
        var members = input.file.warnings.json + input.watch.json
        let path = try annotation?.write(for: input.path, sparing: input.inputs) { format in
          try input.annotated(found.annotations, as: format)
        }
        if let path { members.append(("annotated", .string(path))) }
        if crops != nil {
          members.append(
            (
              "crops",
              .array(
                try found.enumerated().map { index, finding in
                  let part = PixelRectangle(covering: finding.frame, in: image.size)
                  guard let crop = part.flatMap({ image.pixels.croppedClipping(to: $0) }) else {
                    return .null
                  }
                  let path = try crops?.write(
                    crop, for: input.path, part: "-\(index + 1)", sparing: input.inputs)
                  return path.map { .string($0) } ?? .null
                })
            ))
        }
        if format == .table { Result.add(found, of: input, to: &table) }
        isRanked = isRanked || zip(found, found.dropFirst()).contains { $0.score < $1.score }
        format.report(found, in: input.path, image.size, members, to: results?.file)
        page?.add(Result.line(of: input.path, frame: nil, image.size, found), image.pixels)
      } catch {
        images.report(error, about: path)
        format.report(error, about: path, Result.self, to: results?.file)
        page?.add(JSON.failure(of: path, "\(error)"), nil)
      }
    }
    let status = images.finish()
    page?.finish()
    if !table.rows.isEmpty { Streams.out("\(table)") }
    if isRanked, format == .table {
      Streams.err("The most prominent come first; the score is the certainty of each.")
    }
    return status
  }
}

extension Array where Element: Finding {
  /// What is drawn on an image for the results.
  var annotations: [Annotation] { enumerated().map { $1.annotation(at: $0) } }
}
