//===--- Streams.swift - standard output and error, progress --------------===//
//
// Contract  Results go to standard output, everything else to standard error. The progress bar
//           appears only if standard error is a terminal. It is removed before each printed line
//           and at the end. If standard output cannot be written (a full disk), the process exits
//           with status 1.
//===----------------------------------------------------------------------===//

import MartletSystem
import Synchronization

/// Standard output and standard error.
package enum Streams {
  /// Writes bytes to standard output.
  package static func out(_ bytes: [UInt8]) {
    removeBar()
    do throws(FileError) {
      try OpenFile.standardOutput.append(bytes)
    } catch {
      err("\(program): standard output: cannot be written")
      exit(1)
    }
  }

  /// Writes a line to standard output.
  package static func out(_ line: String) { out(Array((line + "\n").utf8)) }

  /// Writes printable text and a line feed to standard output. Line feeds are kept.
  package static func show(_ text: String) { out(text.printable(keepingLines: true)) }

  /// Writes a line of printable text to standard error. Line feeds are kept.
  package static func err(_ line: String) {
    removeBar()
    put(line.printable(keepingLines: true) + "\n")
  }

  /// Prints a failed input in the form that scripts parse. If the error names a file, that file is
  /// printed instead of `input`.
  package static func failure(_ input: String, _ reason: some Error) {
    let path = (reason as? FileError)?.path ?? input
    err("\(program): \(path.isEmpty ? "\"\"" : path.printable): \("\(reason)".printable)")
  }

  /// The name by which the program was called; error messages begin with it.
  private static let program =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "martlet"

  private static func put(_ text: String) {
    try? OpenFile.standardError.append(Array(text.utf8))
  }

  private static let hasTerminal = isatty(2) != 0
  private static let hasBar = Atomic(false)

  /// Replaces the progress bar with `text`, only on a terminal.
  fileprivate static func showBar(_ text: String) {
    guard hasTerminal else { return }
    hasBar.store(true, ordering: .relaxed)
    put("\r\u{1b}[2K" + text)
  }

  fileprivate static func removeBar() {
    if hasBar.exchange(false, ordering: .relaxed) { put("\r\u{1b}[2K") }
  }
}

/// A progress bar for long work.
package struct ProgressBar {
  private let total: Int?
  private var shown = -1

  /// A bar for `total` items; `nil` if their number is unknown.
  package init(total: Int?) { self.total = total }

  /// Shows that `done` items are complete.
  package mutating func show(_ done: Int) {
    guard let total else { return Streams.showBar("\(done)") }
    guard total > 1 else { return }
    let percent = done * 100 / total
    guard percent != shown else { return }
    shown = percent
    let width = percent * 30 / 100
    let bar = String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width)
    Streams.showBar("[\(bar)] \(done)/\(total)")
  }

  /// Removes the bar.
  package func finish() { Streams.removeBar() }
}
