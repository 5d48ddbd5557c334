//===--- WeakPerspective.swift - head pose from points --------------------===//
//
// Weak perspective: the image of a head that is not very near is its model rotated, scaled
// uniformly and shifted. A 2 x 3 matrix is fitted from the model's points to the image's by least
// squares. Polar decomposition turns it into the first two rows of the nearest scaled rotation.
//
// Contract  Needs no camera parameters. `nil` if points coincide, lie on a line, or are not finite.
// Accuracy  Mean difference from rendered heads' exact angles, X, Y, Z in degrees. By the mesh:
//           1.5, 1.1, 0.4 up to 40 degrees of Y and 1.3, 1.3, 1.1 beyond. By the key points: 2.3,
//           0.9, 0.6 and 1.8, 2.6, 1.5. On meshes of 4,296 photographed faces, X is 3.6 above that
//           of a fit to MediaPipe's canonical face. By that fit, people who pose for a portrait
//           look down by 4.8; by this one, by 0.3.
//===----------------------------------------------------------------------===//

internal import MartletImage

extension HeadEulerAngles {
  /// The head angles of a mesh.
  package init?(_ mesh: FaceMesh) {
    let rigid = CanonicalFace.rigid
    self.init(
      fitting: rigid.lazy.map { CanonicalFace.points[$0] }, to: rigid.lazy.map { mesh.place($0) })
  }

  /// The head angles from key points alone, which is less accurate than a mesh.
  package init?(_ keyPoints: FaceKeyPoints) {
    self.init(fitting: CanonicalFace.keyPoints, to: keyPoints.all)
  }

  /// The rotation that fits a model to image points, one for each point of the model.
  private init?(fitting points: some Collection<SIMD3<Float>>, to places: some Collection<Point>) {
    let model = points.lazy.map { SIMD3<Double>($0) }
    let seen = places.lazy.map { SIMD2(Double($0.x), -Double($0.y)) }
    let count = Double(model.count)
    let middle = model.reduce(.zero, +) / count
    let center = seen.reduce(.zero, +) / count
    // Sums of products: model by model coordinates (columns), and image by model coordinates.
    var columns = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    var (across, up) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for (place, point) in zip(model, seen) {
      let (p, q) = (place - middle, point - center)
      columns.0 += p * p.x
      columns.1 += p * p.y
      columns.2 += p * p.z
      across += p * q.x
      up += p * q.y
    }
    // The inverse of a symmetric matrix is its columns' cross products divided by its determinant.
    // The division is left out: it affects only the scale, not the rotation.
    let (yz, zx, xy) = (
      columns.1.cross(columns.2), columns.2.cross(columns.0), columns.0.cross(columns.1)
    )
    self.init(
      orthonormalizing: [across.dot(yz), across.dot(zx), across.dot(xy)],
      [up.dot(yz), up.dot(zx), up.dot(xy)])
  }

  /// The rotation nearest to two rows: (M Mᵀ)^(-1/2) M, where the root of a 2 x 2 matrix S with
  /// determinant s² is (S + s) / √(trace S + 2 s).
  private init?(orthonormalizing first: SIMD3<Double>, _ second: SIMD3<Double>) {
    let length = (first.dot(first) + second.dot(second)).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    let (m, n) = (first / length, second / length)
    let (a, b, c) = (m.dot(m), m.dot(n), n.dot(n))
    let s = max(a * c - b * b, 0).squareRoot()
    // Rows that are parallel to six digits do not determine the rotation.
    guard s > 1e-6 else { return nil }
    let root = (a + c + 2 * s).squareRoot() * s
    self.init(
      across: ((c + s) * m - b * n) / root, up: ((a + s) * n - b * m) / root)
  }
}
