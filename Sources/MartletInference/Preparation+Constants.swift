//===--- Preparation+Constants.swift - weights that may be packed ---------===//
//
// Fast kernels lay weights out anew, once, while a node is prepared: that takes weights that the
// file holds. Others run on the reference kernels.
//
// Contract  Packed weights stay in proportion to the file, though many nodes may share its weights:
//           when they have taken their share, nodes run on the reference kernels.
// Checked   Tests/MartletKernelsTests, `martlet conformance`
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletTensor

extension Preparation {
  /// The bytes that packed weights may take: many times what a file takes whose nodes have weights
  /// of their own, and enough for small files that share them.
  private var packingLimit: Int { (64 << 20) + 8 * file.count }

  /// Counts memory for packed weights; `false` where that is too much.
  mutating func takePacked(_ bytes: Int) -> Bool {
    guard bytes <= packingLimit - ledger.use.packed else { return false }
    ledger.use.packed += bytes
    return true
  }

  /// The weights (input 1) and the bias (input 2 if no other is named, none where it is absent) if
  /// fast kernels are asked for and the file holds both.
  package mutating func constantWeights<Weight: Element, Bias: Element>(
    as: Weight.Type, bias: Bias.Type, at index: Int = 2
  ) throws(InferenceError) -> (UnsafeBufferPointer<Weight>, bias: UnsafeBufferPointer<Bias>)? {
    guard kernels == .fast, let weights = try constant(1, as: Weight.self) else { return nil }
    let none = UnsafeBufferPointer<Bias>(start: nil, count: 0)
    // Bytes become words of 16 bits; floats stay as wide as they are.
    guard let bias = hasInput(index) ? try constant(index, as: Bias.self) : none,
      takePacked(weights.count * max(MemoryLayout<Weight>.stride, 2))
    else { return nil }
    return (weights, bias)
  }
}

extension UnsafeBufferPointer where Element: FixedWidthInteger {
  /// Byte weights less their zero point, whose sign is turned in `offset`.
  package func widened(offset: Int32) -> [Int16] {
    map { Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: $0) &+ offset) }
  }
}
