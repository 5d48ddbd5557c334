//===--- TestFace.swift - synthetic faces ---------------------------------===//

import Foundation
import MartletImage

@testable import MartletVision

/// Faces with known points.
enum TestFace {
  /// A face with center (x, y) and this side, with the key points of an upright face.
  static func at(_ x: Float, _ y: Float, side: Float = 40, score: Float = 0.9) -> DetectedFace {
    let frame = Box(center: Point(x: x, y: y), width: side, height: side)
    return DetectedFace(frame: frame, score: score, keyPoints: keyPoints(x, y, side))
  }

  static func keyPoints(_ x: Float, _ y: Float, _ side: Float) -> FaceKeyPoints {
    let offsets: [(Float, Float)] = [
      (-0.2, -0.15), (0.2, -0.15), (0, 0.05), (0, 0.25), (-0.45, -0.05), (0.45, -0.05),
    ]
    let points = offsets.map { Point(x: x + $0.0 * side, y: y + $0.1 * side) }
    guard let keyPoints = FaceKeyPoints(points) else { fatalError("six points") }
    return keyPoints
  }

  /// A mesh whose vertex `index` is at `point(index)`.
  static func mesh(_ point: (Int) -> SIMD3<Float>) -> FaceMesh {
    guard let mesh = FaceMesh((0..<FaceMesh.pointCount).map(point)) else {
      fatalError("468 points")
    }
    return mesh
  }

  /// The canonical face, rotated by angles in degrees and projected into an image. The eyes are
  /// `scale` pixels apart.
  static func mesh(
    turned x: Double, _ y: Double, _ z: Double, scale: Double = 60, at center: Point
  ) -> FaceMesh {
    mesh { projected(CanonicalFace.points[$0], x, y, z, scale, center) }
  }

  /// The projection of a point of the canonical face, rotated about the vertical axis, then the
  /// horizontal one, then the viewing axis.
  static func projected(
    _ point: SIMD3<Float>, _ x: Double, _ y: Double, _ z: Double, _ scale: Double, _ center: Point
  ) -> SIMD3<Float> {
    func turned(_ a: Double, _ b: Double, by degrees: Double) -> (Double, Double) {
      let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      return (a * c - b * s, a * s + b * c)
    }
    var p = SIMD3<Double>(point)
    (p.z, p.x) = turned(p.z, p.x, by: y)
    (p.y, p.z) = turned(p.y, p.z, by: -x)
    (p.x, p.y) = turned(p.x, p.y, by: z)
    return [Float(p.x * scale) + center.x, Float(-p.y * scale) + center.y, Float(-p.z * scale)]
  }
}
