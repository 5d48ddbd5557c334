//===--- Reference.swift - the oracle's name space ------------------------===//
//
// Plain loops, one operator a file. A reference kernel says what an operator means; everything
// faster is tested against it.
//
// Contract  On integers, bit for bit LiteRT 2.3.0's reference kernels. Arguments are buffers of the
//           right sizes and parameters that preparation has checked; nothing is allocated or
//           thrown. Layouts are NHWC, row-major.
// Checked   Tests/MartletReferenceTests, Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

/// The reference kernels.
@usableFromInline
package enum Reference {}
