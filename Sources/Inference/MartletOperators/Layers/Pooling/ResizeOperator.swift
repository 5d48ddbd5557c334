//===--- ResizeOperator.swift - RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR --===//
//
// Inputs  0 x: NHWC; bilinear: float32, uint8, int8 or int16; nearest: any type of whole bytes
//         1 size: int32 [2], the new height and width.
// Output  0 y: NHWC of x's type.
// Source  LiteRT 2.3.0 `resize_bilinear.cc`, `resize_nearest_neighbor.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let size = 1
}

extension Registration {
  static let resizeBilinear = Registration(
    .resizeBilinear, versions: 1...4, traits: OperatorTraits(cost: OperatorCost(.slow))
  ) {
    p throws(InferenceError) in
    guard case .resizeBilinear(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    guard !(options.alignCorners && options.halfPixelCenters) else {
      throw .option(node: p.node, name: "half_pixel_centers", value: 1)
    }
    let resize = try p.resize(options)
    let shape = try p.shape(resize.outputExtents)
    switch try p.input(Input.x).type {
    case .float32:
      let x = try p.input(Input.x, as: Float.self)
      let y = try p.output(0, as: Float.self, shape: shape)
      if p.takePlaces(resize) {
        let fast = BilinearResize(floats: resize)
        return { e in fast(e[x], into: e[y], workers: e.workers) }
      }
      return { e in Reference.resizeBilinear(e[x], resize, into: e[y]) }
    case .uint8:
      let x = try p.input(Input.x, as: UInt8.self)
      let y = try p.output(0, as: UInt8.self, shape: shape)
      if p.takePlaces(resize) {
        let fast = BilinearResize(floats: resize)
        return { e in fast(e[x], into: e[y], workers: e.workers) }
      }
      return { e in Reference.resizeBilinear(e[x], resize, into: e[y]) }
    case .int8:
      if p.takePlaces(resize), let fast = BilinearResize(fixed: resize) {
        let x = try p.input(Input.x, as: Int8.self)
        let y = try p.output(0, as: Int8.self, shape: shape)
        return { e in fast(e[x], into: e[y], workers: e.workers) }
      }
      return try prepareFixed(&p, resize, shape, as: Int8.self)
    case .int16: return try prepareFixed(&p, resize, shape, as: Int16.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
    }
  }

  package static let resizeNearestNeighbor = Registration(.resizeNearestNeighbor, versions: 1...4) {
    p throws(InferenceError) in
    guard case .resizeNearestNeighbor(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let resize = try p.resize(options)
    let x = try p.inputBytes(Input.x)
    let y = try p.outputBytes(0, typedAs: Input.x, shape: try p.shape(resize.outputExtents))
    let bytes = Resize(
      batches: resize.batches, rows: resize.rows, columns: resize.columns,
      depth: resize.depth * x.elementSize)
    if p.takePlaces(resize) {
      let fast = NearestResize(bytes)
      return { e in fast(e[x], into: e[y], workers: e.workers) }
    }
    return { e in Reference.resizeNearest(e[x], bytes, into: e[y]) }
  }
}

extension Preparation {
  /// Whether fast kernels are enabled and there is memory for their precomputed data.
  fileprivate mutating func takePlaces(_ resize: Resize) -> Bool {
    kernels == .fast && takePacked(resize.tapByteCount)
  }

  fileprivate func resize(_ options: ResizeOptions) throws(InferenceError) -> Resize {
    try expect(inputs: 2...2)
    let image = try shape(ofInput: Input.x, ranks: 4...4)
    let size = try values(of: Input.size, as: Int32.self)
    guard size.count == 2 else {
      throw .elementCount(node: node, operand: .input(Input.size), found: size.count, expected: 2)
    }
    return Resize(
      batches: image[0], rows: try axis(1, of: image, to: size[0], options),
      columns: try axis(2, of: image, to: size[1], options), depth: image[3])
  }

  private func axis(
    _ axis: Int, of image: Shape, to extent: Int32, _ options: ResizeOptions
  ) throws(InferenceError) -> ResizeAxis {
    guard extent > 0 else { throw .option(node: node, name: "size", value: Int(extent)) }
    guard image[axis] > 0 else {
      throw .extent(node: node, operand: .input(Input.x), axis: axis, found: 0, expected: 1)
    }
    return ResizeAxis(
      input: image[axis], output: Int(extent), alignsCorners: options.alignCorners,
      usesCenters: options.halfPixelCenters)
  }
}

extension Resize {
  fileprivate var outputExtents: [Int] { [batches, rows.output, columns.output, depth] }
}

private func prepareFixed<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ resize: Resize, _ shape: Shape, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  return { e in Reference.resizeBilinear(fixed: e[x], resize, into: e[y]) }
}
