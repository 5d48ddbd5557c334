//===--- ResizePlace.swift - source positions of a resized axis -----------===//
//
// Bilinear resizing takes two neighbours along each axis: worked out beforehand, once for all rows
// and all columns.
//===----------------------------------------------------------------------===//

/// The two pixels around a place, and how far it is from the first.
package struct ResizePlace<Weight: Sendable>: Sendable {
  /// The distances in elements from the beginning of the row, or of the image.
  package let lower: Int
  package let upper: Int
  package let weight: Weight
}

extension ResizeAxis {
  /// The places of all outputs; neighbouring pixels are `pitch` elements apart.
  package func places(pitch: Int) -> [ResizePlace<Float>] {
    (0..<output).map { index in
      let (lower, upper, place) = neighbors(of: index)
      return ResizePlace(
        lower: lower &* pitch, upper: upper &* pitch, weight: place - Float(lower))
    }
  }

  /// The same in steps of 2⁻¹⁰, or `nil` where a place is more than a pixel from its neighbours.
  package func fixedPlaces(pitch: Int) -> [ResizePlace<Int32>]? {
    var places: [ResizePlace<Int32>] = []
    for index in 0..<output {
      let (lower, upper, place) = fixedNeighbors(of: index)
      let weight = place &- lower &* 1024
      guard (-1024...1024).contains(weight) else { return nil }
      places.append(
        ResizePlace(lower: lower &* pitch, upper: upper &* pitch, weight: Int32(weight)))
    }
    return places
  }
}
