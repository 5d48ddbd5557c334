//===--- Prominence.swift - which object the image is about ---------------===//
//
// Prominent is what the detector is sure of, and says that the image is about: the mean of both
// probabilities. Where it says only the first, what lies around the image's middle is prominent: the
// score, times a power of the box's nearness to the center.
//
// Contract  The order of equals stays. Nearness is measured in pixels, so the image's proportions
//           count: 1 at the center, 0 in a corner.
// Checked   Tests/MartletVisionTests/ProminenceTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

extension DetectionParameters {
  /// How prominent an object is in an image of this size, 0...1.
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
  /// The objects by decreasing salience in an image of this size.
  package func byProminence(
    in size: ImageSize, parameters: DetectionParameters
  ) -> [DetectedObject] {
    let prominences = map { parameters.prominence(of: $0, in: size) }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}
