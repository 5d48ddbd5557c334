//===--- ReduceOperator.swift - SUM, REDUCE_MAX, MIN, PROD, ANY, ALL ------===//
//
// Inputs  0 x: float32, int32, int64, int8, uint8, int16, or bool (ANY and ALL: only bool); 1 axes:
//         int32, counted from the end if negative, repeats allowed.
// Output  0 y: x's type, without the axes or with extent 1 for them. SUM and PROD rescale quantized
//         results; MAX and MIN assume that input and output have the same quantization.
// Options ReducerOptions: whether the axes are kept.
// Source  LiteRT 2.3.0 `reduce.cc`, `reference/reduce.h`; quantized SUM as its optimized kernels.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let axes = 1
}

extension Registration {
  static let reduceMax = Registration(.reduceMax, versions: 1...3) { p throws(InferenceError) in
    try prepareExtremum(&p, isMaximum: true)
  }
  static let reduceMin = Registration(.reduceMin, versions: 1...3) { p throws(InferenceError) in
    try prepareExtremum(&p, isMaximum: false)
  }

  static let sum = Registration(.sum, versions: 1...2) { p throws(InferenceError) in
    switch try p.input(Input.x).type {
    case .float32:
      return try prepareFloats(&p, .sum) { x, walk, y in
        Reference.reduce(x, walk, from: 0, into: y) { $0 + $1 }
      }
    case .int32:
      return try prepareReduction(&p, Int32.self) { x, walk, y in
        Reference.reduce(x, walk, from: 0, into: y) { $0 &+ $1 }
      }
    case .int64:
      return try prepareReduction(&p, Int64.self) { x, walk, y in
        Reference.reduce(x, walk, from: 0, into: y) { $0 &+ $1 }
      }
    case .bool: return try prepareTruth(&p, isAny: true)
    case .uint8: return try prepareQuantizedSum(&p, UInt8.self)
    case .int8: return try prepareQuantizedSum(&p, Int8.self)
    case .int16: return try prepareQuantizedSum(&p, Int16.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: type)
    }
  }

  static let reduceProd = Registration(
    .reduceProd, versions: 1...2
  ) { p throws(InferenceError) in
    switch try p.input(Input.x).type {
    case .float32:
      return try prepareFloats(&p, .product) { x, walk, y in
        Reference.reduce(x, walk, from: 1, into: y) { $0 * $1 }
      }
    case .int32:
      return try prepareReduction(&p, Int32.self) { x, walk, y in
        Reference.reduce(x, walk, from: 1, into: y) { $0 &* $1 }
      }
    case .int64:
      return try prepareReduction(&p, Int64.self) { x, walk, y in
        Reference.reduce(x, walk, from: 1, into: y) { $0 &* $1 }
      }
    case .bool: return try prepareTruth(&p, isAny: false)
    case .int8: return try prepareQuantizedProduct(&p, Int8.self)
    case .int16: return try prepareQuantizedProduct(&p, Int16.self)
    case let type: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: type)
    }
  }

  static let reduceAny = Registration(.reduceAny, versions: 1...2) { p throws(InferenceError) in
    try prepareTruth(&p, isAny: true)
  }
  static let reduceAll = Registration(.reduceAll, versions: 1...1) { p throws(InferenceError) in
    try prepareTruth(&p, isAny: false)
  }
}

private func prepareTruth(
  _ p: inout Preparation, isAny: Bool
) throws(InferenceError) -> Evaluate {
  if let rows = try rows(&p, Bool.self) {
    let kernel = BooleanReduction(isAny: isAny, depth: rows.depth)
    return { e in kernel(e[rows.x], into: e[rows.y], workers: e.workers) }
  }
  return try prepareReduction(&p, Bool.self) { x, walk, y in
    Reference.reduce(x, walk, from: !isAny, into: y) { isAny ? $0 || $1 : $0 && $1 }
  }
}

