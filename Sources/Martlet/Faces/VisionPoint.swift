//===--- VisionPoint.swift - a place in an image --------------------------===//
//
// Contract  Pixels, origin top left. In JSON a point is an array of its coordinates.
// Checked   Tests/MartletTests/FaceTests.swift, Tests/MartletTests/FaceCodingTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
import MartletImage

/// A place in an image.
public struct VisionPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public let x: CGFloat
  /// Pixels from the top edge.
  public let y: CGFloat

  /// A place at (`x`, `y`).
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// The same place.
  init(_ point: Point) { self.init(x: CGFloat(point.x), y: CGFloat(point.y)) }

  /// Where a place of the upright image lies in the stored image.
  func stored(_ orientation: ImageOrientation, _ size: ImageSize) -> VisionPoint {
    guard orientation != .up else { return self }
    return VisionPoint(
      orientation.stored(Point(x: Float(x), y: Float(y)), storedSize: size))
  }
}

/// A place in an image, and how far behind it lies.
public struct Vision3DPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public let x: CGFloat
  /// Pixels from the top edge.
  public let y: CGFloat
  /// As many pixels further from the viewer than the middle of the face.
  public let z: CGFloat

  /// A place at (`x`, `y`), and `z` behind.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The same place.
  init(_ point: SIMD3<Float>) {
    self.init(x: CGFloat(point.x), y: CGFloat(point.y), z: CGFloat(point.z))
  }

  /// Where a place of the upright image lies in the stored image.
  func stored(_ orientation: ImageOrientation, _ size: ImageSize) -> Vision3DPoint {
    let place = VisionPoint(x: x, y: y).stored(orientation, size)
    return Vision3DPoint(x: place.x, y: place.y, z: z)
  }
}

extension VisionPoint: Codable {
  /// A point of an array of x and y.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(x: try container.decode(CGFloat.self), y: try container.decode(CGFloat.self))
  }

  /// Writes x and y.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
  }
}

extension Vision3DPoint: Codable {
  /// A point of an array of x, y and z.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(
      x: try container.decode(CGFloat.self), y: try container.decode(CGFloat.self),
      z: try container.decode(CGFloat.self))
  }

  /// Writes x, y and z.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
    try container.encode(z)
  }
}
