//===--- Reference.swift - the oracle's name space ------------------------===//
//
// Plain loops, one operator per file. A reference kernel defines an operator's results; faster
// kernels are tested against it.
//
// Contract  On integers, bit for bit LiteRT 2.3.0's reference kernels. Arguments are buffers of the
//           right sizes and parameters that preparation has checked. Kernels do not allocate or
//           throw. Layouts are NHWC, row-major. Generic kernels are compiled in the calling module
//           for the types that it uses; this module has no code for all types.
//===----------------------------------------------------------------------===//

/// The reference kernels.
@usableFromInline
package enum Reference {}
