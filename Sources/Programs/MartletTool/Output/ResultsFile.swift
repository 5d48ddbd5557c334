//===--- ResultsFile.swift - results that a later run continues -----------===//
//
// The file of `--resume`. Its first line names the format, its version, the command and the options
// that change results; each further line is the JSON of an image:
//
//     {"format":"martlet results","version":1,"command":"detect","options":["--multiple"]}
//     {"image":"a.jpg","width":640,"height":480,"objects":[]}
//     {"image":"b.jpg","error":"the file is empty"}
//
// Contract  Any other file is refused and not changed: one of another kind, of another command or
//           other options, one with a line that is no image's, one that another process has open
//           here. An empty file is a new one. An incomplete last line, as a killed process leaves
//           it, is cut off. Images are distinguished by the bytes of their paths. A line that cannot
//           be written is removed again.
// Cost      Reads the file once, line by line, and keeps the paths.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine

/// Why a file is not continued. It is not changed.
enum ResultsFileError: Error, Equatable {
  /// The file does not begin with the header of results.
  case noHeader
  case version(Int)
  case command(String)
  case options(found: [String], expected: [String])
  /// The line at this byte is not the JSON of an image.
  case noResult(byte: Int)
}

extension ResultsFileError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noHeader: "was not written by --resume; choose another file"
    case .version(let version):
      "expected format version \(ResultsHeader.version), found \(version); choose another file"
    case .command(let command): "contains results of martlet \(command); choose another file"
    case .options(let found, let expected):
      "expected results with \(words(expected)), found \(words(found)); choose another file"
    case .noResult(let byte):
      "the line at byte \(byte) is not the JSON of an image; repair it, or choose another file"
    }
  }

  private func words(_ options: [String]) -> String {
    options.isEmpty ? "no options" : options.joined(separator: " ")
  }
}

/// The first line of a results file.
struct ResultsHeader {
  static let version = 1
  private static let format = "martlet results"
  /// The options that do not change results: where images and lines are, and limits, which make
  /// images fail that `--retry` repeats.
  private static let ignored: Set = [
    "--files-from", "--recursive", "--resume", "--retry", "--threads", "--timeout", "--timings",
    "--max-memory",
  ]

  private let command: String
  private let options: [String]

  init(_ arguments: Arguments) {
    command = arguments.command.name
    options = arguments.canonical(without: ResultsHeader.ignored)
  }

  var json: JSON {
    .object([
      ("format", .string(ResultsHeader.format)), ("version", .integer(ResultsHeader.version)),
      ("command", .string(command)), ("options", .array(options.map { .string($0) })),
    ])
  }

  /// The command and the options as a line of words.
  var words: String { (["martlet", command] + options).joined(separator: " ") }

  /// The header in the first line of a file; `nil` for another line.
  init?(_ line: [UInt8]) {
    guard line.starts(with: ResultsHeader.beginning), let json = try? JSON(parsing: line),
      let command: String = try? JSONReader(json).value("command"),
      let options: [String] = try? JSONReader(json).value("options")
    else { return nil }
    (self.command, self.options) = (command, options)
  }

  /// The bytes with which every header begins.
  static var beginning: [UInt8] { Array("{\"format\":\"\(format)\",".utf8) }

  /// Throws if the first line of a file is not this header, byte for byte.
  func check(_ line: [UInt8]) throws(ResultsFileError) {
    guard !line.elementsEqual("\(json)".utf8) else { return }
    let reader = (try? JSON(parsing: line)).map { JSONReader($0) }
    guard let reader, let version: Int = try? reader.value("version"),
      let command: String = try? reader.value("command"),
      let options: [String] = try? reader.value("options")
    else { throw .noHeader }
    guard version == ResultsHeader.version else { throw .version(version) }
    guard command == self.command else { throw .command(command) }
    throw .options(found: options, expected: self.options)
  }
}

/// A file with the results of earlier runs, one line of JSON for each image.
final class ResultsFile {
  /// The longest line in bytes: 64 MiB.
  private static let lineLimit = 1 << 26
  private static let newline = UInt8(ascii: "\n")

  private let path: FilePath
  /// The images with results.
  private(set) var done: Set<FilePath> = []
  /// The images that failed, and why.
  private(set) var failed: [FilePath: String] = [:]
  private var file: OpenFile
  private var byteCount = 0

  /// Continues the file at `path`, or creates it with this header. If `retries`, the lines of images
  /// that failed are removed.
  init(_ path: FilePath, _ header: ResultsHeader, retries: Bool = false) throws {
    self.path = path
    file = try ResultsFile.open(path)
    guard file.plainSize != 0 else {
      try append(header.json)
      return
    }
    try read(header)
    if byteCount != file.plainSize { try file.truncate(to: byteCount) }
    if retries, !failed.isEmpty { try removeFailures() }
  }

  private static func open(_ path: FilePath) throws(FileError) -> OpenFile {
    while true {
      let file = try OpenFile(continuing: path)
      // Another run may have replaced the file before it was locked here.
      if file.plainIdentity == Files.identity(path) { return file }
    }
  }

  /// Reads the whole lines and counts their bytes.
  private func read(_ header: ResultsHeader) throws {
    var reader = LineReader(file, path: path, limit: ResultsFile.lineLimit)
    // A file that begins in another way is not read any further.
    let beginning = try reader.beginning(upTo: Array(0...255))
    guard beginning.starts(with: ResultsHeader.beginning),
      let (first, isWhole) = try reader.next(endingWith: ResultsFile.newline), isWhole
    else { throw ResultsFileError.noHeader }
    try header.check(Array(first))
    byteCount = first.count + 1
    while let (line, isWhole) = try reader.next(endingWith: ResultsFile.newline), isWhole {
      guard let (image, error) = ResultsFile.result(Array(line)) else {
        throw ResultsFileError.noResult(byte: byteCount)
      }
      failed[image] = error
      if error == nil { done.insert(image) } else { done.remove(image) }
      byteCount += line.count + 1
    }
  }

  /// The image of a line, and why it failed; `nil` if the line is something else.
  private static func result(_ line: [UInt8]) -> (image: FilePath, error: String?)? {
    guard let json = try? JSON(parsing: line), let image = FilePath("image", of: json) else {
      return nil
    }
    return (image, try? JSONReader(json).value("error"))
  }

  /// Replaces the file by one without the lines of images that failed.
  private func removeFailures() throws {
    let copy = try OutputFile(replacing: path)
    var reader = LineReader(
      try OpenFile(reading: path), path: path, limit: ResultsFile.lineLimit)
    byteCount = 0
    while let (line, _) = try reader.next(endingWith: ResultsFile.newline) {
      // The header is no result.
      if ResultsFile.result(Array(line))?.error != nil { continue }
      try copy.append(line + [ResultsFile.newline])
      byteCount += line.count + 1
    }
    try copy.lock()
    file = try copy.finish()
    failed = [:]
  }

  /// Appends the line of an image. If that fails, the file stays as it was.
  func append(_ line: JSON) throws(FileError) {
    let bytes = Array("\(line)\n".utf8)
    do throws(FileError) { try file.append(bytes) } catch {
      try? file.truncate(to: byteCount)
      throw error
    }
    byteCount += bytes.count
  }
}
