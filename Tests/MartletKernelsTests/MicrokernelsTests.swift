import Foundation
import MartletKernels
import Testing

@Suite struct MicrokernelsTests {
  /// The processor's features as Linux reports them, without those that the kernel does not
  /// support.
  private static let flags: Set<String> = {
    let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = info?.split(separator: "\n").first {
      $0.hasPrefix("flags") || $0.hasPrefix("Features")
    }
    return Set(line?.split(separator: " ").map(String.init) ?? [])
  }()

  private static let isPlain = ProcessInfo.processInfo.environment["MARTLET_PLAIN"] != nil

  @Test(
    .enabled(if: flags.contains("sse2"), "needs /proc/cpuinfo of an x86-64 processor"),
    .disabled(if: isPlain, "MARTLET_PLAIN compiles one instruction set only"))
  func choosesTheSupportedInstructionSets() {
    let flags = MicrokernelsTests.flags
    let v3 = flags.isSuperset(of: ["avx2", "fma", "bmi1", "bmi2", "f16c", "movbe", "abm"])
    let v4 = flags.isSuperset(of: ["avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"])
    let vnni = v4 && flags.contains("avx512_vnni")
    let avxVNNI = v3 && flags.contains("avx_vnni")
    #expect(Microkernels.available.count == 1 + [v3, avxVNNI, v4, vnni].count { $0 })
    #expect((Microkernels.current.bytes != nil) == (v4 ? vnni : avxVNNI))
  }

  @Test(
    .enabled(if: flags.contains("asimd"), "needs /proc/cpuinfo of an arm64 processor"),
    .disabled(if: isPlain, "MARTLET_PLAIN compiles one instruction set only"))
  func choosesTheSupportedExtensions() {
    let hasDotProducts = MicrokernelsTests.flags.contains("asimddp")
    let hasMatrixProducts = hasDotProducts && MicrokernelsTests.flags.contains("i8mm")
    #expect(Microkernels.available.count == (hasMatrixProducts ? 4 : hasDotProducts ? 3 : 2))
    #expect(Microkernels.current.bytes != nil)
  }

  @Test func choosesTheWidestVectors() {
    #expect(Microkernels.current.lanes == Microkernels.available.map(\.lanes).max())
  }
}
