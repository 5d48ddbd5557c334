//===--- Usage.swift - resource use of a process --------------------------===//
//
// Contract  Linux only: the numbers are from /proc. A process that has ended uses nothing.
//===----------------------------------------------------------------------===//

import Foundation

/// The memory, threads and descriptors of a process at one moment.
struct Usage {
  /// Resident memory.
  let kibibytes: Int
  let threads: Int
  let descriptors: Int

  /// The current use of the process with this number, or of this process.
  init(process: String = "self") {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    func field(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    kibibytes = field("VmRSS")
    threads = field("Threads")
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    descriptors = open?.count ?? 0
  }

  /// The resource that has grown beyond the limits since `before`, if any.
  ///
  /// Memory may grow by 4 MiB. The runtime keeps some threads for a while, with their descriptors,
  /// so small increases of both are allowed. With `MARTLET_SANITIZED` in the environment memory may
  /// grow, because sanitizers keep freed memory.
  func growth(since before: Usage) -> String? {
    let isSanitized = ProcessInfo.processInfo.environment["MARTLET_SANITIZED"] != nil
    if !isSanitized, kibibytes - before.kibibytes > 4096 { return "memory grows" }
    if threads > before.threads + 8 { return "threads grow" }
    if descriptors > before.descriptors + 4 { return "descriptors grow" }
    return nil
  }
}
