//===--- Lowering+Windows.swift - sliding windows -------------------------===//
//
// Contract  As in `Lowering.swift`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

extension Lowering {
  /// The extents of a convolution of one image.
  struct Filtering {
    let window: SlidingWindow
    /// The numbers of channels of the image and of the output.
    let depth, outputs: Int
    /// The products of an output with weights.
    var taps: Int { window.rows.filter * window.columns.filter * depth }
    /// The most pixels of the image in a window.
    var pixelCount: Int {
      min(window.rows.filter, window.rows.input) * min(window.columns.filter, window.columns.input)
    }

    /// The order of a layer whose elements have so many bytes.
    func order(elementSize: Int) -> ReadingOrder {
      ReadingOrder(window, depth: elementSize * depth, outputDepth: elementSize * outputs)
    }
  }

  /// The extents of a convolution, or `nil` after noting why there is no kernel.
  mutating func filtering(
    _ n: Node, _ o: WindowOptions, isDepthwise: Bool
  ) throws(CompileError) -> Filtering? {
    let (image, filter) = (shape(n.input(0)), shape(n.input(1)))
    guard image.rank == 4, image[0] == 1, image[3] > 0, filter.rank == 4,
      isDepthwise
        ? filter[0] == 1 && filter[3].isMultiple(of: image[3]) : filter[3] == image[3]
    else {
      note("\(n.name) of groups or of several images")
      return nil
    }
    guard
      let window = try window(n, image, (filter[1], filter[2]), o.padding, o.strides, o.dilations)
    else { return nil }
    let outputs = filter[isDepthwise ? 3 : 0]
    try expect(n, window.outputCount, outputs)
    return Filtering(window: window, depth: image[3], outputs: outputs)
  }

  /// A fully connected layer as a convolution of rows, or `nil` after noting why there is no kernel.
  mutating func connecting(
    _ n: Node, _ o: FullyConnectedOptions
  ) throws(CompileError) -> Filtering? {
    let filter = shape(n.input(1))
    guard filter.rank == 2, o.weightsFormat == .normal, filter[1] > 0 else {
      note("\(n.name) of shuffled weights")
      return nil
    }
    let rows = shape(n.input(0)).elementCount / filter[1]
    try expect(n, rows, filter[0])
    return try window(n, Shape([1, rows, 1, filter[1]]), (1, 1), .valid, (1, 1), (1, 1)).map {
      Filtering(window: $0, depth: filter[1], outputs: filter[0])
    }
  }

  /// The extents of a pool, or `nil` after noting why there is no kernel.
  mutating func pooling(
    _ n: Node, _ o: Pool2DOptions
  ) throws(CompileError) -> Filtering? {
    try pooling(
      n, (o.filterHeight, o.filterWidth), o.padding, (o.strideHeight, o.strideWidth))
  }

  /// The mean of all pixels as a pool, or `nil` after noting that it is another mean.
  mutating func meanPooling(_ n: Node) throws(CompileError) -> Filtering? {
    let image = shape(n.input(0))
    let axes = Set(try integers(n, 1).map { Int($0 < 0 ? $0 + Int32(image.rank) : $0) })
    guard image.rank == 4, axes == [1, 2] else {
      note("\(n.name) along other axes than height and width")
      return nil
    }
    // So that sums have at most 30 bits.
    guard image[1] * image[2] < 1 << 22 else {
      note("\(n.name) of more than 4 million pixels")
      return nil
    }
    return try pooling(n, (image[1], image[2]), .valid, (1, 1))
  }

  private mutating func pooling(
    _ n: Node, _ filter: (height: Int, width: Int), _ padding: Padding,
    _ strides: (height: Int, width: Int)
  ) throws(CompileError) -> Filtering? {
    let image = shape(n.input(0))
    guard image.rank == 4, image[0] == 1 else {
      note("\(n.name) of several images")
      return nil
    }
    guard let window = try window(n, image, filter, padding, strides, (1, 1)) else { return nil }
    try expect(n, window.outputCount, image[3])
    return Filtering(window: window, depth: image[3], outputs: image[3])
  }

  /// The window of a layer, or `nil` after noting why there is no kernel.
  mutating func window(
    _ n: Node, _ image: Shape, _ filter: (height: Int, width: Int), _ padding: Padding,
    _ strides: (height: Int, width: Int), _ dilations: (height: Int, width: Int)
  ) throws(CompileError) -> SlidingWindow? {
    let isSame = padding == .same
    guard
      let rows = WindowAxis(
        input: image[1], filter: filter.height, stride: strides.height,
        dilation: dilations.height, isSame: isSame),
      let columns = WindowAxis(
        input: image[2], filter: filter.width, stride: strides.width, dilation: dilations.width,
        isSame: isSame)
    else { throw .inconsistent(node: n.index, reason: "the window does not fit the image") }
    for axis in [rows, columns] {
      // Kernels compute places in 32 bits.
      let end = Int64(axis.filter) * Int64(axis.dilation) + Int64(axis.input) + Int64(axis.stride)
      guard end <= Int64(Int32.max) else {
        note("\(n.name) with windows that extend over more than 2 billion pixels")
        return nil
      }
    }
    return SlidingWindow(batches: 1, rows: rows, columns: columns)
  }

  func record(
    _ layer: Filtering, inputZero: Int32 = 0, outputZero: Int32 = 0,
    _ range: ClosedRange<Int32>
  ) -> [Int32] {
    record(
      layer, inputZero: inputZero, outputZero: outputZero,
      (low: range.lowerBound, high: range.upperBound))
  }

  func record(
    _ layer: Filtering, inputZero: Int32 = 0, outputZero: Int32 = 0,
    _ range: (low: Int32, high: Int32)
  ) -> [Int32] {
    let (rows, columns) = (layer.window.rows, layer.window.columns)
    // No place of a window has more than 32 bits; see `window`.
    return [
      rows.input, columns.input, layer.depth, rows.filter, columns.filter, rows.stride,
      columns.stride,
      rows.dilation, columns.dilation, rows.border, columns.border, rows.output, columns.output,
      layer.outputs,
    ].map { Int32($0) } + [inputZero, outputZero, range.low, range.high]
  }
}
