//===--- Microkernels+Pixels.swift - kernels for images -------------------===//
//
// The microkernels that image codecs and resizing call. A table of kernels links all of them, which
// is too much for a microcontroller: its builds, with `MARTLET_REFERENCE`, call these directly.
//===----------------------------------------------------------------------===//

import MartletKernelsBase
import MartletMicrokernels

#if MARTLET_REFERENCE
  /// The microkernels for pixels of the only instruction set.
  package enum PixelMicrokernels {
    package static func uint8ResampleRow(_ row: Uint8ResampleRow) -> Int {
      Level.uint8ResampleRow(row)
    }

    package static func uint8ResampleColumns(_ columns: Uint8ResampleColumns) {
      Level.uint8ResampleColumns(columns)
    }

    package static func uint8YCbCr(_ row: Uint8YCbCr) { Level.uint8YCbCr(row) }

    package static func int16InverseDCT(_ blocks: Int16InverseDCT) {
      Level.int16InverseDCT(blocks)
    }

    package static func uint8ToYCbCr(_ row: Uint8ToYCbCr) { Level.uint8ToYCbCr(row) }

    package static func int16ForwardDCT(_ blocks: Int16ForwardDCT) {
      Level.int16ForwardDCT(blocks)
    }
  }
#endif

extension Microkernels {
  #if MARTLET_REFERENCE
    /// The microkernels for pixels.
    package static var pixels: PixelMicrokernels.Type { PixelMicrokernels.self }
  #else
    /// The microkernels for pixels, which are in the table of this processor.
    package static var pixels: Microkernels { current }
  #endif
}
