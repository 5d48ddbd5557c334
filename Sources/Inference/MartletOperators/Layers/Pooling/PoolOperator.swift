//===--- PoolOperator.swift - AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D ----===//
//
// Inputs  0 x: NHWC, float32, uint8, int8 or int16; L2_POOL_2D: float32.
// Output  0 y: NHWC of x's type and, if quantized, of x's scale and zero point.
// Source  LiteRT 2.3.0 `pooling.cc`.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

extension OperatorTraits {
  /// An output sees the pixels below its window that lie in the image.
  fileprivate static let pool = OperatorTraits(
    cost: OperatorCost(products: { options, inputs, outputs in
      guard case .pool2D(let pool) = options, inputs[0].rank == 4 else { return 0 }
      return saturatingProduct(
        outputs[0].elementCount, min(max(pool.filterHeight, 1), inputs[0][1]),
        min(max(pool.filterWidth, 1), inputs[0][2]))
    }))
}

extension Registration {
  package static let averagePool2D = Registration(.averagePool2D, versions: 1...3, traits: .pool) {
    p throws(InferenceError) in
    let pool = try p.pool()
    switch try p.input(0).type {
    case .float32:
      let (x, y) = try p.operands(pool, as: Float.self)
      let range = try p.floatRange(of: pool.activation)
      if let kernel = p.pooling(pool) {
        return { e in
          kernel.average(e[x], clampedTo: range, into: e[y], workers: e.workers)
        }
      }
      return { e in
        Reference.averagePool(
          e[x], pool.window, depth: pool.depth, clampedTo: range, into: e[y])
      }
    case .uint8: return try prepareAverage(&p, pool, as: UInt8.self)
    case .int8: return try prepareAverage(&p, pool, as: Int8.self)
    case .int16: return try prepareAverage(&p, pool, as: Int16.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }

  static let maxPool2D = Registration(.maxPool2D, versions: 1...3, traits: .pool) {
    p throws(InferenceError) in
    let pool = try p.pool()
    switch try p.input(0).type {
    case .float32:
      let (x, y) = try p.operands(pool, as: Float.self)
      let range = try p.floatRange(of: pool.activation)
      if let kernel = p.pooling(pool) {
        return { e in
          kernel.maximum(e[x], clampedTo: range, into: e[y], workers: e.workers)
        }
      }
      return { e in
        Reference.maxPool(e[x], pool.window, depth: pool.depth, clampedTo: range, into: e[y])
      }
    case .uint8: return try prepareMaximum(&p, pool, as: UInt8.self)
    case .int8: return try prepareMaximum(&p, pool, as: Int8.self)
    case .int16: return try prepareMaximum(&p, pool, as: Int16.self)
    case let found: throw .unsupportedType(node: p.node, operand: .input(0), found: found)
    }
  }
}

extension Registration {
  static let l2Pool2D = Registration(.l2Pool2D, versions: 1...1, traits: .pool) {
    p throws(InferenceError) in
    let pool = try p.pool()
    guard try p.input(0).type == .float32 else {
      throw .unsupportedType(node: p.node, operand: .input(0), found: try p.input(0).type)
    }
    let (x, y) = try p.operands(pool, as: Float.self)
    let range = try p.floatRange(of: pool.activation)
    return { e in
      Reference.l2Pool(e[x], pool.window, depth: pool.depth, clampedTo: range, into: e[y])
    }
  }
}

/// The operation of a pooling node.
private struct Pool {
  let window: SlidingWindow
  let depth: Int
  let activation: Activation
}

extension Preparation {
  /// The fast kernel for a pool, or `nil` if fast kernels are disabled or there is none.
  fileprivate func pooling(_ pool: Pool) -> Pooling? {
    guard kernels == .fast else { return nil }
    return Pooling(pool.window, depth: pool.depth, workers: workerCount)
  }

  fileprivate func pool() throws(InferenceError) -> Pool {
    try expect(inputs: 1...1)
    guard case .pool2D(let options) = operation.options else { throw .options(node: node) }
    let image = try shape(ofInput: 0, ranks: 4...4)
    let window = try window(
      on: image, height: options.filterHeight, width: options.filterWidth,
      padding: options.padding, strides: (options.strideHeight, options.strideWidth))
    return Pool(window: window, depth: image[3], activation: options.activation)
  }

  fileprivate mutating func operands<Scalar: Element>(
    _ pool: Pool, as: Scalar.Type
  ) throws(InferenceError) -> (Operand<Scalar>, Operand<Scalar>) {
    let x = try input(0, as: Scalar.self)
    let result = try shape(pool.window.outputExtents(depth: pool.depth))
    return (x, try output(0, as: Scalar.self, shape: result))
  }

  /// The clamp of a quantized pool, which keeps the scale and zero point.
  fileprivate func range<Scalar: Element & FixedWidthInteger>(
    of activation: Activation, as type: Scalar.Type
  ) throws(InferenceError) -> ClosedRange<Int32> {
    let result = try perTensorQuantization(output: 0)
    let image = try perTensorQuantization(input: 0)
    guard image.zeroPoint == result.zeroPoint else {
      throw .zeroPoint(
        node: node, operand: .output(0), found: result.zeroPoint,
        expected: image.zeroPoint...image.zeroPoint)
    }
    return try quantizedRange(of: activation, output: result, as: type)
  }
}

private func prepareAverage<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ pool: Pool, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.operands(pool, as: Scalar.self)
  let range = try p.range(of: pool.activation, as: Scalar.self)
  if Scalar.bitWidth == 8, let kernel = p.pooling(pool) {
    let scratch = try p.scratch(kernel.scratchCount, as: Int32.self)
    return { e in
      kernel.average(
        UnsafeMutableRawBufferPointer(e[x]), isSigned: Scalar.isSigned, clampedTo: range,
        scratch: e[scratch], into: UnsafeMutableRawBufferPointer(e[y]), workers: e.workers)
    }
  }
  return { e in
    Reference.averagePool(e[x], pool.window, depth: pool.depth, clampedTo: range, into: e[y])
  }
}

private func prepareMaximum<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ pool: Pool, as: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (x, y) = try p.operands(pool, as: Scalar.self)
  let range = try p.range(of: pool.activation, as: Scalar.self)
  if Scalar.bitWidth == 8, let kernel = p.pooling(pool) {
    return { e in
      kernel.maximum(
        UnsafeMutableRawBufferPointer(e[x]), isSigned: Scalar.isSigned, clampedTo: range,
        into: UnsafeMutableRawBufferPointer(e[y]), workers: e.workers)
    }
  }
  let narrow = Scalar(range.lowerBound)...Scalar(range.upperBound)
  return { e in
    Reference.maxPool(e[x], pool.window, depth: pool.depth, clampedTo: narrow, into: e[y])
  }
}
