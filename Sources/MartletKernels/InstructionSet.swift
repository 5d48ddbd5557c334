//===--- InstructionSet.swift - which instruction set the kernels use -----===//
//
// The name of the highest level that was compiled and that the processor has: the one that
// `Microkernels.current` is compiled for.
//
// Checked   Tests/MartletKernelsTests/InstructionSetTests.swift
//===----------------------------------------------------------------------===//

/// An instruction set that the fast kernels are compiled for.
package enum InstructionSet: String, Sendable, CaseIterable {
  /// What every processor of the architecture has: SSE2 on x86-64, NEON on arm64.
  case baseline
  /// AVX2 and fused multiply-add.
  case v3 = "x86-64-v3"
  /// AVX-512.
  case v4 = "x86-64-v4"
  /// AVX-512, and the instructions that multiply bytes.
  case vnni = "x86-64-v4 with VNNI"

  /// The one that serves in this process.
  package static let current: InstructionSet = {
    #if MARTLET_LEVELS
      switch ProcessorLevel.current {
      case .v1: .baseline
      case .v3: .v3
      case .v4: .v4
      case .vnni: .vnni
      }
    #else
      .baseline
    #endif
  }()
}
