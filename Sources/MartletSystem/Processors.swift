//===--- Processors.swift - how many threads can run at once --------------===//
//
// Contract  At least 1. On Linux no more than the share of time that the process's control group has,
//           rounded up.
// Checked   Tests/MartletSystemTests/ProcessorsTests.swift
//===----------------------------------------------------------------------===//

/// The processors of this machine.
package enum Processors {
  /// How many of them this process may use.
  package static var count: Int {
    let online = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    #if canImport(Darwin)
      return online
    #else
      return min(online, quota(text) ?? online)
    #endif
  }

  /// The control group's share of time in processors, in the files of version 2 or of version 1, or
  /// `nil` if nothing limits it. `text` gives what a file holds.
  static func quota(_ text: (_ path: String) -> String?) -> Int? {
    func numbers(_ path: String) -> [Int?] {
      (text("/sys/fs/cgroup/" + path) ?? "").split { $0 == " " || $0 == "\n" }.map { Int($0) }
    }
    let limit =
      numbers("cpu.max") + numbers("cpu/cpu.cfs_quota_us") + numbers("cpu/cpu.cfs_period_us")
    guard limit.count == 2, let time = limit[0], let period = limit[1], time > 0, period > 0 else {
      return nil
    }
    return (time - 1) / period + 1
  }

  #if !canImport(Darwin)
    /// The first bytes of a file. The path is C's for the length of the call; `read` writes no more bytes
    /// than the buffer has, and says how many.
    private static func text(_ path: String) -> String? {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { _ = close(descriptor) }
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        unsafe count = max(read(descriptor, buffer.baseAddress, buffer.count), 0)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  #endif
}
