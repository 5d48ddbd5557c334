//===--- HybridColumns.swift - factors and biases of columns --------------===//
//
// For each column of a matrix of byte weights: its factor, its bias, and what each step of a row's
// zero point adds to a sum.
//
// Contract  As `Int32Dequantize` has them: filled up to whole vectors.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletMicrokernels
import MartletRuntime

/// The numbers of the columns.
struct HybridColumns: Sendable {
  private let memory: Arena
  /// The columns and those that fill them up.
  private let count: Int

  /// An empty bias is none: negative zero, to which any number may be added and stays the same.
  init(
    factors: [Float], bias: UnsafeBufferPointer<Float>, lanes: Int, zeroSum: (Int) -> Int32
  ) {
    count = (factors.count + lanes - 1) / lanes * lanes
    memory = Arena(byteCount: 12 * count)
    for column in factors.indices {
      let place = memory.base + 4 * column
      place.storeBytes(of: zeroSum(column), as: Int32.self)
      place.storeBytes(of: factors[column], toByteOffset: 4 * count, as: Float.self)
      place.storeBytes(
        of: bias.isEmpty ? -0.0 : bias[column], toByteOffset: 8 * count, as: Float.self)
    }
  }

  /// The numbers from a column on.
  @inline(__always)
  func scales(from column: Int) -> ColumnScales {
    ColumnScales(
      zeroSums: zeroSums + column, factors: factors + column, biases: biases + column)
  }

  var zeroSums: UnsafePointer<Int32> {
    UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self))
  }
  var factors: UnsafePointer<Float> {
    UnsafePointer((memory.base + 4 * count).assumingMemoryBound(to: Float.self))
  }
  var biases: UnsafePointer<Float> {
    UnsafePointer((memory.base + 8 * count).assumingMemoryBound(to: Float.self))
  }
}
