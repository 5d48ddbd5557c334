//===--- ImageSearch.swift - detection in still images --------------------===//
//
// The part that `detect` and `faces` share: reading still images, printing and drawing the results.
//
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
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
          several)
          """),
      OptionSpecification(
        "--save-crops", "DIR", help: "write what is in each box, as DIR/a-1.png, DIR/a-2.png …"),
    ]

  private let inputs: Inputs
  private let format: ResultFormat
  private let annotation: OutputPaths?
  private let crops: OutputPaths?

  init(_ arguments: Arguments) throws(UsageError) {
    let inputs = try Inputs(arguments)
    self.inputs = inputs
    format = try ResultFormat(arguments)
    annotation = try arguments["--annotate"].map { path throws(UsageError) in
      try OutputPaths("--annotate", path, isSingle: inputs.isSingle)
    }
    crops = arguments["--save-crops"].map { OutputPaths(folder: $0) }
  }

  /// Calls `find` with each image, prints and draws the results, and returns the exit status.
  func run<Result: Finding>(
    _ workers: Workers, _ find: (RGBImage) throws(VisionError) -> [Result]
  ) -> Int32 {
    var table = Result.table(hasTimings: inputs.hasTimings)
    var (annotation, crops) = (annotation, crops)
    format.begin(Result.self)
    let status = inputs.forEach(
      workers, failed: { path, error in format.report(error, about: path, Result.self) }
    ) { input in
      let image = input.file.upright
      let found = try find(image)
      if format == .table { Result.add(found, of: input, to: &table) }
      format.report(
        found, in: input.path, image.size, input.file.warnings.json + input.watch.json)
      try annotation?.write(image.annotated(found), for: input.path, sparing: input.inputs)
      for (index, finding) in found.enumerated() {
        let part = PixelRectangle(covering: finding.frame, in: image.size)
        guard let crop = part.flatMap({ image.croppedClipping(to: $0) }) else { continue }
        try crops?.write(crop, for: input.path, part: "-\(index + 1)", sparing: input.inputs)
      }
    }
    if !table.rows.isEmpty { Streams.out("\(table)") }
    return status
  }
}

extension RGBImage {
  /// The image with the results drawn on it.
  func annotated<Result: Finding>(_ findings: [Result]) -> RGBImage {
    annotated(findings.enumerated().map { $1.annotation(at: $0) })
  }
}
