//===--- Preparation+Maps.swift - functions of one or two elements --------===//
//
// Operators that apply a function to each element of an input share these: eight lanes of floats,
// 16-bit floats, and tables of quantized integers. So do operators on two inputs that are
// broadcast.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletReference

extension Preparation {
  /// Inputs 0 and 1, of one type and of shapes that broadcast, and output 0 of the broadcast shape.
  mutating func broadcastOperands<Scalar: Element, Result: Element>(
    _: Scalar.Type, to: Result.Type
  ) throws(InferenceError) -> (
    Operand<Scalar>, Operand<Scalar>, Operand<Result>, walk: Broadcast
  ) {
    let a = try input(0, as: Scalar.self)
    let b = try input(1, as: Scalar.self)
    let walk = try broadcast(0, 1)
    return (a, b, try output(0, as: Result.self, shape: walk.shape), walk)
  }

  /// The same for a result of the inputs' type.
  mutating func broadcastOperands<Scalar: Element>(
    _: Scalar.Type
  ) throws(InferenceError) -> (
    Operand<Scalar>, Operand<Scalar>, Operand<Scalar>, walk: Broadcast
  ) {
    try broadcastOperands(Scalar.self, to: Scalar.self)
  }

  /// Applies a function to single-precision elements, eight at a time, or by its name if the fast
  /// kernels have it.
  @inline(__always)
  mutating func prepareLanes(
    _ name: FloatFunction? = nil, _ function: @escaping @Sendable (SIMD8<Float>) -> SIMD8<Float>
  ) throws(InferenceError) -> Evaluate {
    try expect(inputs: 1...1)
    if let name, let fast = try fastMap(name) { return fast }
    let (x, y) = try elementwiseInPlace(as: Float.self)
    return { e in Reference.mapLanes(e[x], into: e[y], workers: e.workers, function) }
  }

  /// `kernel` takes long parts of tensors, so that its loop is specialized for its function.
  mutating func prepareMap<Scalar: Element>(
    _: Scalar.Type,
    _ kernel:
      @escaping @Sendable (
        UnsafeMutableBufferPointer<Scalar>, UnsafeMutableBufferPointer<Scalar>
      ) -> Void
  ) throws(InferenceError) -> Evaluate {
    try expect(inputs: 1...1)
    let (x, y) = try elementwiseInPlace(as: Scalar.self)
    return { e in e.split(x, y, kernel) }
  }

  /// Applies a function of floats to input 0 of float16 or bfloat16; rounds once.
  mutating func prepareRounded(
    _ function: @escaping @Sendable (Float) -> Float
  ) throws(InferenceError) -> Evaluate {
    switch try input(0).type {
    case .bfloat16: try prepareRounded(BrainFloat.self, function)
    default: try prepareRounded(Half.self, function)
    }
  }

  private mutating func prepareRounded<Scalar: RealElement>(
    _: Scalar.Type, _ function: @escaping @Sendable (Float) -> Float
  ) throws(InferenceError) -> Evaluate {
    try prepareMap(Scalar.self) { x, y in
      Reference.map(x, into: y) { Scalar(rounding: function($0.float)) }
    }
  }

  /// Applies a table of a function of real numbers to quantized bytes.
  mutating func prepareByteTable<Scalar: Element & FixedWidthInteger>(
    _: Scalar.Type, _ function: (Float) -> Float
  ) throws(InferenceError) -> Evaluate {
    try expect(inputs: 1...1)
    let (x, y) = try elementwiseInPlace(as: Scalar.self)
    let table = ByteTable<Scalar>(
      input: try perTensorQuantization(input: 0),
      output: try perTensorQuantization(output: 0), function)
    return evaluation(of: table, x, y)
  }

  /// Applies a table of a function of bytes to input 0.
  mutating func prepareByteTable<
    Scalar: Element & FixedWidthInteger, Result: Element & FixedWidthInteger
  >(
    of function: (Scalar) -> Result
  ) throws(InferenceError) -> Evaluate {
    mayOverwrite(inputs: 0)
    let x = try input(0, as: Scalar.self)
    let y = try output(0, as: Result.self, shape: x.shape)
    return evaluation(of: ByteTable(of: function), x, y)
  }

  private func evaluation<Scalar: FixedWidthInteger, Result: FixedWidthInteger & Sendable>(
    of table: ByteTable<Result>, _ x: Operand<Scalar>, _ y: Operand<Result>
  ) -> Evaluate {
    { e in e.split(x, y) { x, y in Reference.lookUp(x, in: table, into: y) } }
  }

  /// Applies a function of floats that the fast kernels have to input 0; `nil` if the reference
  /// kernels are enabled.
  mutating func fastMap(_ function: FloatFunction) throws(InferenceError) -> Evaluate? {
    guard kernels == .fast else { return nil }
    try expect(inputs: 1...1)
    let (x, y) = try elementwiseInPlace(as: Float.self)
    let map = Float32Map(function)
    return { e in map(e[x], into: e[y], workers: e.workers) }
  }

  /// Applies a table of a function of real numbers to quantized 16-bit integers.
  mutating func prepareShortTable(
    _ function: (Float) -> Float
  ) throws(InferenceError) -> Evaluate {
    try expect(inputs: 1...1)
    let (x, y) = try elementwiseInPlace(as: Int16.self)
    let table = ShortTable(
      input: try perTensorQuantization(input: 0),
      output: try perTensorQuantization(output: 0), function)
    return { e in Reference.map(e[x], into: e[y], workers: e.workers) { table[$0] } }
  }
}

extension Evaluation {
  /// Distributes the elements of two tensors of equal size: `kernel` takes the same part of both.
  func split<X, Y>(
    _ x: Operand<X>, _ y: Operand<Y>,
    _ kernel: (UnsafeMutableBufferPointer<X>, UnsafeMutableBufferPointer<Y>) -> Void
  ) {
    let (x, y) = (self[x], self[y])
    workers.split(x.count, grain: 1 << 15) { part in
      kernel(
        UnsafeMutableBufferPointer(rebasing: x[part]),
        UnsafeMutableBufferPointer(rebasing: y[part]))
    }
  }
}

// MARK: - Pairs

extension Preparation {
  /// Combines the floats of inputs 0 and 1 with the fast kernel; `nil` if the reference kernels are
  /// enabled.
  mutating func fastPairs(
    _ combination: FloatCombination, clampedTo range: ClosedRange<Float> = -.infinity ... .infinity
  ) throws(InferenceError) -> Evaluate? {
    guard kernels == .fast else { return nil }
    let (a, b, y, walk) = try broadcastOperands(Float.self)
    let pairs = Float32Arithmetic(combination, walk, clampedTo: range, workers: workerCount)
    return { e in pairs(e[a], e[b], into: e[y], workers: e.workers) }
  }
}

extension Evaluation {
  /// Combines two tensors of quantized integers.
  func combine<A, B, Y>(
    _ a: Operand<A>, _ b: Operand<B>, into y: Operand<Y>, by pairs: QuantizedArithmetic
  ) {
    guard let a = self[a].baseAddress, let b = self[b].baseAddress, let y = self[y].baseAddress
    else { return }
    pairs(a, b, into: y, workers: workers)
  }
}
