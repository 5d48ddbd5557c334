//===--- Preparation+Packing.swift - memory that is worked out beforehand -===//
//
// Contract  What nodes pack and work out beforehand stays in proportion to the file, though many nodes
//           may share its weights.
// Checked   Tests/MartletInferenceTests/HostileGraphTests.swift
//===----------------------------------------------------------------------===//

import MartletModel

extension Preparation {
  /// Counts memory for packed weights; `false` if that is too much.
  package func takePacked(_ bytes: Int) -> Bool {
    let limit = ModelLimits.packed(fileSize: file.count)
    guard bytes <= limit - budget.use.packed else { return false }
    budget.use.packed += bytes
    return true
  }

  /// Counts memory for what is worked out beforehand for each of `count` channels.
  package func takePrepared(_ count: Int, of bytes: Int) throws(InferenceError) {
    let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
    guard !overflow, takePacked(product) else {
      throw .tooLarge(
        node: node, bytes: saturatingSum(budget.use.packed, overflow ? Int.max : product),
        limit: ModelLimits.packed(fileSize: file.count))
    }
  }
}
