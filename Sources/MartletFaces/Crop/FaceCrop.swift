//===--- FaceCrop.swift - a turned square around a face -------------------===//
//
// What the networks look at: a square in which the face is upright.
//
// Contract  Points of the crop are shares of its side, 0...1 from its top left corner; the image's are
//           pixels. z has the scale of x in both.
// Checked   Tests/MartletFacesTests/FaceCropTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// A turned square around a face.
package struct FaceCrop: Sendable, Hashable {
  /// The middle, in the image.
  package var center: Point
  /// The side in pixels of the image.
  package var side: Float
  /// The crop's direction to the right, in the image: of length 1.
  package var across: SIMD2<Float>

  /// The crop's side, in longer sides of the face's box.
  static let room: Float = 1.5

  /// A square of these values.
  package init(center: Point, side: Float, across: SIMD2<Float>) {
    self.center = center
    self.side = side
    self.across = across
  }

  /// The square around a face that a detector found.
  package init(around face: DetectedFace) {
    let points = face.keyPoints
    self.init(
      center: face.frame.center, side: FaceCrop.room * max(face.frame.width, face.frame.height),
      across: FaceCrop.across(points.rightEye, points.leftEye, points.mouth))
  }

  /// The square around a face whose mesh is known, of the frame before: around the mesh's rectangle in the
  /// face's own direction.
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

  /// The direction of a face to the right of the image when it is upright: that from the right eye to the
  /// left one, and that from the eyes to the mouth turned by a quarter, together. In profile the first
  /// is short and says little.
  private static func across(_ rightEye: Point, _ leftEye: Point, _ mouth: Point) -> SIMD2<Float> {
    let (right, left) = (rightEye.vector, leftEye.vector)
    let down = mouth.vector - (right + left) / 2
    let sum = left - right + [down.y, -down.x]
    let length = (sum * sum).sum().squareRoot()
    return length > 0 && length.isFinite ? sum / length : [1, 0]
  }
}

// MARK: - Places

extension FaceCrop {
  /// Where a point of the image is in the crop.
  package func crop(_ point: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(shift(point) / side + 0.5, point.z / side)
  }

  /// Where a point of the crop is in the image.
  package func picture(_ point: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(center.vector + turn((SIMD2(point.x, point.y) - 0.5) * side), point.z * side)
  }

  /// The way from the crop's middle to a point of the image, in the crop's directions.
  private func shift(_ point: SIMD3<Float>) -> SIMD2<Float> {
    let way = SIMD2(point.x, point.y) - center.vector
    return [(way * across).sum(), (way * [-across.y, across.x]).sum()]
  }

  /// A way in the crop's directions as one in the image's.
  func turn(_ way: SIMD2<Float>) -> SIMD2<Float> {
    across * way.x + [-across.y, across.x] * way.y
  }
}

// MARK: - Parts of a face

extension FaceCrop {
  /// The sides of the crops of an eye and of eyes and mouth, in sides of the face's crop.
  private static let (eye, smile): (Float, Float) = (0.2, 0.6)

  /// The crop of an eye of a mesh, turned as that of the face.
  package func leftEye(of mesh: FaceMesh) -> FaceCrop {
    part(around: mesh.landmark(.leftEye), side: FaceCrop.eye)
  }

  /// The crop of the right eye, likewise. Networks know left eyes: mirror it for them.
  package func rightEye(of mesh: FaceMesh) -> FaceCrop {
    part(around: mesh.landmark(.rightEye), side: FaceCrop.eye)
  }

  /// The crop from above the eyes to the chin.
  package func smile(of mesh: FaceMesh) -> FaceCrop {
    let eyes = mesh.landmark(.rightEye).vector + mesh.landmark(.leftEye).vector
    return part(around: Point(eyes / 4 + mesh.mouth.vector / 2), side: FaceCrop.smile)
  }

  private func part(around center: Point, side share: Float) -> FaceCrop {
    FaceCrop(center: center, side: share * side, across: across)
  }
}

extension Point {
  /// The same as a vector.
  var vector: SIMD2<Float> { [x, y] }

  /// The same as a point.
  init(_ vector: SIMD2<Float>) { self.init(x: vector.x, y: vector.y) }
}
