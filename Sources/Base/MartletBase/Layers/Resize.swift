//===--- Resize.swift - positions in a resized image ----------------------===//
//
// Contract  LiteRT's positions: in single precision, or in steps of 2⁻¹⁰.
//===----------------------------------------------------------------------===//

/// The mapping of positions along one axis between two image sizes.
@usableFromInline
package struct ResizeAxis: Sendable {
  @usableFromInline
  package let input: Int
  @usableFromInline
  package let output: Int
  /// Whether the centers of the first and last pixels are kept (`align_corners`).
  @usableFromInline
  package let alignsCorners: Bool
  /// Whether a pixel's position is its center, not its corner (`half_pixel_centers`).
  @usableFromInline
  package let usesCenters: Bool

  /// - Precondition: extents are positive.
  package init(input: Int, output: Int, alignsCorners: Bool, usesCenters: Bool) {
    self.input = input
    self.output = output
    self.alignsCorners = alignsCorners
    self.usesCenters = usesCenters
  }

  @export(implementation)
  var steps: (input: Int, output: Int) {
    alignsCorners && output > 1 ? (input &- 1, output &- 1) : (input, output)
  }

  /// The two pixels around the position of output `index`, and that position.
  @export(implementation)
  package func neighbors(of index: Int) -> (lower: Int, upper: Int, place: Float) {
    let scale = Float(steps.input) / Float(steps.output)
    let place = usesCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
    let lower = min(max(Int(VectorMath.floor(place)), 0), input &- 1)
    return (lower, min(Int(VectorMath.ceil(place)), input &- 1), place)
  }

  /// The two pixels around the position of output `index`, and that position in steps of 2⁻¹⁰.
  @export(implementation)
  package func fixedNeighbors(of index: Int) -> (lower: Int, upper: Int, place: Int) {
    let scale = (steps.input << 10 &+ steps.output / 2) / steps.output
    let place = index &* scale &+ (usesCenters ? scale / 2 &- 512 : 0)
    let lower = min(max(place / 1024, 0), input &- 1)
    return (lower, min((place &+ 1023) / 1024, input &- 1), place)
  }

  /// The pixel nearest to the position of output `index`.
  package func nearest(to index: Int) -> Int {
    let scale = Float(steps.input) / Float(steps.output)
    let place = (Float(index) + (usesCenters ? 0.5 : 0)) * scale
    let pixel = Int(alignsCorners ? VectorMath.round(place) : VectorMath.floor(place))
    return min(max(pixel, 0), input - 1)
  }
}

/// The extents of a resized batch of images.
@usableFromInline
package struct Resize: Sendable {
  @usableFromInline
  package let batches: Int
  @usableFromInline
  package let rows: ResizeAxis
  @usableFromInline
  package let columns: ResizeAxis
  @usableFromInline
  package let depth: Int

  package init(batches: Int, rows: ResizeAxis, columns: ResizeAxis, depth: Int) {
    self.batches = batches
    self.rows = rows
    self.columns = columns
    self.depth = depth
  }
}
