//===--- VisionPoint.swift - points in an image ---------------------------===//
//
// Contract  Pixels, origin top left. In JSON a point is an array of its coordinates.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletImage

/// A point in an image.
public struct VisionPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public let x: CGFloat
  /// Pixels from the top edge.
  public let y: CGFloat

  /// A point at (`x`, `y`).
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// The same point.
  init(_ point: Point) { self.init(x: CGFloat(point.x), y: CGFloat(point.y)) }

  /// Converts a point of the upright image to the stored image.
  func stored(_ orientation: ImageOrientation, _ size: ImageSize) -> VisionPoint {
    guard orientation != .up else { return self }
    return VisionPoint(
      orientation.stored(Point(x: Float(x), y: Float(y)), storedSize: size))
  }
}

/// A point in an image, with a depth.
public struct Vision3DPoint: Sendable, Hashable {
  /// Pixels from the left edge.
  public let x: CGFloat
  /// Pixels from the top edge.
  public let y: CGFloat
  /// The depth in pixels; larger values are farther from the viewer, 0 is the middle of the face.
  public let z: CGFloat

  /// A point at (`x`, `y`) with depth `z`.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The same point.
  init(_ point: SIMD3<Float>) {
    self.init(x: CGFloat(point.x), y: CGFloat(point.y), z: CGFloat(point.z))
  }

  /// Converts a point of the upright image to the stored image.
  func stored(_ orientation: ImageOrientation, _ size: ImageSize) -> Vision3DPoint {
    let place = VisionPoint(x: x, y: y).stored(orientation, size)
    return Vision3DPoint(x: place.x, y: place.y, z: z)
  }
}

extension VisionPoint: Codable {
  /// Decodes an array of x and y.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(x: try container.decode(CGFloat.self), y: try container.decode(CGFloat.self))
  }

  /// Encodes an array of x and y.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
  }
}

extension Vision3DPoint: Codable {
  /// Decodes an array of x, y and z.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(
      x: try container.decode(CGFloat.self), y: try container.decode(CGFloat.self),
      z: try container.decode(CGFloat.self))
  }

  /// Encodes an array of x, y and z.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
    try container.encode(z)
  }
}
