//===--- Preparation+Shapes.swift - shapes, windows and broadcasting ------===//
//
// Shape checks of operators, with errors that name the operand and the axis, and the geometry of
// sliding windows.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

extension Preparation {
  /// Returns the shape of input `index`. Throws unless its number of axes is in `ranks`.
  @discardableResult
  public func shape(
    ofInput index: Int, ranks: ClosedRange<Int>
  ) throws(InferenceError) -> Shape {
    let shape = try input(index).shape
    guard ranks.contains(shape.rank) else {
      throw .rank(node: node, operand: .input(index), found: shape.rank, expected: ranks)
    }
    return shape
  }

  /// Throws unless `shape`, the shape of input `index`, has `extent` elements along `axis`.
  public func expect(
    _ shape: Shape, ofInput index: Int, axis: Int, extent: Int
  ) throws(InferenceError) {
    guard shape[axis] == extent else {
      throw .extent(
        node: node, operand: .input(index), axis: axis, found: shape[axis], expected: extent)
    }
  }

  /// Creates a shape from untrusted extents. Throws if an extent is negative or exceeds
  /// `Int32.max`, or if there are too many axes or elements.
  public func shape(_ extents: [Int]) throws(InferenceError) -> Shape {
    for (axis, extent) in extents.enumerated() where extent < 0 || extent > Int(Int32.max) {
      throw .extent(
        node: node, operand: .output(0), axis: axis, found: extent,
        expected: extent < 0 ? 0 : Int(Int32.max))
    }
    guard extents.count <= Shape.maximumRank else {
      throw .rank(
        node: node, operand: .output(0), found: extents.count, expected: 0...Shape.maximumRank)
    }
    guard let shape = Shape(checking: extents) else {
      throw .tooLarge(node: node, bytes: Int.max, limit: Int(Int32.max))
    }
    return shape
  }

  /// Resolves an axis of `shape` that an option or a tensor names; negative ones count from the
  /// end.
  package func axis(_ index: Int, of shape: Shape) throws(InferenceError) -> Int {
    guard let axis = shape.axis(index) else {
      throw .option(node: node, name: "axis", value: index)
    }
    return axis
  }

  /// Returns how the inputs at `indices` are broadcast to a common shape.
  package func broadcast(_ indices: Int...) throws(InferenceError) -> Broadcast {
    var shapes: [Shape] = []
    for index in indices { shapes.append(try input(index).shape) }
    var result = shapes[0]
    for (index, shape) in zip(indices, shapes).dropFirst() {
      result = try broadcast(result, with: shape, ofInput: index)
    }
    return Broadcast(shapes, over: result)
  }

  /// Returns the common shape of `shape` and `other`, which is that of input `index` or part of it.
  package func broadcast(
    _ shape: Shape, with other: Shape, ofInput index: Int
  ) throws(InferenceError) -> Shape {
    do throws(BroadcastMismatch) {
      return try shape.broadcast(with: other)
    } catch {
      switch error {
      case .extents(let axis, let found, let expected):
        throw .extent(
          node: node, operand: .input(index), axis: axis, found: found, expected: expected)
      case .tooLarge:
        throw .tooLarge(node: node, bytes: Int.max, limit: Int(Int32.max))
      }
    }
  }

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

  /// Returns the elements of input `index`, of type int32 or int64, for example a shape. If `Int`
  /// has 32 bits, they are clamped to it.
  ///
  /// Throws `valueNotKnown` if the graph computes them and has not done so yet.
  public func integers(of index: Int) throws(InferenceError) -> [Int] {
    let operand = try input(index)
    guard operand.shape.elementCount <= ModelLimits.values else {
      throw .elementCount(
        node: node, operand: .input(index), found: operand.shape.elementCount,
        expected: ModelLimits.values)
    }
    switch operand.type {
    case .int32: return try values(of: index, as: Int32.self).map { Int($0) }
    case .int64: return try values(of: index, as: Int64.self).map { Int(clamping: $0) }
    case let type: throw .unsupportedType(node: node, operand: .input(index), found: type)
    }
  }

  /// Returns the only element of input `index`, of type int32 or int64.
  package func integer(of index: Int) throws(InferenceError) -> Int {
    let elements = try integers(of: index)
    guard elements.count == 1 else {
      throw .elementCount(node: node, operand: .input(index), found: elements.count, expected: 1)
    }
    return elements[0]
  }

  /// Returns input 0, and output 0 with the same shape and type.
  package mutating func elementwise<Scalar: Element>(
    as: Scalar.Type
  ) throws(InferenceError) -> (Operand<Scalar>, Operand<Scalar>) {
    let x = try input(0, as: Scalar.self)
    return (x, try output(0, as: Scalar.self, shape: x.shape))
  }

  /// Returns input 0, and output 0 with the same shape and type, which may share the input's
  /// memory. The kernel must not read an element after writing the one at its index.
  package mutating func elementwiseInPlace<Scalar: Element>(
    as: Scalar.Type
  ) throws(InferenceError) -> (Operand<Scalar>, Operand<Scalar>) {
    mayOverwrite(inputs: 0)
    return try elementwise(as: Scalar.self)
  }
}
