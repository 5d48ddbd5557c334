//===--- FaceMesh.swift - 468 points of a face ----------------------------===//
//
// Contract  The vertices are those of MediaPipe's face mesh. x and y are pixels of the upright image, z
//           has their scale and points away from the viewer.
// Checked   Tests/MartletFacesTests/FaceMeshTests.swift
//===----------------------------------------------------------------------===//

package import MartletImage

/// The points of a face.
package struct FaceMesh: Sendable, Hashable {
  /// How many points a mesh has.
  package static let pointCount = 468

  /// The points: always `pointCount`.
  package private(set) var points: [SIMD3<Float>]

  /// A mesh of these points, or `nil` unless they are `pointCount`.
  package init?(_ points: [SIMD3<Float>]) {
    guard points.count == FaceMesh.pointCount else { return nil }
    self.points = points
  }

  /// The upright rectangle round all points.
  package var box: Box {
    var (low, high) = (points[0], points[0])
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return Box(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  /// Where a vertex lies in the image.
  func place(_ vertex: Int) -> Point { Point(x: points[vertex].x, y: points[vertex].y) }

  /// The middle of several vertices.
  func middle(of vertices: [Int]) -> Point {
    let sum = vertices.reduce(SIMD3<Float>.zero) { $0 + points[$1] } / Float(vertices.count)
    return Point(x: sum.x, y: sum.y)
  }
}
