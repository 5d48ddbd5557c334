//===--- Preparation+Window.swift - sliding windows of a node -------------===//
//
// Checks the window parameters of a node and computes the window's geometry.
//
// Checked   Tests/MartletInferenceTests/PreparationTests.swift
//===----------------------------------------------------------------------===//

import MartletModel
import MartletTensor

extension Preparation {
  /// The window of a filter of `height` by `width` taps on the NHWC images of input 0.
  package func window(
    on image: Shape, height: Int, width: Int, padding: Padding, strides: (height: Int, width: Int),
    dilations: (height: Int, width: Int) = (1, 1)
  ) throws(InferenceError) -> SlidingWindow {
    SlidingWindow(
      batches: image[0],
      rows: try windowAxis(
        1, of: image, filter: height, padding: padding, stride: strides.height,
        dilation: dilations.height),
      columns: try windowAxis(
        2, of: image, filter: width, padding: padding, stride: strides.width,
        dilation: dilations.width))
  }

  /// The window geometry of `filter` taps along `axis` of images or volumes of shape `image`.
  func windowAxis(
    _ axis: Int, of image: Shape, filter: Int, padding: Padding, stride: Int, dilation: Int
  ) throws(InferenceError) -> WindowAxis {
    guard stride > 0 else { throw .option(node: node, name: "stride", value: stride) }
    guard dilation > 0 else { throw .option(node: node, name: "dilation", value: dilation) }
    guard
      let window = WindowAxis(
        input: image[axis], filter: filter, stride: stride, dilation: dilation,
        isSame: padding == .same)
    else {
      throw .extent(
        node: node, operand: .input(0), axis: axis, found: image[axis], expected: filter)
    }
    return window
  }
}
