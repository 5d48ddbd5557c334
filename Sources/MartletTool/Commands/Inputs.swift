//===--- Inputs.swift - the pictures that a command is given --------------===//
//
// Paths as operands, `-` for one picture on standard input, `--files-from` for a list.
//
// Contract  A picture that can't be read is reported in one line and the others go on; the exit
//           status is 1 then.
// Checked   Tests/MartletToolTests/CommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletInference

/// The pictures of `detect`, `classify` and `decode`.
struct Inputs {
  static let options = [
    OptionSpecification(
      "--files-from", "FILE", help: "read the pictures' paths from FILE, one a line (- for input)"),
    Stopwatch.option,
  ]

  private let operands: [String]
  private let list: String?
  /// Whether the time of each picture is asked for.
  let hasTimings: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    operands = arguments.operands
    list = arguments["--files-from"]
    hasTimings = arguments.has(Stopwatch.option.name)
    guard !operands.isEmpty || list != nil else {
      throw .operandCount(found: 0, expected: 1...Int.max)
    }
  }

  /// Whether there is just one picture.
  var isSingle: Bool { list == nil && operands.count == 1 }

  /// Calls `body` with each picture, upright, and returns the exit status.
  func forEach(
    _ workers: Workers,
    _ body: (_ path: String, _ image: RGBImage, _ watch: Stopwatch) throws -> Void
  ) -> Int32 {
    forEachFile(workers) { path, file, watch in try body(path, file.upright, watch) }
  }

  /// Calls `body` with each picture as its file holds it and returns the exit status.
  func forEachFile(
    _ workers: Workers,
    _ body: (_ path: String, _ file: ImageFile, _ watch: Stopwatch) throws -> Void
  ) -> Int32 {
    var paths = operands
    var status: Int32 = 0
    if let list {
      do throws(FileError) {
        paths += try Files.lines(list)
      } catch {
        Streams.failure(list, error)
        status = 1
      }
    }
    var bar = ProgressBar(total: paths.count)
    for (index, path) in paths.enumerated() {
      bar.show(index)
      do {
        let watch = Stopwatch(isRunning: hasTimings)
        try body(path, try ImageFile(decoding: try Files.read(path), workers: workers), watch)
      } catch {
        Streams.failure(path, error)
        status = 1
      }
    }
    bar.finish()
    return status
  }
}
