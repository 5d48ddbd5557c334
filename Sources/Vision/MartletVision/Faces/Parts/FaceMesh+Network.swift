//===--- FaceMesh+Network.swift - network outputs to a mesh ---------------===//
//
// The network returns each point's offset from the canonical face, which is seen from the front and
// scaled to its size in the crop.
//
// Contract  Offsets are fractions of the crop's side. Depths grow away from the viewer; zero is the
//           mean depth of the canonical face.
//===----------------------------------------------------------------------===//

extension FaceMesh {
  /// The mesh, in image coordinates, of a face in a crop. `offsets` holds x and y of each point,
  /// `depths` its z. `nil` if a count is wrong or a value is not finite.
  package init?(offsets: [Float], depths: [Float], in crop: FaceCrop) {
    let count = FaceMesh.pointCount
    guard offsets.count == 2 * count, depths.count == count else { return nil }
    let canonical = FaceMesh.canonicalPointsInCrop
    let points = (0..<count).map { index in
      let offset = SIMD3(offsets[2 * index], offsets[2 * index + 1], depths[index])
      return crop.imagePoint(canonical[index] + offset)
    }
    guard points.allSatisfy({ $0.sum().isFinite }) else { return nil }
    self.init(points)
  }

  /// The canonical face in crop coordinates: upright, its bounding box centered.
  static let canonicalPointsInCrop = {
    let seen = CanonicalFace.points.map { $0 * [1, -1, -1] }
    let (low, high) = seen.dropFirst().reduce((seen[0], seen[0])) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
    let size = high - low
    let depth = seen.reduce(Float(0)) { $0 + $1.z } / Float(seen.count)
    let middle = SIMD3((low.x + high.x) / 2, (low.y + high.y) / 2, depth)
    let side = FaceCrop.room * max(size.x, size.y)
    return seen.map { ($0 - middle) / side + [0.5, 0.5, 0] }
  }()
}
