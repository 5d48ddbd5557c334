//===--- TestFace.swift - faces made of numbers ---------------------------===//

import Foundation
import MartletImage

@testable import MartletVision

/// Faces whose places are known.
enum TestFace {
  /// A face of this size around a point, with its key points where they lie in an upright one.
  static func at(_ x: Float, _ y: Float, side: Float = 40, score: Float = 0.9) -> DetectedFace {
    let frame = Box(center: Point(x: x, y: y), width: side, height: side)
    return DetectedFace(frame: frame, score: score, keyPoints: keyPoints(x, y, side))
  }

  static func keyPoints(_ x: Float, _ y: Float, _ side: Float) -> FaceKeyPoints {
    let shares: [(Float, Float)] = [
      (-0.2, -0.15), (0.2, -0.15), (0, 0.05), (0, 0.25), (-0.45, -0.05), (0.45, -0.05),
    ]
    let points = shares.map { Point(x: x + $0.0 * side, y: y + $0.1 * side) }
    guard let keyPoints = FaceKeyPoints(points) else { fatalError("six points") }
    return keyPoints
  }

  /// A mesh whose vertex `index` is where `place` says.
  static func mesh(_ place: (Int) -> SIMD3<Float>) -> FaceMesh {
    guard let mesh = FaceMesh((0..<FaceMesh.pointCount).map(place)) else {
      fatalError("468 points")
    }
    return mesh
  }

  /// The canonical face, turned by angles in degrees, as an image shows it: the eyes are `scale` pixels
  /// apart.
  static func mesh(
    turned x: Double, _ y: Double, _ z: Double, scale: Double = 60, at middle: Point
  ) -> FaceMesh {
    mesh { seen(CanonicalFace.points[$0], x, y, z, scale, middle) }
  }

  /// Where the image shows a place of the canonical face: turned about the vertical axis, then the
  /// horizontal one, then the one out of the image.
  static func seen(
    _ place: SIMD3<Float>, _ x: Double, _ y: Double, _ z: Double, _ scale: Double, _ middle: Point
  ) -> SIMD3<Float> {
    func turned(_ a: Double, _ b: Double, by degrees: Double) -> (Double, Double) {
      let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      return (a * c - b * s, a * s + b * c)
    }
    var p = SIMD3<Double>(place)
    (p.z, p.x) = turned(p.z, p.x, by: y)
    (p.y, p.z) = turned(p.y, p.z, by: -x)
    (p.x, p.y) = turned(p.x, p.y, by: z)
    return [Float(p.x * scale) + middle.x, Float(-p.y * scale) + middle.y, Float(-p.z * scale)]
  }
}
