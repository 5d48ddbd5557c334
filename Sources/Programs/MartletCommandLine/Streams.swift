//===--- Streams.swift - standard output and error, progress --------------===//
//
// Contract  Results go to standard output, everything else to standard error. The progress bar
//           appears only if standard error is a terminal. It is removed before each printed line
//           and at the end. If standard output cannot be written (a full disk), the process exits
//           with status 1.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCLibrary

/// Standard output and standard error.
package enum Streams {
  /// Writes bytes to standard output.
  package static func out(_ bytes: [UInt8]) {
    removeBar()
    do throws(FileError) {
      try OpenFile.standardOutput.append(bytes)
    } catch {
      err("\(program): standard output: cannot be written")
      Temporaries.end(withStatus: 1)
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

  /// Prints a failed input in the form that scripts parse, with its path in an advised command. If the
  /// error names a file, that file is printed instead of `input`.
  package static func failure(_ input: FilePath, _ reason: some Error) {
    let path = (reason as? FileError)?.path ?? input
    failure("\(path)", "\(reason)".naming("\(path)"))
  }

  /// The same, with the reason in words.
  package static func failure(_ input: String, _ reason: String) {
    err("\(program): \(input.isEmpty ? "\"\"" : input.printable): \(reason.printable)")
  }

  /// The name by which the program was called; error messages begin with it.
  private static let program =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "martlet"

  private static func put(_ text: String) {
    try? OpenFile.standardError.append(Array(text.utf8))
  }

  private static let hasTerminal = isatty(2) != 0
  private static let hasBar = Mutex(false)

  /// Replaces the progress bar with `text`, only on a terminal.
  fileprivate static func showBar(_ text: String) {
    guard hasTerminal else { return }
    hasBar.withLock { $0 = true }
    put("\r\u{1b}[2K" + text)
  }

  fileprivate static func removeBar() {
    let hadBar = hasBar.withLock { hasBar in
      defer { hasBar = false }
      return hasBar
    }
    if hadBar { put("\r\u{1b}[2K") }
  }
}

/// A progress bar for long work.
package struct ProgressBar {
  private let total: Int?
  private let start = MonotonicClock.now
  /// The time of the next change, so that fast work does not spend its time on the bar.
  private var next: Double

  /// A bar for `total` items; `nil` if their number is unknown.
  package init(total: Int?) {
    self.total = total
    next = start
  }

  /// Shows that `done` items are complete.
  package mutating func show(_ done: Int) {
    let now = MonotonicClock.now
    guard total != 1, now >= next else { return }
    next = now + 0.1
    Streams.showBar(ProgressBar.line(done, of: total, after: now - start))
  }

  /// Removes the bar.
  package func finish() { Streams.removeBar() }

  /// The bar with the rate and the time left: `[###.......] 30/100, 15 a second, 5 s left`.
  static func line(_ done: Int, of total: Int?, after time: Double) -> String {
    let rate = Double(done) / max(time, 1e-9)
    let speed = done > 0 ? ", \(JSON.decimal(rate, places: rate < 10 ? 1 : 0) ?? "") a second" : ""
    guard let total, total > 0 else { return "\(done)\(speed)" }
    let width = done * 30 / total
    let bar = String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width)
    let left = done > 0 ? ", \(Int((Double(total - done) / rate).rounded(.up))) s left" : ""
    return "[\(bar)] \(done)/\(total)\(speed)\(left)"
  }
}
