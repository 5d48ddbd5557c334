//===--- KernelSet+InstructionSet.swift - instruction set of the kernels --===//

import MartletKernels

extension KernelSet {
  /// The instruction set that the fast kernels use in this process: `x86-64` (SSE2),
  /// `x86-64-v3` (AVX2), `x86-64-v3 with AVX-VNNI`, `x86-64-v4` (AVX-512), `x86-64-v4 with VNNI`,
  /// `arm64` (NEON), `arm64 with DotProd`, `arm64 with I8MM` or `portable`.
  ///
  /// It is the processor's best one, unless the package was built with `MARTLET_PLAIN`.
  public static var instructionSet: String { Microkernels.current.instructionSet }
}
