//===--- Processors.swift - number of usable processors -------------------===//
//
// The number of threads that the pool of `Workers.pool` and all detectors together use.
//
// Contract  At least 1. On Linux, at most the processors that the process may run on (`taskset`, cpusets
//           of containers), and at most the CPU quota of its control groups, rounded up.
// Source    proc_pid_status(5), cgroups(7); Linux, Documentation/admin-guide/cgroup-v2.rst
//===----------------------------------------------------------------------===//

import MartletCLibrary

/// The processors of this machine.
package enum Processors {
  /// The number of processors that this process may use.
  package static var count: Int {
    let online = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    #if canImport(Darwin)
      return online
    #else
      return max(min(online, allowed(text) ?? online, quota(text) ?? online), 1)
    #endif
  }

  /// The number of processors that the process may run on; `nil` if the system does not tell. `text`
  /// returns the contents of a file. The kernel lists them as `0-2,5`.
  static func allowed(_ text: (_ path: String) -> String?) -> Int? {
    let name = "Cpus_allowed_list:"
    let lines = (text("/proc/self/status") ?? "").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(name) }) else { return nil }
    let list = line.dropFirst(name.count).filter { !$0.isWhitespace }
    var count = 0
    for range in list.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        .map { UInt16($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], first <= last else { return nil }
      count += Int(last - first) + 1
    }
    return count
  }

  /// The lowest CPU quota of the process's control groups (version 2 or 1) in processors, or `nil`
  /// without a limit. `text` returns the contents of a file.
  static func quota(_ text: (_ path: String) -> String?) -> Int? {
    func numbers(_ path: String) -> [Int?] {
      (text("/sys/fs/cgroup" + path) ?? "").split { $0 == " " || $0 == "\n" }.map { Int($0) }
    }
    let groups = Processors.groups(text).map { numbers($0 + "/cpu.max") }
    let old = numbers("/cpu/cpu.cfs_quota_us") + numbers("/cpu/cpu.cfs_period_us")
    return (groups + [old]).compactMap { limit in
      guard limit.count == 2, let time = limit[0], let period = limit[1], time > 0, period > 0
      else { return nil }
      return (time - 1) / period + 1
    }.min()
  }

  /// The paths of the process's control group of version 2 and of those that hold it; the last one is
  /// that of the root, "".
  private static func groups(_ text: (_ path: String) -> String?) -> [String] {
    let lines = (text("/proc/self/cgroup") ?? "").split(separator: "\n")
    var path = lines.first { $0.hasPrefix("0::/") }?.dropFirst(3) ?? ""
    var paths: [String] = []
    while let end = path.lastIndex(of: "/") {
      if path.count > 1 { paths.append(String(path)) }
      path = path[..<end]
    }
    return paths + [""]
  }

  #if !canImport(Darwin)
    /// The first 16 KiB of a file. The path is a C string that is valid during the call. `read`
    /// writes no more bytes than the buffer has, and returns their number.
    private static func text(_ path: String) -> String? {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { _ = close(descriptor) }
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
        unsafe count = max(read(descriptor, buffer.baseAddress, buffer.count), 0)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  #endif
}
