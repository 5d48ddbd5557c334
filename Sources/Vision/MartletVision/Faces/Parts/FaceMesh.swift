//===--- FaceMesh.swift - 468 points of a face ----------------------------===//
//
// Contract  The vertices are those of MediaPipe's face mesh. x and y are pixels of the upright
//           image; z has the same scale and grows away from the viewer.
//===----------------------------------------------------------------------===//

package import MartletImage

/// The 468 points of a face.
package struct FaceMesh: Sendable, Hashable {
  /// The number of points of a mesh.
  package static let pointCount = 468

  /// Exactly `pointCount` points.
  package private(set) var points: [SIMD3<Float>]

  /// A mesh of these points; `nil` unless there are exactly `pointCount`.
  package init?(_ points: [SIMD3<Float>]) {
    guard points.count == FaceMesh.pointCount else { return nil }
    self.points = points
  }

  /// The smallest upright rectangle around all points.
  package var box: Box {
    var (low, high) = (points[0], points[0])
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return Box(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  /// The position of a vertex in the image.
  func place(_ vertex: Int) -> Point { Point(x: points[vertex].x, y: points[vertex].y) }

  /// The mean of several vertices.
  func middle(of vertices: [Int]) -> Point {
    let sum = vertices.reduce(SIMD3<Float>.zero) { $0 + points[$1] } / Float(vertices.count)
    return Point(x: sum.x, y: sum.y)
  }
}
