//===--- Int8Sums.swift - rows of bytes times a panel, bare sums ----------===//
//
// As `Int8Product.swift`, for results that become something other than bytes.
//
// Contract  Exact; sums wrap. Columns lie in order.
// Cost      2 · rows · depth · width operations.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

#if MARTLET_VNNI && canImport(_Builtin_intrinsics)
  extension Loops {
    /// Multiplies `rows` rows of `quads` groups of four unsigned bytes, `xStride` bytes apart, by a
    /// panel of `vectors` vectors; rows of sums are as long as the panel is wide.
    package static func int8Sums(
      _ x: UnsafePointer<UInt8>, _ xStride: Int, rows: Int, quads: Int,
      panel: UnsafePointer<Int32>, vectors: Int, _ y: UnsafeMutablePointer<Int32>
    ) {
      let product = Int8Product(x: x, xStride: xStride, quads: quads, panel: panel, flip: 0)
      switch vectors {
      case 4: multiply(product, rows, Static<4>(), InlineArray<24, Sums>(repeating: .zero), y)
      case 2: multiply(product, rows, Static<2>(), InlineArray<20, Sums>(repeating: .zero), y)
      default: multiply(product, rows, Static<1>(), InlineArray<12, Sums>(repeating: .zero), y)
      }
    }

    /// Tiles, of which the last overlaps the one before; or single rows where there are too few.
    @inline(__always)
    private static func multiply<let count: Int, let vectors: Int>(
      _ product: Int8Product, _ rows: Int, _ width: Static<vectors>,
      _ zero: InlineArray<count, Sums>, _ y: UnsafeMutablePointer<Int32>
    ) {
      let height = count / vectors
      var row = 0
      if rows >= height {
        while row < rows {
          let first = row &+ height > rows ? rows &- height : row
          let sums = product.tile(zero, width, first, height)
          let dest = y + first &* vectors &* 16
          for i in 0..<count { store(sums[i], to: dest + 16 &* i) }
          row &+= height
        }
      } else {
        let zero = InlineArray<4, Sums>(repeating: .zero)
        while row < rows {
          let sums = product.tile(zero, width, row, 1)
          let dest = y + row &* vectors &* 16
          for i in 0..<vectors { store(sums[i], to: dest + 16 &* i) }
          row &+= 1
        }
      }
    }
  }
#endif
