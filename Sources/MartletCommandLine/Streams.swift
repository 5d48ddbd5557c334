//===--- Streams.swift - standard output and error, progress -------------===//
//
// Contract  Results go to standard output, everything else to standard error. The progress bar
//           shows only where standard error is a terminal, and is gone when the work is done.
//           Where standard output takes no more (a full disk), the process ends with status 1.
//===----------------------------------------------------------------------===//

import MartletSystem

/// Standard output and standard error.
package enum Streams {
  /// Writes bytes to standard output.
  package static func out(_ bytes: [UInt8]) {
    do throws(FileError) {
      try OpenFile.standardOutput.append(bytes)
    } catch {
      err("martlet: standard output: cannot be written")
      exit(1)
    }
  }

  /// Writes a line to standard output.
  package static func out(_ line: String) { out(Array((line + "\n").utf8)) }

  /// Writes a line to standard error.
  package static func err(_ line: String) { put(line + "\n") }

  /// Reports a failed input, in the form that scripts parse.
  package static func failure(_ input: String, _ reason: some Error) {
    err("martlet: \(input): \(reason)")
  }

  fileprivate static func rewrite(_ text: String) { put("\r\u{1b}[2K" + text) }

  private static func put(_ text: String) {
    try? OpenFile.standardError.append(Array(text.utf8))
  }

  fileprivate static let hasTerminal = isatty(2) != 0
}

/// A bar that tells how far a long piece of work has come.
package struct ProgressBar {
  private let total: Int
  private var shown = -1

  package init(total: Int) { self.total = total }

  /// Shows that `done` of the total are done.
  package mutating func show(_ done: Int) {
    guard Streams.hasTerminal, total > 1 else { return }
    let percent = done * 100 / total
    guard percent != shown else { return }
    shown = percent
    let width = percent * 30 / 100
    let bar = String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width)
    Streams.rewrite("[\(bar)] \(done)/\(total)")
  }

  /// Takes the bar away.
  package func finish() { if shown >= 0 { Streams.rewrite("") } }
}
