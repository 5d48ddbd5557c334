//===--- TransformLandmarks.swift - landmark transform --------------------===//
//
// (x', y') = the first two rows of a 4x4 matrix times (x, y, 0, 1). A third coordinate is
// unchanged.
//
// Contract  MediaPipe's TransformLandmarks, version 2.
// Order     x · m0 + y · m1 + m3, rounded at each step, never fused.
// Cost      Four multiplications per point.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Transforms points of `dimensions` coordinates, two or three.
  package static func transformLandmarks(
    _ points: UnsafeMutableBufferPointer<Float>, dimensions: Int,
    by matrix: UnsafeMutableBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let transform = PlaneTransform(matrix)
    for i in stride(from: 0, to: points.count, by: dimensions) {
      (output[i], output[i + 1]) = transform(points[i], points[i + 1])
      if dimensions == 3 { output[i + 2] = points[i + 2] }
    }
  }
}
