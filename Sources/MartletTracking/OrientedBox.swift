//===--- OrientedBox.swift - boxes that are turned ------------------------===//
//
// Contract  A turn is clockwise in an image, whose y points down.
// Checked   Tests/MartletTrackingTests/OrientedBoxTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage
import MartletMath

/// A turn about a point.
struct Rotation: Equatable, Sendable {
  static let none = Rotation(cosine: 1, sine: 0)

  let cosine: Float
  let sine: Float

  /// A turn by an angle in radians.
  init(_ angle: Float) { self.init(cosine: VectorMath.cos(angle), sine: VectorMath.sin(angle)) }

  private init(cosine: Float, sine: Float) {
    self.cosine = cosine
    self.sine = sine
  }

  /// Both turns. Their lengths stay 1, however many are joined.
  static func + (first: Rotation, second: Rotation) -> Rotation {
    let cosine = first.cosine * second.cosine - first.sine * second.sine
    let sine = first.sine * second.cosine + first.cosine * second.sine
    let length = (cosine * cosine + sine * sine).squareRoot()
    return Rotation(cosine: cosine / length, sine: sine / length)
  }

  /// The turn that takes the second to the first.
  static func - (first: Rotation, second: Rotation) -> Rotation {
    first + Rotation(cosine: second.cosine, sine: -second.sine)
  }

  /// Where a point goes that is turned about the origin.
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (x * cosine - y * sine, x * sine + y * cosine)
  }
}

/// A box that was turned about its middle.
struct OrientedBox: Equatable, Sendable {
  /// The box before the turn.
  var upright: Box
  var rotation = Rotation.none

  /// The upright box around the ellipse that fills this one: unlike the box around the corners it is no
  /// larger than needed for what is round.
  var bounds: Box {
    guard rotation != .none else { return upright }
    let (width, height) = (upright.width * upright.width, upright.height * upright.height)
    let (cosine, sine) = (rotation.cosine * rotation.cosine, rotation.sine * rotation.sine)
    return Box(
      center: upright.center, width: (width * cosine + height * sine).squareRoot(),
      height: (width * sine + height * cosine).squareRoot())
  }

  /// The box grown about its center.
  func expanded(by factor: Float) -> OrientedBox {
    OrientedBox(upright: upright.expanded(by: factor), rotation: rotation)
  }

  /// The box turned about its center.
  func turned(by rotation: Rotation) -> OrientedBox {
    OrientedBox(upright: upright, rotation: self.rotation + rotation)
  }
}
