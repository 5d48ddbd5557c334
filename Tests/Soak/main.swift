//===--- main.swift - the soak test ---------------------------------------===//
//
// Calls each entry COUNT times, but a library entry at most for SECONDS, and prints a table.
// `ulimit -s` sets the stack size of the threads. Fails if a result changes, or if memory, open
// descriptors or threads grow. TOOL is the path of `martlet`, whose runs are measured too. .ci/soak
// builds and runs the program in the package's folder.
//
// usage: soak COUNT SECONDS TOOL [ENTRY]...
//===----------------------------------------------------------------------===//

import Foundation

/// Runs all entries whose names begin with one of `wanted`, and prints their rows. Returns whether
/// all passed.
func soakAll(
  _ count: Int, seconds: Double, tool: String, wanted: [String]
) throws -> Bool {
  var runs: [(name: String, run: (Int) throws -> Row)] = []
  for entry in try detectorEntries() + networkEntries() + modelEntries() {
    runs.append((entry.name, { try entry.run($0, seconds: seconds) }))
  }
  for entry in try commandEntries() {
    // A run of the tool cannot be stopped early, so it gets fewer images.
    runs.append(
      (entry.name, { try entry.run(min($0, Int(seconds * 50)), tool: tool) }))
  }
  var passed = true
  for (name, run) in runs where wanted.isEmpty || wanted.contains(where: name.hasPrefix) {
    do {
      let row = try run(count)
      print(row.text)
      if row.failure != nil { passed = false }
    } catch {
      print("\(name): \(error)")
      passed = false
    }
    fflush(nil)
  }
  return passed
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let count = Int(arguments[1]), count >= 20,
  let seconds = Double(arguments[2])
else {
  print("usage: soak COUNT SECONDS TOOL [ENTRY]...")
  exit(2)
}
print(Row.head)
Thread.detachNewThread {
  do {
    let passed = try soakAll(
      count, seconds: seconds, tool: arguments[3], wanted: Array(arguments.dropFirst(4)))
    exit(passed ? 0 : 1)
  } catch {
    print(error)
    exit(1)
  }
}
// Completions are called on the main queue.
dispatchMain()
