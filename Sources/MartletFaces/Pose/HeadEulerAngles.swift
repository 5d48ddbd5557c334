//===--- HeadEulerAngles.swift - how a head is turned ---------------------===//
//
// The rotation of a head is Rz(z) Rx(-x) Ry(y), with x to the right of the image, y up and z towards the
// viewer.
//
// Source    ML Kit's `headEulerAngleX`, `Y` and `Z`: their signs. Their order is not published.
// Checked   Tests/MartletFacesTests/WeakPerspectiveTests.swift
//===----------------------------------------------------------------------===//

import MartletMath

/// How a head is turned, in degrees. All are zero where it looks straight at the viewer.
public struct HeadEulerAngles: Sendable, Hashable {
  /// About the horizontal axis: positive where the face is turned up.
  public var x: Float
  /// About the vertical axis: positive where the face is turned towards the right of the image.
  public var y: Float
  /// About the axis out of the image: positive counter-clockwise.
  public var z: Float

  /// These angles, in degrees.
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The angles of a rotation, by the first two rows of its matrix.
  init(across: SIMD3<Double>, up: SIMD3<Double>) {
    let out = across.cross(up)
    let sine = min(max(out.y, -1), 1)
    x = HeadEulerAngles.degrees(-sine, (1 - sine * sine).squareRoot())
    y = HeadEulerAngles.degrees(-out.x, out.z)
    z = HeadEulerAngles.degrees(-across.y, up.y)
  }

  /// The first two rows of the rotation's matrix: where the image shows the head's own axes, to the right
  /// and up. Its columns are those to the subject's left, up and out of the face, each of length 1.
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
  /// The vector product.
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    [
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x,
    ]
  }

  /// The scalar product.
  func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }
}
