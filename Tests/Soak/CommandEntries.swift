//===--- CommandEntries.swift - long runs of the tool ---------------------===//
//
// The tool reads from a pipe and prints a line per image. Its memory is measured while it waits for
// the next image.
//===----------------------------------------------------------------------===//

import Foundation

/// A run of the tool over COUNT images.
struct CommandEntry {
  let name: String
  /// The tool's arguments.
  let arguments: [String]
  /// The tool's input, repeated.
  let input: Data
  /// The number of lines after which the input repeats.
  var period = 1
  /// The part of a line that is compared.
  var compared: (Data) -> Data = { $0 }

  /// Runs `tool` on `count` images and returns a row of the table.
  func run(_ count: Int, tool: String) throws -> Row {
    let start = Date()
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    defer { process.terminate() }
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    let writer = input.fileHandleForWriting
    let rest = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [bytes = self.input, period] in
      for _ in 0..<(count + period - 1) / period { try? writer.write(contentsOf: bytes) }
      // Memory is measured before the tool reaches the end of its input.
      rest.wait()
      try? writer.close()
    }
    let lines = LineReader(output.fileHandleForReading)
    let warm = Entry.warmUp(count)
    var expected = FirstResults()
    let identifier = "\(process.processIdentifier)"
    var (before, after) = (Usage(process: identifier), Usage(process: identifier))
    var number = 0
    while let line = lines.next() {
      let result = compared(line)
      if number == warm { before = Usage(process: identifier) }
      // The tool may print a video's last line only at the end of the input.
      if number == count - 8 {
        after = Usage(process: identifier)
        rest.signal()
      }
      try expected.check(result, call: number, period: period)
      number += 1
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw SoakError.ended(program: tool, status: process.terminationStatus)
    }
    guard number >= count else { throw SoakError.lineCount(found: number, expected: count) }
    return Row(name: name, count: count, before: before, after: after, since: start)
  }
}

/// Reads the lines of a file.
private final class LineReader {
  private let file: FileHandle
  private var rest = Data()

  init(_ file: FileHandle) { self.file = file }

  func next() -> Data? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest = Data(rest[(end + 1)...]) }
        return Data(rest[..<end])
      }
      let more = file.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }
}

/// The entries of the tool.
func commandEntries() throws -> [CommandEntry] {
  let scene = "Tests/Fixtures/Scenes/fruit.jpg"
  let face = "Tests/Fixtures/Faces/small.jpg"
  // An object's box in a stream depends on all earlier frames; the number of objects does not.
  let identifiers: (Data) -> Data = { line in
    Data("\(String(decoding: line, as: UTF8.self).split(separator: "trackingID").count - 1)".utf8)
  }
  return [
    CommandEntry(
      name: "martlet faces", arguments: ["faces", "--files-from", "-", "--json"],
      input: Data("\(scene)\n\(face)\n".utf8), period: 2),
    CommandEntry(
      name: "martlet track --faces", arguments: ["track", "-", "--faces", "--json"],
      input: try Data(contentsOf: URL(filePath: face)), compared: identifiers),
    CommandEntry(
      name: "martlet track", arguments: ["track", "-", "--json"],
      input: try Data(contentsOf: URL(filePath: scene)), compared: identifiers),
    CommandEntry(
      name: "martlet detect", arguments: ["detect", "--files-from", "-", "--json"],
      input: Data("\(scene)\n\(face)\n".utf8), period: 2),
  ]
}
