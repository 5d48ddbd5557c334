//===--- RFFT2DOperator.swift - RFFT2D ------------------------------------===//
//
// Inputs  0 x: float32, [..., rows, columns]; 1 the extents of the transform: int32, [2], powers of
//         two. Images are cropped, or padded with zeros, to them.
// Output  0 y: complex64, [..., height, width / 2 + 1]: the other columns are conjugates of these.
// Source  LiteRT 2.3.0 `rfft2d.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let extents = 1
}

extension Registration {
  static let rfft2D = Registration(.rfft2d, versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.input(Input.x, as: Float.self)
    let shape = try p.shape(ofInput: Input.x, ranks: 2...Shape.maximumRank)
    let transform = try p.fourierTransform()
    let last = shape.rank - 2
    let images = shape.product(0..<last)
    let y = try p.output(
      0, as: ComplexNumber.self,
      shape: try p.shape(
        Array(shape.dimensions[..<last]) + [transform.height, transform.columns]))
    let size = transform.scratchCount
    let plane = try p.scratch(rows: transform.height, of: size.row, as: Double.self)
    let line = try p.scratch(size.line, as: Double.self)
    p.stateWork(of: transform, images: images)
    let (rows, columns) = (shape[last], shape[last + 1])
    return { e in
      for image in 0..<images where !e.workers.isInterrupted {
        transform(
          e[x].row(image, of: rows * columns), rows: rows, columns: columns, plane: e[plane],
          line: e[line], into: e[y].row(image, of: transform.height * transform.columns))
      }
    }
  }
}

extension Preparation {
  /// The transform with the extents in input 1.
  fileprivate func fourierTransform() throws(InferenceError) -> RealFourierTransform {
    try expectType([.int32], input: Input.extents)
    try shape(ofInput: Input.extents, ranks: 1...1)
    try expectCount(2, input: Input.extents)
    let extents = try integers(of: Input.extents)
    for extent in extents where extent <= 0 || extent & (extent - 1) != 0 {
      throw .option(node: node, name: "fft_length", value: extent)
    }
    try takePrepared(
      RealFourierTransform.rootCount(height: extents[0], width: extents[1]),
      of: MemoryLayout<Double>.stride)
    return RealFourierTransform(height: extents[0], width: extents[1])
  }

  /// States the number of multiplications, which exceeds the number of elements.
  fileprivate mutating func stateWork(of transform: RealFourierTransform, images: Int) {
    let levels =
      transform.height.trailingZeroBitCount + transform.width.trailingZeroBitCount + 1
    state(work: saturatingProduct(images, transform.height, transform.width, levels))
  }
}
