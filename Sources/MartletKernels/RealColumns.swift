//===--- RealColumns.swift - what makes floats of sums of steps -----------===//
//
// For each column of a matrix of byte weights: its factor, its bias, and what each step of a row's
// zero point adds to a sum.
//
// Contract  As `realSums` reads them: filled up to whole vectors.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletRuntime

/// The numbers of the columns.
struct RealColumns: Sendable {
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
