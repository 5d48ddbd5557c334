//===--- Reference.swift - the oracle's name space ------------------------===//
//
// Plain loops, one operator per file. A reference kernel defines an operator's results; faster
// kernels are tested against it.
//
// Contract  On integers, bit for bit LiteRT 2.3.0's reference kernels. Arguments are buffers of the
//           right sizes and parameters that preparation has checked; nothing is allocated or
//           thrown. Layouts are NHWC, row-major. Compiled  Where they are called, for the types
//           that they are called with: kernels for any type are exported by their implementation
//           alone, and there is no code here that serves all types.
// Checked   Tests/MartletReferenceTests, Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

/// The reference kernels.
@usableFromInline
package enum Reference {}
