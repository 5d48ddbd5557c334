import Foundation
import Testing

@testable import MartletKernels

@Suite struct MicrokernelsTests {
  /// What the kernel of Linux says of the processor, for comparison: it masks what it does not
  /// support.
  @Test func choosesTheLevelThatTheSystemSupports() throws {
    #if arch(x86_64)
      guard let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
        let line = info.split(separator: "\n").first(where: { $0.hasPrefix("flags") }),
        ProcessInfo.processInfo.environment["MARTLET_PLAIN"] == nil
      else { return print("no /proc/cpuinfo, or one level alone: level not compared") }
      let flags = Set(line.split(separator: " ").map(String.init))
      let v3 = flags.isSuperset(of: ["avx2", "fma", "bmi1", "bmi2", "f16c", "movbe", "abm"])
      let v4 = flags.isSuperset(of: ["avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"])
      let vnni = flags.contains("avx512_vnni")
      #expect(Microkernels.available.count == (v3 ? v4 ? vnni ? 4 : 3 : 2 : 1))
      #expect((Microkernels.current.bytes != nil) == (v4 && vnni))
    #endif
    #expect(Microkernels.current.lanes == Microkernels.available.map(\.lanes).max())
  }
}
