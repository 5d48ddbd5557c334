import Foundation
import Testing

@testable import MartletSystem

@Suite struct ProcessorsTests {
  @Test func countIsAtLeastOne() { #expect(Processors.count >= 1) }

  @Test(
    arguments: [
      (["cpu.max": "max 100000\n"], nil), (["cpu.max": "200000 100000\n"], 2),
      (["cpu.max": "150000 100000\n"], 2), (["cpu.max": "1000 100000\n"], 1),
      (["cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"], nil),
      (["cpu/cpu.cfs_quota_us": "400000\n", "cpu/cpu.cfs_period_us": "100000\n"], 4),
      (["cpu/cpu.cfs_quota_us": "400000\n"], nil), ([:], nil), (["cpu.max": "1 0"], nil),
      (["cpu.max": "9223372036854775807 1"], Int.max), (["cpu.max": "x"], nil),
    ] as [([String: String], Int?)])
  func controlGroupLimitsTheCount(_ files: [String: String], _ expected: Int?) {
    #expect(Processors.quota { files[String($0.dropFirst("/sys/fs/cgroup/".count))] } == expected)
  }

  /// Outside a container the process's group is not the root of the hierarchy.
  @Test func lowestQuotaOfTheGroupsAndThoseAboveApplies() {
    var files = [
      "/proc/self/cgroup": "1:name=systemd:/x\n0::/system.slice/job.scope\n",
      "/sys/fs/cgroup/system.slice/job.scope/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/system.slice/cpu.max": "300000 100000\n",
      "/sys/fs/cgroup/cpu.max": "800000 100000\n", "/sys/fs/cgroup/x/cpu.max": "1 1\n",
    ]
    #expect(Processors.quota { files[$0] } == 3)
    files["/sys/fs/cgroup/system.slice/job.scope/cpu.max"] = "150000 100000\n"
    #expect(Processors.quota { files[$0] } == 2)
    files["/proc/self/cgroup"] = "0::/\n"
    #expect(Processors.quota { files[$0] } == 8)
  }

  @Test(
    arguments: [
      ("0", 1), ("0-1", 2), ("0-2,5,7-8", 6), ("3,1", 2), ("", nil), ("0-", nil), ("2-1", nil),
      ("a", nil), ("0,,1", nil),
    ] as [(String, Int?)])
  func affinityLimitsTheCount(_ list: String, _ expected: Int?) {
    let status = "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nMems_allowed:\t1\n"
    #expect(Processors.allowed { $0 == "/proc/self/status" ? status : nil } == expected)
  }

  @Test func affinityIsUnknownWithoutTheKernelsList() {
    #expect(Processors.allowed { _ in nil } == nil)
    #expect(Processors.allowed { _ in "Name:\tx\n" } == nil)
  }

  #if os(Linux)
    private static let taskset = "/usr/bin/taskset"

    /// `taskset` of util-linux changes the process of this test alone.
    @Test(
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: ProcessorsTests.taskset), "needs taskset"))
    func tasksetLimitsTheCount() async {
      await #expect(processExitsWith: .success) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ProcessorsTests.taskset)
        process.arguments = ["-a", "-p", "-c", "0", "\(getpid())"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(Processors.count == 1)
      }
    }
  #endif
}
