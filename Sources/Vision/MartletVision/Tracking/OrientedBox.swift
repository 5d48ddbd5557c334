//===--- OrientedBox.swift - rotated boxes --------------------------------===//
//
// Contract  Rotations are clockwise in an image, whose y axis points down.
//===----------------------------------------------------------------------===//

internal import MartletImage
import MartletBase

/// A rotation about a point.
struct Rotation: Equatable, Sendable {
  static let none = Rotation(cosine: 1, sine: 0)

  let cosine: Float
  let sine: Float

  /// Creates a rotation by an angle in radians.
  init(_ angle: Float) { self.init(cosine: VectorMath.cos(angle), sine: VectorMath.sin(angle)) }

  private init(cosine: Float, sine: Float) {
    self.cosine = cosine
    self.sine = sine
  }

  /// The composition of both rotations, normalized so that errors do not accumulate.
  static func + (first: Rotation, second: Rotation) -> Rotation {
    let cosine = first.cosine * second.cosine - first.sine * second.sine
    let sine = first.sine * second.cosine + first.cosine * second.sine
    let length = (cosine * cosine + sine * sine).squareRoot()
    return Rotation(cosine: cosine / length, sine: sine / length)
  }

  /// The rotation that takes the second to the first.
  static func - (first: Rotation, second: Rotation) -> Rotation {
    first + Rotation(cosine: second.cosine, sine: -second.sine)
  }

  /// Returns the point rotated about the origin.
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (x * cosine - y * sine, x * sine + y * cosine)
  }
}

/// A box rotated about its center.
struct OrientedBox: Equatable, Sendable {
  /// The box before the rotation.
  var upright: Box
  var rotation = Rotation.none

  /// The axis-aligned box around the ellipse that fills this one. For round objects it is tighter
  /// than the box around the corners.
  var bounds: Box {
    guard rotation != .none else { return upright }
    let (width, height) = (upright.width * upright.width, upright.height * upright.height)
    let (cosine, sine) = (rotation.cosine * rotation.cosine, rotation.sine * rotation.sine)
    return Box(
      center: upright.center, width: (width * cosine + height * sine).squareRoot(),
      height: (width * sine + height * cosine).squareRoot())
  }

  /// Returns the box scaled about its center.
  func expanded(by factor: Float) -> OrientedBox {
    OrientedBox(upright: upright.expanded(by: factor), rotation: rotation)
  }

  /// Returns the box rotated about its center.
  func turned(by rotation: Rotation) -> OrientedBox {
    OrientedBox(upright: upright, rotation: self.rotation + rotation)
  }
}
