//===--- FaceCrop.swift - a rotated crop of a face ------------------------===//
//
// The input of the face networks: a square in which the face is upright.
//
// Contract  Crop points are fractions of its side, 0...1 from its top left corner; image points are
//           pixels. z has the scale of x in both.
//===----------------------------------------------------------------------===//

package import MartletImage

/// A rotated square around a face.
package struct FaceCrop: Sendable, Hashable {
  /// The center, in the image.
  package var center: Point
  /// The side in image pixels.
  package var side: Float
  /// The crop's direction to the right, as a unit vector in the image.
  package var across: SIMD2<Float>

  /// The crop's side, as a multiple of the longer side of the face's box.
  static let room: Float = 1.5

  /// A crop with these values; `across` must have length 1.
  package init(center: Point, side: Float, across: SIMD2<Float>) {
    self.center = center
    self.side = side
    self.across = across
  }

  /// The square around a detected face.
  package init(around face: DetectedFace) {
    let points = face.keyPoints
    self.init(
      center: face.frame.center, side: FaceCrop.room * max(face.frame.width, face.frame.height),
      across: FaceCrop.across(points.rightEye, points.leftEye, points.mouth))
  }

  /// The square around a face whose mesh is known, from the previous frame: centered on the mesh's
  /// bounding rectangle in the face's own direction.
  package init(around mesh: FaceMesh) {
    let across = FaceCrop.across(
      mesh.landmark(.rightEye), mesh.landmark(.leftEye), mesh.mouth)
    let turned = FaceCrop(center: Point(x: 0, y: 0), side: 1, across: across)
    let (first, rest) = (turned.shift(mesh.points[0]), mesh.points.dropFirst())
    var (low, high) = (first, first)
    for point in rest {
      let place = turned.shift(point)
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    let middle = (low + high) / 2
    self.init(
      center: Point(turned.turn(middle)), side: FaceCrop.room * (high - low).max(), across: across)
  }

  /// The face's direction to the right: the sum of the vector from the right eye to the left one
  /// and of the vector from the eyes to the mouth, rotated by 90 degrees. In profile the first is
  /// short and unreliable.
  private static func across(_ rightEye: Point, _ leftEye: Point, _ mouth: Point) -> SIMD2<Float> {
    let (right, left) = (rightEye.vector, leftEye.vector)
    let down = mouth.vector - (right + left) / 2
    let sum = left - right + [down.y, -down.x]
    let length = (sum * sum).sum().squareRoot()
    return length > 0 && length.isFinite ? sum / length : [1, 0]
  }
}

// MARK: - Coordinates

extension FaceCrop {
  /// Maps a point of the image to the crop.
  package func crop(_ point: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(shift(point) / side + 0.5, point.z / side)
  }

  /// Maps a point of the crop to the image.
  package func imagePoint(_ point: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(center.vector + turn((SIMD2(point.x, point.y) - 0.5) * side), point.z * side)
  }

  /// The vector from the crop's center to a point of the image, in the crop's directions.
  private func shift(_ point: SIMD3<Float>) -> SIMD2<Float> {
    let way = SIMD2(point.x, point.y) - center.vector
    return [(way * across).sum(), (way * [-across.y, across.x]).sum()]
  }

  /// Rotates a vector from the crop's directions to the image's.
  func turn(_ way: SIMD2<Float>) -> SIMD2<Float> {
    across * way.x + [-across.y, across.x] * way.y
  }
}

// MARK: - Parts of a face

extension FaceCrop {
  /// The sides of the eye crop and of the smile crop, as fractions of the face crop's side.
  private static let (eye, smile): (Float, Float) = (0.2, 0.6)

  /// The crop of the left eye, rotated like the face's crop.
  package func leftEye(of mesh: FaceMesh) -> FaceCrop {
    part(around: mesh.landmark(.leftEye), side: FaceCrop.eye)
  }

  /// The crop of the right eye, rotated like the face's crop. The networks expect left eyes, so the
  /// caller must mirror it.
  package func rightEye(of mesh: FaceMesh) -> FaceCrop {
    part(around: mesh.landmark(.rightEye), side: FaceCrop.eye)
  }

  /// The crop of eyes and mouth, for the smile classifier.
  package func smile(of mesh: FaceMesh) -> FaceCrop {
    let eyes = mesh.landmark(.rightEye).vector + mesh.landmark(.leftEye).vector
    return part(around: Point(eyes / 4 + mesh.mouth.vector / 2), side: FaceCrop.smile)
  }

  private func part(around center: Point, side share: Float) -> FaceCrop {
    FaceCrop(center: center, side: share * side, across: across)
  }
}

extension Point {
  /// The point as a vector.
  var vector: SIMD2<Float> { [x, y] }

  /// The vector as a point.
  init(_ vector: SIMD2<Float>) { self.init(x: vector.x, y: vector.y) }
}
