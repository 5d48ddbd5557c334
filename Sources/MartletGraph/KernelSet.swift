//===--- KernelSet.swift - reference or fast kernels ----------------------===//
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

/// Which kernels a graph runs on. Compiled with `MARTLET_REFERENCE`, for microcontrollers, there are none but
/// the reference kernels.
public enum KernelSet: Sendable, Hashable, CaseIterable {
  /// Plain loops, bit for bit LiteRT's reference kernels on integers.
  case reference
  /// The fast kernels where there is one, the reference kernels elsewhere. Integers give the same
  /// bits as `reference`.
  case fast
}
