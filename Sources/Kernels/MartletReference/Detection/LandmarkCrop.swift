//===--- LandmarkCrop.swift - matrix of a landmark crop -------------------===//
//
// The matrix maps pixels of an upright crop around landmarks to positions in the image in which
// they were detected.
//
// Contract  MediaPipe's Landmarks2TransformMatrix, version 2. The crop is rotated so that the line
//           from the left to the right landmark has the requested angle. Its size is that of the
//           box around the subset in the rotated frame, times the scales. Order     In double
//           precision, rounded once; MediaPipe rounds each step to float, so the last bits may
//           differ.
// Cost      One pass over the subset.
//===----------------------------------------------------------------------===//

import MartletBase

/// Precomputed parameters of a crop around landmarks.
package struct LandmarkCrop: Sendable {
  /// The landmarks that the crop must contain; not empty.
  package let subset: [Int]
  /// The landmarks that determine the rotation of the crop.
  package let left: Int
  package let right: Int
  /// The cosine and sine of the angle of their line in the crop.
  let cosine: Double
  let sine: Double
  /// The crop's size in pixels.
  package let width: Int
  package let height: Int
  /// The size of the crop relative to the box.
  package let scaleX: Float
  package let scaleY: Float

  package init(
    subset: [Int], left: Int, right: Int, targetAngle: Float, width: Int, height: Int,
    scaleX: Float, scaleY: Float
  ) {
    self.subset = subset
    self.left = left
    self.right = right
    cosine = Double(VectorMath.cos(targetAngle))
    sine = Double(VectorMath.sin(targetAngle))
    self.width = width
    self.height = height
    self.scaleX = scaleX
    self.scaleY = scaleY
  }
}

extension Reference {
  /// The 4x4 matrix, row-major, for landmarks of three coordinates.
  package static func landmarkMatrix(
    _ landmarks: UnsafeMutableBufferPointer<Float>, _ crop: LandmarkCrop,
    into matrix: UnsafeMutableBufferPointer<Float>
  ) {
    func point(_ index: Int) -> SIMD2<Double> {
      SIMD2(Double(landmarks[3 * index]), Double(landmarks[3 * index + 1]))
    }
    let line = point(crop.right) - point(crop.left)
    let length = (line * line).sum().squareRoot()
    // A line of length zero counts as horizontal.
    let along = length == 0 ? SIMD2(1, 0) : line / length
    let cosine = crop.cosine * along.x + crop.sine * along.y
    let sine = crop.sine * along.x - crop.cosine * along.y
    var least = SIMD2(repeating: Double.infinity)
    var most = -least
    for index in crop.subset {
      let p = point(index)
      let turned = SIMD2(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y)
      least = pointwiseMin(least, turned)
      most = pointwiseMax(most, turned)
    }
    let middle = (least + most) / 2
    let size = SIMD2(Double(crop.width), Double(crop.height))
    let scale = SIMD2(Double(crop.scaleX), Double(crop.scaleY)) * (most - least) / size
    // From the crop's pixels, relative to its center, to the image.
    let x = SIMD2(cosine * scale.x, sine * scale.y)
    let y = SIMD2(-sine * scale.x, cosine * scale.y)
    matrix.update(repeating: 0)
    matrix[0] = Float(x.x)
    matrix[1] = Float(x.y)
    matrix[3] = Float(cosine * middle.x + sine * middle.y - (x * size).sum() / 2)
    matrix[4] = Float(y.x)
    matrix[5] = Float(y.y)
    matrix[7] = Float(-sine * middle.x + cosine * middle.y - (y * size).sum() / 2)
    matrix[10] = 1
    matrix[15] = 1
  }
}
