//===--- VolumeConvolutionOperator.swift - CONV_3D, CONV_3D_TRANSPOSE -----===//
//
// CONV_3D
// Inputs  0 x: NDHWC, float32
//         1 w: DHWIO, float32
//         2 bias: one for each O, float32. May be absent.
// Output  0 y: NDHWC, float32
//
// CONV_3D_TRANSPOSE
// Inputs  0 extents: int32 [5], those of the result
//         1 w: DHWOI, float32; 2 x: NDHWC, float32; 3 bias: one for each O. May be absent.
// Output  0 y: NDHWC, float32
// Source  LiteRT 2.3.0 `conv3d.cc`, `conv3d_transpose.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs of CONV_3D.
private enum Input {
  static let image = 0
  static let filter = 1
  static let bias = 2
}

/// The inputs of CONV_3D_TRANSPOSE.
private enum TransposeInput {
  static let extents = 0
  static let filter = 1
  static let image = 2
  static let bias = 3
}

extension OperatorTraits {
  /// Filters are DHWIO.
  fileprivate static let conv3D = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: { _, inputs, outputs in
        guard inputs.count > 1, inputs[1].rank == 5 else { return 0 }
        return saturatingProduct(outputs[0].elementCount, inputs[1].product(0..<4))
      }))

  /// Filters are DHWOI.
  fileprivate static let conv3DTranspose = OperatorTraits(
    cost: OperatorCost(products: { _, inputs, outputs in
      guard inputs.count > 1, inputs[1].rank == 5 else { return 0 }
      return saturatingProduct(outputs[0].elementCount, inputs[1].product(0..<3), inputs[1][4])
    }))
}

extension Registration {
  static let conv3D = Registration(.conv3D, versions: 1...1, traits: .conv3D) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...3)
    guard case .conv3D(let options) = p.operation.options else { throw .options(node: p.node) }
    let image = try p.shape(ofInput: Input.image, ranks: 5...5)
    let filter = try p.shape(ofInput: Input.filter, ranks: 5...5)
    try p.expect(filter, ofInput: Input.filter, axis: 3, extent: image[4])
    try p.expectBias(Input.bias, count: filter[4])
    let window = try p.window(on: image, filter, options)
    let convolution = VolumeConvolution(
      window: window, inputDepth: image[4], outputDepth: filter[4])
    let result = try p.shape([
      window.batches, window.planes.output, window.rows.output, window.columns.output, filter[4],
    ])
    let x = try p.input(Input.image, as: Float.self)
    let w = try p.input(Input.filter, as: Float.self)
    let bias = try p.optionalInput(Input.bias, as: Float.self)
    let y = try p.output(0, as: Float.self, shape: result)
    let range = try p.floatRange(of: options.activation)
    if p.kernels == .fast, image[4] > 0, filter[4] > 0 {
      let kernel = Float32VolumeConvolution(
        convolution, clampedTo: range, workers: p.workerCount)
      let scratch = try p.scratch(kernel.scratchCount, as: Float.self)
      return { e in
        kernel(
          e[x], filter: e[w], bias: e[bias], scratch: e[scratch], into: e[y], workers: e.workers)
      }
    }
    return { e in
      Reference.convolve(
        e[x], filter: e[w], bias: e[bias], convolution, clampedTo: range, into: e[y],
        workers: e.workers)
    }
  }

  static let conv3DTranspose = Registration(
    .conv3DTranspose, versions: 1...1, traits: .conv3DTranspose
  ) {
    p throws(InferenceError) in
    try p.expect(inputs: 3...4)
    guard case .conv3D(let options) = p.operation.options else { throw .options(node: p.node) }
    let result = try p.shape(try p.integers(of: TransposeInput.extents))
    guard result.rank == 5 else {
      throw .rank(node: p.node, operand: .output(0), found: result.rank, expected: 5...5)
    }
    let image = try p.shape(ofInput: TransposeInput.image, ranks: 5...5)
    let filter = try p.shape(ofInput: TransposeInput.filter, ranks: 5...5)
    try p.expect(filter, ofInput: TransposeInput.filter, axis: 4, extent: image[4])
    try p.expectBias(TransposeInput.bias, count: filter[3])
    let window = try p.window(on: result, filter, options)
    let expected = [
      result[0], window.planes.output, window.rows.output, window.columns.output,
    ]
    for axis in 0..<4 {
      try p.expect(image, ofInput: TransposeInput.image, axis: axis, extent: expected[axis])
    }
    guard result[4] == filter[3] else {
      throw .extent(
        node: p.node, operand: .output(0), axis: 4, found: result[4], expected: filter[3])
    }
    let convolution = TransposeVolumeConvolution(
      window: window, inputDepth: image[4], outputDepth: filter[3])
    let x = try p.input(TransposeInput.image, as: Float.self)
    let w = try p.input(TransposeInput.filter, as: Float.self)
    let bias = try p.optionalInput(TransposeInput.bias, as: Float.self)
    let y = try p.output(0, as: Float.self, shape: result)
    let range = try p.floatRange(of: options.activation)
    return { e in
      Reference.convolve(
        e[x], filter: e[w], bias: e[bias], convolution, clampedTo: range, into: e[y],
        workers: e.workers)
    }
  }
}

extension Preparation {
  /// The window of a filter on volumes of shape `image`; the filter's first three axes are its
  /// taps.
  fileprivate func window(
    on image: Shape, _ filter: Shape, _ options: Conv3DOptions
  ) throws(InferenceError) -> VolumeWindow {
    func axis(
      _ axis: Int, stride: Int, dilation: Int
    ) throws(InferenceError) -> WindowAxis {
      try windowAxis(
        axis, of: image, filter: filter[axis - 1], padding: options.padding, stride: stride,
        dilation: dilation)
    }
    return VolumeWindow(
      batches: image[0],
      planes: try axis(1, stride: options.strideDepth, dilation: options.dilationDepth),
      rows: try axis(2, stride: options.strideHeight, dilation: options.dilationHeight),
      columns: try axis(3, stride: options.strideWidth, dilation: options.dilationWidth))
  }
}