/// Rows of input 0; each is reduced to one element of output 0.
private struct Rows<Scalar: Element> {
  let x: Operand<Scalar>
  let depth: Int
  let y: Operand<Scalar>
}

/// The rows if only the last axes are reduced and fast kernels are enabled, otherwise `nil`.
private func rows<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Rows<Scalar>? {
  let (walk, shape) = try reduction(p)
  guard p.kernels == .fast, walk.makesOneOfEachRun, walk.shape.elementCount > 0 else { return nil }
  return Rows(
    x: try p.input(Input.x, as: Scalar.self), depth: walk.run,
    y: try p.output(0, as: Scalar.self, shape: shape))
}

/// `otherwise` is the reference kernel.
private func prepareFloats(
  _ p: inout Preparation, _ reduction: FloatReduction,
  otherwise:
    @escaping @Sendable (
      UnsafeMutableBufferPointer<Float>, Broadcast, UnsafeMutableBufferPointer<Float>
    ) -> Void
) throws(InferenceError) -> Evaluate {
  guard let rows = try rows(&p, Float.self) else {
    return try prepareReduction(&p, Float.self, otherwise)
  }
  let kernel = Float32Reduction(reduction, depth: rows.depth)
  return { e in kernel(e[rows.x], into: e[rows.y], workers: e.workers) }
}

/// A traversal of the input with the output as its operand, and the output's shape.
private func reduction(_ p: Preparation) throws(InferenceError) -> (Broadcast, Shape) {
  try p.expect(inputs: 2...2)
  guard case .reducer(let options) = p.operation.options else { throw .options(node: p.node) }
  let x = try p.input(Input.x).shape
  var kept = x.dimensions
  var isReduced = [Bool](repeating: false, count: x.rank)
  // A scalar has no axes.
  for index in try p.values(of: Input.axes, as: Int32.self) where x.rank > 0 {
    let axis = try p.axis(Int(index), of: x)
    kept[axis] = 1
    isReduced[axis] = true
  }
  let walk = Broadcast([try p.shape(kept)], over: x)
  let left = (0..<x.rank).filter { !isReduced[$0] }.map { x[$0] }
  return (walk, try p.shape(options.keepDimensions ? kept : left))
}

/// `kernel` takes whole tensors, so that its loop is specialized for its function.
private func prepareReduction<Scalar: Element>(
  _ p: inout Preparation, _: Scalar.Type,
  _ kernel:
    @escaping @Sendable (
      UnsafeMutableBufferPointer<Scalar>, Broadcast, UnsafeMutableBufferPointer<Scalar>
    ) -> Void
) throws(InferenceError) -> Evaluate {
  let (walk, shape) = try reduction(p)
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  return { e in kernel(e[x], walk, e[y]) }
}

private func prepareExtremum(
  _ p: inout Preparation, isMaximum: Bool
) throws(InferenceError) -> Evaluate {
  switch try p.input(Input.x).type {
  case .float32:
    return isMaximum
      ? try prepareFloats(&p, .maximum) { x, walk, y in Reference.maximum(x, walk, into: y) }
      : try prepareFloats(&p, .minimum) { x, walk, y in Reference.minimum(x, walk, into: y) }
  case .bool: return try prepareTruth(&p, isAny: isMaximum)
  case .int32: return try prepareExtremum(&p, isMaximum, lowest: Int32.min, highest: Int32.max)
  case .int64: return try prepareExtremum(&p, isMaximum, lowest: Int64.min, highest: Int64.max)
  case .uint8: return try prepareExtremum(&p, isMaximum, lowest: UInt8.min, highest: UInt8.max)
  case .int8: return try prepareExtremum(&p, isMaximum, lowest: Int8.min, highest: Int8.max)
  case .int16: return try prepareExtremum(&p, isMaximum, lowest: Int16.min, highest: Int16.max)
  case let type: throw .unsupportedType(node: p.node, operand: .input(Input.x), found: type)
  }
}

