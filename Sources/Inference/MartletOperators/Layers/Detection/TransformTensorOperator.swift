//===--- TransformTensorOperator.swift - TransformTensorBilinear ----------===//
//
// Inputs   0 x: NHWC, one image, float32
//          1 matrix: 4x4, float32: from positions in y to positions in x.
// Output   0 y: NHWC, float32, of x's depth.
// Options  A FlexBuffer: output_height, output_width.
// Source   MediaPipe `transform_tensor_bilinear.cc`, version 2.
//===----------------------------------------------------------------------===//

import MartletModel
import MartletReference

extension Registration {
  static let transformTensor = Registration(
    .custom("TransformTensorBilinear"), versions: 2...2
  ) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let image = try p.shape(ofInput: 0, ranks: 4...4)
    try p.expect(image, ofInput: 0, axis: 0, extent: 1)
    let options = try p.customOptions()
    let extents = TensorTransform(
      inputRows: image[1], inputColumns: image[2],
      outputRows: try p.extent(options, "output_height"),
      outputColumns: try p.extent(options, "output_width"), depth: image[3])
    let x = try p.input(0, as: Float.self)
    let matrix = try p.transformMatrix(1)
    let y = try p.output(
      0, as: Float.self,
      shape: try p.shape([1, extents.outputRows, extents.outputColumns, image[3]]))
    return { e in Reference.transformTensor(e[x], by: e[matrix], extents, into: e[y]) }
  }
}

extension Preparation {
  /// Input `index`, a 4x4 matrix.
  func transformMatrix(_ index: Int) throws(InferenceError) -> Operand<Float> {
    try input(index, as: Float.self, count: 16)
  }

  /// An option that is an extent, greater than zero; throws otherwise.
  func extent(_ options: FlexBuffer, _ name: String) throws(InferenceError) -> Int {
    let value = options[name]?.intValue ?? 0
    guard value > 0, value <= Int(Int32.max) else {
      throw .option(node: node, name: name, value: value)
    }
    return value
  }
}
