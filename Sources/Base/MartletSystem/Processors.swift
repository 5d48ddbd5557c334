//===--- Processors.swift - number of usable processors -------------------===//
//
// Contract  At least 1. On Linux, at most the CPU quota of the process's control group, rounded up.
// Checked   Tests/MartletSystemTests/ProcessorsTests.swift
//===----------------------------------------------------------------------===//

/// The processors of this machine.
package enum Processors {
  /// The number of processors that this process may use.
  package static var count: Int {
    let online = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    #if canImport(Darwin)
      return online
    #else
      return min(online, quota(text) ?? online)
    #endif
  }

  /// The CPU quota of the control group (version 2 or 1) in processors, or `nil` without a limit.
  /// `text` returns the contents of a file.
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
    /// The first bytes of a file. The path is a C string that is valid during the call. `read`
    /// writes no more bytes than the buffer has, and returns their number.
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
