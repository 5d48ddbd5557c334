//===--- ShippedModel+Traits.swift - networks that may be left out --------===//

import MartletWeights

extension ShippedModel {
  /// The bytes of a network that the program contains if a trait of the package is enabled.
  func bytes(of trait: String) throws(VisionError) -> [UInt8] {
    let bytes = bytes
    guard !bytes.isEmpty else { throw .notIncluded(trait: trait) }
    return bytes
  }
}
