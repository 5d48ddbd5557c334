//===--- ReportCommand.swift - martlet report -----------------------------===//
//
// Makes the page of `--report` from lines of results. An image that cannot be read any more is shown
// as a card with its results, and is an error.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision

struct ReportCommand: Command {
  static let specification = CommandSpecification(
    name: "report", summary: "Makes an HTML page from the lines of --json or --resume.",
    operands: "RESULTS.jsonl", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.html", help: "HTML page to write (required)"),
      StrictOption.specification, MemoryOption.specification,
    ])

  private let path: FilePath
  private let output: FilePath
  private let outputs: Outputs
  private let limits: ImageLimits
  private let isStrict: Bool
  private let workers: Workers

  /// The longest line in bytes: 64 MiB.
  private static let lineLimit = 1 << 26

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    output = try arguments.required("--output")
    outputs = Outputs(arguments)
    limits = try MemoryOption.limits(arguments)
    isStrict = arguments.has(StrictOption.specification.name)
    workers = try arguments.workers()
  }

  func run() -> Int32 {
    var status: Int32 = 0
    do {
      let page = try HTMLReport(output, of: outputs)
      var reader = LineReader(
        try OpenFile(reading: path), path: path, limit: ReportCommand.lineLimit)
      var number = 0
      while let (bytes, _) = try reader.next(endingWith: UInt8(ascii: "\n")) {
        number += 1
        if bytes.isEmpty { continue }
        if number == 1, let header = ResultsHeader(Array(bytes)) {
          try page.add(command: header.words)
          continue
        }
        let line: JSON
        do throws(JSONError) {
          line = try JSON(parsing: Array(bytes))
        } catch { throw BoxesFileError.line(number, error) }
        guard let image = FilePath("image", of: line) else {
          throw BoxesFileError.line(number, .missing(path: "image"))
        }
        // `finish` does not replace it.
        outputs.spare(image)
        var pixels: RGBImage?
        if try !JSONReader(line).has("error") {
          do {
            pixels = try ImageFile(
              readingFrom: image, limits: limits, isStrict: isStrict,
              minimumSide: HTMLReport.side, workers: workers
            ).upright
          } catch {
            Streams.failure(image, error)
            status = 1
          }
        }
        try page.add(line, pixels)
      }
      try page.finish()
      return status
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }
}
