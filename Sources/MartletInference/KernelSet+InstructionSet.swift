//===--- KernelSet+InstructionSet.swift - which instructions kernels use --===//
//
// Checked   Tests/MartletKernelsTests/InstructionSetTests.swift, .ci/check-dependency
//===----------------------------------------------------------------------===//

import MartletKernels

extension KernelSet {
  /// The instruction set that the fast kernels use in this process: `x86-64-v3`, `x86-64-v4`,
  /// `x86-64-v4 with VNNI`, or `baseline`, which is SSE2 on x86-64 and NEON on arm64.
  ///
  /// It is the best that the processor has, unless the package was built with `MARTLET_PLAIN`.
  public static var instructionSet: String { InstructionSet.current.rawValue }
}
