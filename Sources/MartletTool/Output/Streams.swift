//===--- Streams.swift - standard output, standard error, progress --------===//
//
// Contract  Results go to standard output, everything else to standard error. The progress bar
//           shows only where standard error is a terminal, and is gone when the work is done.
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The tool's outlets.
enum Streams {
  private static func put(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes a line to standard output.
  static func out(_ line: String) { put(line + "\n", to: 1) }

  /// Writes a line to standard error.
  static func err(_ line: String) { put(line + "\n", to: 2) }

  /// Reports a failed input, in the form that scripts parse.
  static func failure(_ input: String, _ reason: some Error) {
    err("martlet: \(input): \(reason)")
  }

  fileprivate static func rewrite(_ text: String) { put("\r\u{1b}[2K" + text, to: 2) }

  fileprivate static let hasTerminal = isatty(2) != 0
}

/// A bar that tells how far a long piece of work has come.
struct ProgressBar {
  private let total: Int
  private var shown = -1

  init(total: Int) { self.total = total }

  /// Shows that `done` of the total are done.
  mutating func show(_ done: Int) {
    guard Streams.hasTerminal, total > 1 else { return }
    let percent = done * 100 / total
    guard percent != shown else { return }
    shown = percent
    let width = percent * 30 / 100
    let bar = String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width)
    Streams.rewrite("[\(bar)] \(done)/\(total)")
  }

  /// Takes the bar away.
  func finish() { if shown >= 0 { Streams.rewrite("") } }
}
