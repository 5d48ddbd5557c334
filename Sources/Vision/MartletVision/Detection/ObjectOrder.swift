//===--- ObjectOrder.swift - which object comes first ---------------------===//
//
// The salience of an object is the mean of the detector's score and of its probability that the
// image is about the object. If the detector reports only the score, salience is the score times a
// power of the box's nearness to the center. If there are more objects than requested, the most
// salient one stays, and the best-scoring others: the probability says which object comes first, not
// which others there are.
//
// Contract  The sort is stable. Nearness is measured in pixels, so it depends on the aspect ratio: 1
//           at the center, 0 in a corner.
// Cost      O(n log n), for n objects.
//===----------------------------------------------------------------------===//

import MartletBase

extension DetectionParameters {
  /// The salience of an object in an image of this size, 0...1.
  package func prominence(of object: DetectedObject, in size: ImageSize) -> Float {
    if let prominence = object.prominence { return (object.score + prominence) / 2 }
    let (width, height) = (Float(size.width), Float(size.height))
    let dx = object.frame.center.x - width / 2
    let dy = object.frame.center.y - height / 2
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    let nearness = max(1 - (dx * dx + dy * dy).squareRoot() / halfDiagonal, 0)
    return object.score * power(nearness, centerExponent)
  }
}

/// `base` to the power of `exponent`, for bases in 0...1.
private func power(_ base: Float, _ exponent: Float) -> Float {
  if exponent == 0 { return 1 }
  return base > 0 ? VectorMath.exp(exponent * VectorMath.log(base)) : 0
}

extension [DetectedObject] {
  /// Returns the most salient object and the best-scoring others, at most `limit` in all, sorted by
  /// decreasing salience in an image of this size.
  package func selected(
    _ limit: Int, in size: ImageSize, parameters: DetectionParameters
  ) -> [DetectedObject] {
    let sorted = byProminence(in: size, parameters: parameters)
    guard limit > 1 else { return Array(sorted.prefix(limit)) }
    let others = sorted.indices.dropFirst().sorted {
      (sorted[$1].score, $0) < (sorted[$0].score, $1)
    }
    return (sorted.indices.prefix(1) + others.prefix(limit - 1)).sorted().map { sorted[$0] }
  }

  /// Returns the objects sorted by decreasing salience in an image of this size.
  package func byProminence(
    in size: ImageSize, parameters: DetectionParameters
  ) -> [DetectedObject] {
    let prominences = map { parameters.prominence(of: $0, in: size) }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}
