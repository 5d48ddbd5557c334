//===--- Prominence.swift - which object the picture is about -------------===//
//
// Prominent is what takes up a good part of the picture and lies around its middle: the score,
// times powers of the box's share of the picture and of its nearness to the centre.
//
// Contract  The order of equals stays. Nearness is measured in pixels, so the picture's proportions
//           count: 1 at the centre, 0 in a corner.
// Checked   Tests/MartletVisionTests/ProminenceTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

extension Proposal {
  /// How prominent the proposal is in a picture of `width` by `height` pixels.
  package func prominence(
    width: Float, height: Float, parameters: DetectionParameters
  ) -> Float {
    let dx = (box.center.x - 0.5) * width
    let dy = (box.center.y - 0.5) * height
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    let nearness = max(1 - (dx * dx + dy * dy).squareRoot() / halfDiagonal, 0)
    return score * power(box.area, parameters.sizeExponent)
      * power(nearness, parameters.centreExponent)
  }
}

/// `base` to the power of `exponent`, for bases in 0...1.
private func power(_ base: Float, _ exponent: Float) -> Float {
  if exponent == 0 { return 1 }
  return base > 0 ? VectorMath.exp(exponent * VectorMath.log(base)) : 0
}

extension [Proposal] {
  /// The proposals by falling prominence in a picture of `width` by `height` pixels.
  package func byProminence(
    width: Int, height: Int, parameters: DetectionParameters
  ) -> [Proposal] {
    let prominences = map {
      $0.prominence(width: Float(width), height: Float(height), parameters: parameters)
    }
    return indices.sorted { (prominences[$1], $0) < (prominences[$0], $1) }.map { self[$0] }
  }
}
