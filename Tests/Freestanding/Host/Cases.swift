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
    var (requests, answers) = (BlockWriter(), BlockWriter())
    for folder in folders {
      try TargetCase.forEach(in: FilePath(folder), kernels) { test in
        requests.append(test.request)
        answers.append(answer(test.request))
      }
    }
    try Files.write(requests.bytes, to: FilePath(destination + "/requests.bin"))
    try Files.write(answers.bytes, to: FilePath(destination + "/answers.bin"))
  }

  /// Whether all answers match LiteRT's, and whether they match this machine's.
  private static func compare(
    _ path: String, _ destination: String, _ kernels: KernelSet, folders: ArraySlice<String>
  ) throws -> (litert: Bool, own: Bool) {
    var (targetAnswers, ownAnswers) = (
      BlockReader(try Files.read(FilePath(path))),
      BlockReader(try Files.read(FilePath(destination + "/answers.bin")))
    )
    var (integers, floats, cases) = (Tally(), Tally(), Tally())
    for folder in folders {
      try TargetCase.forEach(in: FilePath(folder), kernels) { test in
        let found = test.outputs(in: targetAnswers.block())
        let own = test.outputs(in: ownAnswers.block())
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
