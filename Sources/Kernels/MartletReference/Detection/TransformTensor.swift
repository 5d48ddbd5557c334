//===--- TransformTensor.swift - bilinear image transform -----------------===//
//
// The first two rows of a 4x4 matrix map each output pixel's center to a position in the input,
// whose four neighbors are interpolated.
//
// Contract  MediaPipe's TransformTensorBilinear, version 2. Positions outside the centers of the
//           input's outermost pixels, and NaN, result in zero. Order     The blend is computed in
//           double precision and rounded to float for the upper row, the lower row and the result.
// Cost      Four elements read for each one written.
//===----------------------------------------------------------------------===//

/// The part of a row-major 4x4 matrix that transforms points of a plane.
package struct PlaneTransform: Sendable {
  package var x: SIMD3<Float>
  package var y: SIMD3<Float>

  /// The first two rows of `matrix`, without their third column.
  package init(_ matrix: UnsafeMutableBufferPointer<Float>) {
    x = SIMD3(matrix[0], matrix[1], matrix[3])
    y = SIMD3(matrix[4], matrix[5], matrix[7])
  }

  /// The transformed point.
  @inline(__always)
  package func callAsFunction(_ px: Float, _ py: Float) -> (x: Float, y: Float) {
    (px * x[0] + py * x[1] + x[2], px * y[0] + py * y[1] + y[2])
  }
}

/// The extents of an image to transform.
package struct TensorTransform: Sendable {
  package let inputRows: Int
  package let inputColumns: Int
  package let outputRows: Int
  package let outputColumns: Int
  package let depth: Int

  package init(
    inputRows: Int, inputColumns: Int, outputRows: Int, outputColumns: Int, depth: Int
  ) {
    self.inputRows = inputRows
    self.inputColumns = inputColumns
    self.outputRows = outputRows
    self.outputColumns = outputColumns
    self.depth = depth
  }
}

extension Reference {
  package static func transformTensor(
    _ input: UnsafeMutableBufferPointer<Float>, by matrix: UnsafeMutableBufferPointer<Float>,
    _ extents: TensorTransform, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let transform = PlaneTransform(centering: matrix)
    let depth = extents.depth
    var pixel = 0
    for row in 0..<extents.outputRows {
      for column in 0..<extents.outputColumns {
        let place = transform(Float(column), Float(row))
        let result = output[pixel..<pixel + depth]
        pixel += depth
        guard let blend = Blend(at: place, extents) else {
          for i in result.indices { output[i] = 0 }
          continue
        }
        for i in 0..<depth { output[result.startIndex + i] = blend.value(input, i) }
      }
    }
  }
}

extension PlaneTransform {
  /// The matrix for coordinates in which integers are pixel centers, from one in which they are
  /// corners.
  fileprivate init(centering matrix: UnsafeMutableBufferPointer<Float>) {
    self.init(matrix)
    x[2] += Float(Double(x[0]) * 0.5 + Double(x[1]) * 0.5 - 0.5)
    y[2] += Float(Double(y[0]) * 0.5 + Double(y[1]) * 0.5 - 0.5)
  }
}

/// The four neighbors of a position, and the weights of the lower and right ones.
private struct Blend {
  let upperLeft: Int
  let right: Int
  let below: Int
  let rightPart: Double
  let lowerPart: Double

  /// Returns `nil` outside the centers of the outermost pixels.
  init?(at place: (x: Float, y: Float), _ extents: TensorTransform) {
    guard place.x >= 0, place.x <= Float(extents.inputColumns - 1), place.y >= 0,
      place.y <= Float(extents.inputRows - 1)
    else { return nil }
    // If an extent is above 2²⁴, the bound is rounded and may be after the last pixel.
    let column = min(Int(place.x), extents.inputColumns - 1)
    let row = min(Int(place.y), extents.inputRows - 1)
    upperLeft = (row * extents.inputColumns + column) * extents.depth
    right = column + 1 < extents.inputColumns ? extents.depth : 0
    below = row + 1 < extents.inputRows ? extents.inputColumns * extents.depth : 0
    rightPart = Double(place.x) - Double(column)
    lowerPart = Double(place.y) - Double(row)
  }

  /// The value of channel `i`. Past the edge, a neighbor with weight zero is read instead.
  @inline(__always)
  func value(_ input: UnsafeMutableBufferPointer<Float>, _ i: Int) -> Float {
    let start = upperLeft + i
    func mixed(_ left: Int) -> Float {
      Float((1 - rightPart) * Double(input[left]) + rightPart * Double(input[left + right]))
    }
    let upper = mixed(start)
    let lower = mixed(start + below)
    return Float(lowerPart * Double(lower) + (1 - lowerPart) * Double(upper))
  }
}
