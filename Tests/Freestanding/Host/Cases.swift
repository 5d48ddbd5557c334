//===--- Cases.swift - writes requests and compares answers ---------------===//
//
//     cases write fast|reference DESTINATION FOLDERS...
//     cases compare|equal fast|reference DESTINATION ANSWERS FOLDERS...
//
// `write` writes requests.bin, and answers.bin with this machine's own answers. `compare` and
// `equal` compare a target's answers with LiteRT's: integers bit for bit, floats within the
// tolerance of `martlet conformance`. Both also compare them bit for bit with this machine's
// answers; `compare` counts the equal ones, `equal` requires all of them.
//===----------------------------------------------------------------------===//

import MartletCLibrary
import MartletCommandLine
import MartletInference

@main
struct Cases {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let kernels: KernelSet = arguments[1] == "reference" ? .reference : .fast
    do {
      if arguments[0] == "write" {
        try write(arguments[2], kernels, folders: arguments[3...])
      } else {
        let (litert, own) = try compare(
          arguments[3], arguments[2], kernels, folders: arguments[4...])
        exit(litert && (own || arguments[0] == "compare") ? 0 : 1)
      }
    } catch {
      Streams.err("\(error)")
      exit(1)
    }
  }

  private static func write(
    _ destination: String, _ kernels: KernelSet, folders: ArraySlice<String>
  ) throws {
    let outputs = Outputs()
    let requests = try outputs.file(FilePath(destination + "/requests.bin"))
    let answers = try outputs.file(FilePath(destination + "/answers.bin"))
    for folder in folders {
      try TargetCase.forEach(in: FilePath(folder), kernels) { test in
        try requests.append(block(test.request))
        try answers.append(block(answer(test.request)))
      }
    }
    try requests.finish()
    try answers.finish()
  }

  private static func block(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BlockWriter()
    writer.append(bytes)
    return writer.bytes
  }

  /// Whether all answers match LiteRT's, and whether they match this machine's.
  private static func compare(
    _ path: String, _ destination: String, _ kernels: KernelSet, folders: ArraySlice<String>
  ) throws -> (litert: Bool, own: Bool) {
    let targetAnswers = try BlockFile(FilePath(path))
    let ownAnswers = try BlockFile(FilePath(destination + "/answers.bin"))
    var (integers, floats, cases) = (Tally(), Tally(), Tally())
    for folder in folders {
      try TargetCase.forEach(in: FilePath(folder), kernels) { test in
        let found = test.outputs(in: try targetAnswers.block())
        let own = test.outputs(in: try ownAnswers.block())
        for (index, expected) in test.expected.enumerated() {
          let isMatch = found.map { expected.matches($0[index]) } ?? false
          if expected.isInteger { integers.count(isMatch) } else { floats.count(isMatch) }
          if !isMatch { Streams.err("\(test.id): output \(index) differs from LiteRT's") }
        }
        cases.count(test.isSame(found, own))
      }
    }
    Streams.out(
      "\(kernels) kernels: integers \(integers) equal LiteRT's, "
        + "floats \(floats) within the tolerance, cases \(cases) equal this machine's bit for bit")
    return (integers.isComplete && floats.isComplete, cases.isComplete)
  }
}

/// Reads blocks of a file, which may be larger than memory.
private final class BlockFile {
  private let file: OpenFile
  private var bytes: [UInt8] = []

  init(_ path: FilePath) throws { file = try OpenFile(reading: path) }

  func block() throws -> [UInt8] {
    var size = BlockReader(try next(4))
    return try next(size.number())
  }

  /// The next `count` bytes, or fewer at the end.
  private func next(_ count: Int) throws -> [UInt8] {
    if bytes.count < count { bytes += try file.beginning(atLeast: count - bytes.count) }
    defer { bytes.removeFirst(min(count, bytes.count)) }
    return Array(bytes.prefix(count))
  }
}

/// The number of matches, and of all comparisons.
private struct Tally: CustomStringConvertible {
  private var matched = 0
  private var total = 0

  var isComplete: Bool { matched == total }
  var description: String { "\(matched) of \(total)" }

  mutating func count(_ isMatch: Bool) {
    matched += isMatch ? 1 : 0
    total += 1
  }
}
