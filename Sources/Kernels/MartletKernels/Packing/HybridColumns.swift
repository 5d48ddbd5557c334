//===--- HybridColumns.swift - factors and biases -------------------------===//
//
// Each column of a matrix of byte weights has a factor and a bias. Its zero sum is the amount that
// one step of a row's zero point adds to a sum.
//
// Contract  The layout is that of `Int32Dequantize`: padded to whole vectors.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The factors, biases and zero sums of all columns.
struct HybridColumns: Sendable {
  private let memory: Arena
  /// The number of columns, including padding.
  private let count: Int

  /// An empty bias is stored as negative zero, which leaves any number unchanged when added.
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

  /// The values from `column` on.
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