private func prepareExtremum<Scalar: Element & Comparable>(
  _ p: inout Preparation, _ isMaximum: Bool, lowest: Scalar, highest: Scalar
) throws(InferenceError) -> Evaluate {
  isMaximum
    ? try prepareReduction(&p, Scalar.self) { x, walk, y in
      Reference.reduce(x, walk, from: lowest, into: y) { $1 > $0 ? $1 : $0 }
    }
    : try prepareReduction(&p, Scalar.self) { x, walk, y in
      Reference.reduce(x, walk, from: highest, into: y) { $1 < $0 ? $1 : $0 }
    }
}

/// uint8 is rescaled in fixed point, int8 and int16 in single precision, as in LiteRT.
private func prepareQuantizedSum<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (walk, shape) = try reduction(p)
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  let from = try p.perTensorQuantization(input: Input.x)
  let to = try p.perTensorQuantization(output: 0)
  let sums = try p.scratch(shape.elementCount, as: Int32.self)
  let count = x.count / max(shape.elementCount, 1)
  let offset = Int32(truncatingIfNeeded: from.zeroPoint &* count)
  let zeroPoint = Int32(to.zeroPoint)
  let range = Int32(truncatingIfNeeded: Scalar.min)...Int32(truncatingIfNeeded: Scalar.max)
  let factor = FixedPointMultiplier(Double(from.scale) / Double(to.scale))
  let scale = from.scale / to.scale
  let bias = -Float(from.zeroPoint) * scale * Float(count)
  return { e in
    Reference.reduce(e[x], walk, from: Int32(0), into: e[sums]) {
      $0 &+ Int32(truncatingIfNeeded: $1)
    }
    Reference.map(e[sums], into: e[y]) { sum in
      let steps =
        Scalar.isSigned
        ? held(VectorMath.round(Float(sum) * scale + bias)) : factor(sum &- offset)
      return Scalar(truncatingIfNeeded: Reference.clamp(steps &+ zeroPoint, range))
    }
  }
}

/// Each factor is rescaled separately, so that the product stays within 32 bits.
private func prepareQuantizedProduct<Scalar: Element & FixedWidthInteger>(
  _ p: inout Preparation, _: Scalar.Type
) throws(InferenceError) -> Evaluate {
  let (walk, shape) = try reduction(p)
  let x = try p.input(Input.x, as: Scalar.self)
  let y = try p.output(0, as: Scalar.self, shape: shape)
  let from = try p.perTensorQuantization(input: Input.x)
  let to = try p.perTensorQuantization(output: 0)
  let factors = Double(x.count / max(shape.elementCount, 1))
  let root = VectorMath.exp(VectorMath.log(Double(to.scale)) / max(factors, 1))
  let scale = FixedPointMultiplier(Double(from.scale) / root)
  let products = try p.scratch(shape.elementCount, as: Int64.self)
  let zeroPoints = (Int64(from.zeroPoint), Int32(to.zeroPoint))
  let range = Int32(truncatingIfNeeded: Scalar.min)...Int32(truncatingIfNeeded: Scalar.max)
  return { e in
    // Products have 32 bits, so this value means that there is none yet.
    let none = Int64.min
    Reference.reduce(e[x], walk, from: none, into: e[products]) { product, element in
      let factor = Int64(element) &- zeroPoints.0
      return product == none ? factor : Int64(scale(product &* factor))
    }
    Reference.map(e[products], into: e[y]) { product in
      let steps = (product == none ? 0 : scale(product)) &+ zeroPoints.1
      return Scalar(truncatingIfNeeded: Reference.clamp(steps, range))
    }
  }
}

/// A whole number as an integer, clamped; values outside all elements' range stay outside.
private func held(_ steps: Float) -> Int32 {
  steps > -0x1p24 ? Int32(min(steps, 0x1p24)) : -0x100_0000
}
