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
}
