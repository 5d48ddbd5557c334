//===--- ScaleLayout.swift - scales of elements ---------------------------===//
//
// Contract  Each run of `run` elements shares a scale; after the last scale the first follows.
//===----------------------------------------------------------------------===//

/// The mapping from elements of a tensor to their scales.
@usableFromInline
package struct ScaleLayout: Sendable {
  @usableFromInline
  package let scales: [Float]
  @usableFromInline
  package let zeroPoints: [Int32]
  /// The number of adjacent elements that share a scale.
  @usableFromInline
  package let run: Int

  /// - Precondition: If there is more than one scale, there are as many as `shape` has along the
  /// axis. Zero points fit 32 bits.
  package init(_ map: Quantization, of shape: Shape) {
    scales = map.scales
    zeroPoints = map.zeroPoints.map { Int32($0) }
    run = max(map.isPerTensor ? shape.elementCount : shape.product(map.axis + 1..<shape.rank), 1)
  }
}
