//===--- Streams.swift - standard input and output, progress --------------===//
//
// Contract  Results go to standard output, everything else to standard error. The progress bar
//           shows only where standard error is a terminal, and is gone when the work is done.
//           Where standard output takes no more (a full disk), the process ends with status 1.
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The tool's inlet and outlets.
package enum Streams {
  private static func put(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if descriptor != 1 { return }
        err("martlet: standard output: cannot be written")
        exit(1)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// All that comes on standard input, or `nil` if it can't be read. A pipe has no size, so it can't
  /// be read as a file is.
  package static func input() -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Writes bytes to standard output.
  package static func out(_ bytes: [UInt8]) { put(bytes, to: 1) }

  /// Writes a line to standard output.
  package static func out(_ line: String) { out(Array((line + "\n").utf8)) }

  /// Writes a line to standard error.
  package static func err(_ line: String) { put(Array((line + "\n").utf8), to: 2) }

  /// Reports a failed input, in the form that scripts parse.
  package static func failure(_ input: String, _ reason: some Error) {
    err("martlet: \(input): \(reason)")
  }

  fileprivate static func rewrite(_ text: String) { put(Array("\r\u{1b}[2K\(text)".utf8), to: 2) }

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
