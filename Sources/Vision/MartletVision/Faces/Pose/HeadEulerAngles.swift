//===--- HeadEulerAngles.swift - Euler angles of a head -------------------===//
//
// A head's rotation is Rz(z) Rx(-x) Ry(y), with x to the right of the image, y up and z towards the
// viewer.
//
// Source    The signs are those of ML Kit's `headEulerAngleX`, `Y` and `Z`, whose order is not
//           published.
//===----------------------------------------------------------------------===//

import MartletBase

/// The rotation of a head, in degrees. All angles are zero if it faces the viewer.
public struct HeadEulerAngles: Sendable, Hashable {
  /// About the horizontal axis: positive if the face is turned up.
  public var x: Float
  /// About the vertical axis: positive if the face is turned towards the right of the image.
  public var y: Float
  /// About the axis out of the image: positive counter-clockwise.
  public var z: Float

  /// A rotation by angles in degrees.
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The angles of the rotation whose matrix has these first two rows.
  init(across: SIMD3<Double>, up: SIMD3<Double>) {
    let out = across.cross(up)
    let sine = min(max(out.y, -1), 1)
    x = HeadEulerAngles.degrees(-sine, (1 - sine * sine).squareRoot())
    y = HeadEulerAngles.degrees(-out.x, out.z)
    z = HeadEulerAngles.degrees(-across.y, up.y)
  }

  /// The first two rows of the rotation matrix: the image's x (right) and y (up) of the head's
  /// axes. Columns are the unit vectors to the subject's left, up and out of the face.
  package var rows: (across: SIMD3<Float>, up: SIMD3<Float>) {
    let turns = SIMD3(-x, y, z) * (.pi / 180)
    let (sinX, cosX) = (VectorMath.sin(turns.x), VectorMath.cos(turns.x))
    let (sinY, cosY) = (VectorMath.sin(turns.y), VectorMath.cos(turns.y))
    let (sinZ, cosZ) = (VectorMath.sin(turns.z), VectorMath.cos(turns.z))
    let first: SIMD3<Float> = [cosY, 0, sinY]
    let second: SIMD3<Float> = [sinX * sinY, cosX, -sinX * cosY]
    return (cosZ * first - sinZ * second, sinZ * first + cosZ * second)
  }

  private static func degrees(_ y: Double, _ x: Double) -> Float {
    Float(VectorMath.atan2(y, x) * (180 / Double.pi))
  }
}

extension SIMD3<Double> {
  /// The cross product.
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    [
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x,
    ]
  }

  /// The dot product.
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
}
