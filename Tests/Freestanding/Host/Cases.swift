//===--- Cases.swift - requests for a target, and a look at its answers ---===//
//
//     cases write fast|reference DESTINATION FOLDERS...
//     cases compare|equal fast|reference DESTINATION ANSWERS FOLDERS...
//
// The first writes requests.bin, and answers.bin with this machine's own answers. The others compare a
// target's answers with LiteRT's: its integers to the bit, its floats within the tolerance of `martlet
// conformance`; and with this machine's, to the bit. `compare` counts these, `equal` asks for all of them.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference
import MartletSystem

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
      try TargetCase.forEach(in: folder, kernels) { test in
        requests.append(test.request)
        answers.append(answer(test.request))
      }
    }
    try Files.write(requests.bytes, to: destination + "/requests.bin")
    try Files.write(answers.bytes, to: destination + "/answers.bin")
  }

  /// Whether all answers are LiteRT's, and whether they are this machine's.
  private static func compare(
    _ path: String, _ destination: String, _ kernels: KernelSet, folders: ArraySlice<String>
  ) throws -> (litert: Bool, own: Bool) {
    var (theirs, ours) = (
      BlockReader(try Files.read(path)), BlockReader(try Files.read(destination + "/answers.bin"))
    )
    var (integers, floats, cases) = (Tally(), Tally(), Tally())
    for folder in folders {
      try TargetCase.forEach(in: folder, kernels) { test in
        let (found, own) = (test.outputs(in: theirs.block()), test.outputs(in: ours.block()))
        for (index, expected) in test.expected.enumerated() {
          let isRight = found.map { expected.holds($0[index]) } ?? false
          if expected.isInteger { integers.count(isRight) } else { floats.count(isRight) }
          if !isRight { Streams.err("\(test.id): output \(index) is not LiteRT's") }
        }
        cases.count(test.isSame(found, own))
      }
    }
    Streams.out(
      "\(kernels) kernels: integers \(integers) LiteRT's, floats \(floats) within the tolerance, "
        + "cases \(cases) this machine's to the bit")
    return (integers.isComplete && floats.isComplete, cases.isComplete)
  }
}

/// How many of how many.
private struct Tally: CustomStringConvertible {
  private var right = 0
  private var all = 0

  var isComplete: Bool { right == all }
  var description: String { "\(right) of \(all)" }

  mutating func count(_ isRight: Bool) {
    right += isRight ? 1 : 0
    all += 1
  }
}
