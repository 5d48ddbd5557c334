//===--- Preparation+Packing.swift - memory of packed weights -------------===//
//
// Contract  The memory of packed weights and precomputed tables is proportional to the file's size,
//           even if many nodes share the same weights.
// Checked   Tests/MartletInferenceTests/HostileGraphTests.swift
//===----------------------------------------------------------------------===//

import MartletModel

extension Preparation {
  /// Reserves memory for packed weights; returns `false` if the limit would be exceeded.
  package func takePacked(_ bytes: Int) -> Bool {
    let limit = ModelLimits.packed(fileSize: file.count)
    guard bytes <= limit - budget.use.packed else { return false }
    budget.use.packed += bytes
    return true
  }

  /// Reserves memory for precomputed values, `bytes` for each of `count` channels; throws
  /// `tooLarge` if the limit would be exceeded.
  package func takePrepared(_ count: Int, of bytes: Int) throws(InferenceError) {
    let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
    guard !overflow, takePacked(product) else {
      throw .tooLarge(
        node: node, bytes: saturatingSum(budget.use.packed, overflow ? Int.max : product),
        limit: ModelLimits.packed(fileSize: file.count))
    }
  }
}
