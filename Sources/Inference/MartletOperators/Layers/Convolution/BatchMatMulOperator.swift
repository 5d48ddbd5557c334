//===--- BatchMatMulOperator.swift - BATCH_MATMUL -------------------------===//
//
// Inputs  0 x: two to five axes, [..., rows, depth], or [..., depth, rows] with `adj_x`; float32,
//           int8 or int16
//         1 w: [..., depth, columns], or [..., columns, depth] with `adj_y`, of x's type, or int8
//           beside int16. With float32 x and int8 w, x is quantized while the graph runs, and w has
//           one scale or one for each column.
// Output  0 y: [..., rows, columns], the other axes broadcast; of x's type, or int32 for int8: the
//           sums without rescaling
// Source  LiteRT 2.3.0 `batch_matmul.cc`. As in LiteRT, integer sums are scaled by zero if w has a
//         scale for each column. LiteRT's hybrid kernel uses scales of wrong rows if batches have
//         more than one axis; here each row has its own.
//         than one axis; here each row has its own.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let w = 1
}

extension OperatorTraits {
  fileprivate static let batchMatMul = OperatorTraits(
    cost: OperatorCost(
      .fastKernels,
      multiplyAdds: { options, inputs, outputs in
        guard case .batchMatMul(let options) = options, inputs[0].rank > 1 else { return 0 }
        let depth = inputs[0][inputs[0].rank - (options.adjointX ? 2 : 1)]
        return saturatingProduct(outputs[0].elementCount, depth)
      },
      products: { options, inputs, outputs in
        guard case .batchMatMul(let options) = options, inputs[0].rank > 1,
          outputs[0].rank > 1
        else { return 0 }
        let depth = inputs[0][inputs[0].rank - (options.adjointX ? 2 : 1)]
        // A row takes time of its own, even if it is short.
        let row = max(saturatingProduct(outputs[0][outputs[0].rank - 1], depth), 256)
        return saturatingProduct(OperatorCost.rows(of: outputs[0]), row)
      }))
}

extension Registration {
  static let batchMatMul = Registration(.batchMatmul, versions: 1...4, traits: .batchMatMul) {
    p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    guard case .batchMatMul(let options) = p.operation.options else {
      throw .options(node: p.node)
    }
    let (product, result) = try p.product(options)
    switch (try p.input(Input.x).type, try p.input(Input.w).type) {
    case (.float32, .int8):
      return try prepareHybrid(&p, product, result, options.asymmetricQuantizeInputs)
    case (.float32, _): return try prepareFloat(&p, product, result)
    case (.int8, _) where try p.output(0).type == .int32:
      return try prepareSums(&p, product, result)
    case (.int8, _): return try prepareByte(&p, product, result)
    case (.int16, .int8): return try prepareShort(&p, product, result, by: Int8.self)
    case (.int16, _): return try prepareShort(&p, product, result, by: Int16.self)
    case (let found, _):
      throw .unsupportedType(node: p.node, operand: .input(Input.x), found: found)
    }
  }
}

extension Preparation {
  fileprivate func product(
    _ options: BatchMatMulOptions
  ) throws(InferenceError) -> (BatchMatMul, Shape) {
    let left = try shape(ofInput: Input.x, ranks: 2...5)
    let right = try shape(ofInput: Input.w, ranks: 2...5)
    let batch = try broadcast(
      Shape(Array(left.dimensions.dropLast(2))), with: Shape(Array(right.dimensions.dropLast(2))),
      ofInput: Input.w)
    let product = BatchMatMul(
      left: left, right: right, batch: batch, isLeftTransposed: options.adjointX,
      isRightTransposed: options.adjointY)
    try expect(
      right, ofInput: Input.w, axis: right.rank - (options.adjointY ? 1 : 2), extent: product.depth)
    return (product, try shape(batch.dimensions + [product.rows, product.columns]))
  }

  /// The right matrix as [columns, depth], if it is the only one, a constant of the file, and the
  /// rows of the left ones are contiguous: then the product is that of a fully connected layer.
  fileprivate mutating func layer<Weight: Element>(
    _ product: BatchMatMul, as: Weight.Type
  ) throws(InferenceError) -> (Convolution, [Weight])? {
    guard kernels == .fast, product.rightCount == 1, !product.isLeftTransposed, product.depth > 0,
      let constant = try constant(Input.w, as: Weight.self),
      let convolution = Convolution(
        FullyConnected(
          rows: product.batches * product.rows, depth: product.depth, units: product.columns)),
      takePacked(constant.count * max(MemoryLayout<Weight>.stride, 2))
    else { return nil }
    guard !product.isRightTransposed else { return (convolution, Array(constant)) }
    let (depth, columns) = (product.depth, product.columns)
    let rows = (0..<columns * depth).map { constant[$0 % depth * columns + $0 / depth] }
    return (convolution, rows)
  }
}

private func prepareFloat(
  _ p: inout Preparation, _ product: BatchMatMul, _ result: Shape
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Float.self)
  let w = try p.input(Input.w, as: Float.self)
  let y = try p.output(0, as: Float.self, shape: result)
  let range = -Float.infinity...Float.infinity
  if let (convolution, weights) = try p.layer(product, as: Float.self) {
    let none = UnsafeBufferPointer<Float>(start: nil, count: 0)
    let kernel = weights.withUnsafeBufferPointer {
      Float32Convolution(
        convolution, filter: $0, bias: none, clampedTo: range, workers: p.workerCount)
    }
    return try p.evaluate(kernel, from: x, to: y)
  }
  if p.kernels == .fast, product.depth > 0 {
    let kernel = Float32BatchProduct(product.withLeftInRows, workers: p.workerCount)
    let rows = product.isLeftTransposed ? try p.scratch(x.count, as: Float.self) : x
    let scratch = try p.scratch(kernel.scratchCount, as: Float.self)
    return { e in
      if product.isLeftTransposed {
        Reference.transpose(e[x], rows: product.depth, columns: product.rows, into: e[rows])
      }
      kernel(e[rows], e[w], scratch: e[scratch], into: e[y], workers: e.workers)
    }
  }
  let none: Operand<Float>? = nil
  return { e in
    Reference.convolve(
      e[x], filter: e[w], bias: e[none], product, clampedTo: range, into: e[y], workers: e.workers)
  }
}

private func prepareByte(
  _ p: inout Preparation, _ product: BatchMatMul, _ result: Shape
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Int8.self)
  let w = try p.input(Input.w, as: Int8.self)
  let y = try p.output(0, as: Int8.self, shape: result)
  let requantizer = try p.requantizer(product, as: Int8.self)
  let leftZero = Int32(try p.perTensorQuantization(input: Input.x).zeroPoint)
  let rightOffset = try p.weightOffset(isAffine: true)
  if let (convolution, weights) = try p.layer(product, as: Int8.self) {
    let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    let kernel = weights.withUnsafeBufferPointer {
      QuantizedConvolution(
        convolution, zero: ByteZeroPoint(isSigned: true, zeroPoint: leftZero),
        filter: ByteWeights($0, offset: rightOffset), bias: none,
        requantizer: .fixed(requantizer), workers: p.workerCount)
    }
    return try p.evaluate(kernel, from: x, to: y)
  }
  if p.kernels == .fast, product.depth > 0, product.columns > 0 {
    let kernel = QuantizedBatchProduct(
      product, leftZero: leftZero, rightZero: -rightOffset, requantizer: requantizer,
      workers: p.workerCount)
    let scratch = try p.scratch(kernel.scratchCount, as: Int32.self)
    return { e in kernel(e[x], e[w], scratch: e[scratch], into: e[y], workers: e.workers) }
  }
  let none: Operand<Int32>? = nil
  return { e in
    Reference.convolve(
      e[x], offset: -leftZero, filter: e[w], offset: rightOffset, bias: e[none], product,
      requantizer: requantizer, into: e[y], workers: e.workers)
  }
}

private func prepareSums(
  _ p: inout Preparation, _ product: BatchMatMul, _ result: Shape
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Int8.self)
  let w = try p.input(Input.w, as: Int8.self)
  let y = try p.output(0, as: Int32.self, shape: result)
  return { e in
    let (x, w, y) = (e[x], e[w], e[y])
    product.forEachSum { (sum: inout Int32, i, j) in
      sum &+= Int32(x[i]) &* Int32(w[j])
    } finish: { sum, i, _ in
      y[i] = sum
    }
  }
}

private func prepareShort<Weight: Element & FixedWidthInteger>(
  _ p: inout Preparation, _ product: BatchMatMul, _ result: Shape, by: Weight.Type
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Int16.self)
  let w = try p.input(Input.w, as: Weight.self)
  let y = try p.output(0, as: Int16.self, shape: result)
  try p.expectSymmetric(inputs: [0, 1], outputs: [0])
  let requantizer = try p.requantizer(product, as: Int16.self)
  let none: Operand<Int64>? = nil
  return { e in
    Reference.convolve(
      e[x], filter: e[w], bias: e[none], product, requantizer: requantizer, into: e[y],
      workers: e.workers)
  }
}

private func prepareHybrid(
  _ p: inout Preparation, _ product: BatchMatMul, _ result: Shape, _ isAsymmetric: Bool
) throws(InferenceError) -> Evaluate {
  let x = try p.input(Input.x, as: Float.self)
  let w = try p.input(Input.w, as: Int8.self)
  let y = try p.output(0, as: Float.self, shape: result)
  let axis = w.shape.rank - (product.isRightTransposed ? 2 : 1)
  let factors = try p.weightScales(channels: product.columns, axis: axis)
  if let (_, weights) = try p.layer(product, as: Int8.self) {
    let kernel = HybridMatMul(
      rows: product.batches * product.rows, depth: product.depth, weights: weights,
      factors: factors, workers: p.workerCount)
    let values = try p.scratch(kernel.valueCount, as: Int16.self)
    let scales = try p.scratch(kernel.rows, as: Float.self)
    let sums = try p.scratch(kernel.sumCount, as: Int32.self)
    return { e in
      Reference.quantizeRows(
        e[x], run: product.depth, pitch: kernel.pitch, isAsymmetric: isAsymmetric,
        into: e[values], scales: e[scales])
      kernel(e[values], scales: e[scales], sums: e[sums], into: e[y], workers: e.workers)
    }
  }
  let (values, scales) = try p.rows(ofInput: Input.x, run: product.depth)
  let rows = product.isLeftTransposed ? try p.scratch(x.count, as: Float.self) : x
  let byRows = product.withLeftInRows
  return { e in
    if product.isLeftTransposed {
      Reference.transpose(e[x], rows: product.depth, columns: product.rows, into: e[rows])
    }
    Reference.quantizeRows(
      e[rows], run: product.depth, isAsymmetric: isAsymmetric, into: e[values], scales: e[scales])
    Reference.multiply(
      values: e[values], scales: e[scales], by: e[w], factors: factors, byRows, into: e[y])
  }
}

extension Preparation {
  /// How a product's sums become output 0: with one factor for all columns.
  fileprivate func requantizer<Scalar: Element & FixedWidthInteger>(
    _ product: BatchMatMul, as type: Scalar.Type
  ) throws(InferenceError) -> Requantizer {
    let axis = try input(Input.w).shape.rank - (product.isRightTransposed ? 2 : 1)
    let map = try weightQuantization(channels: product.columns, axis: axis)
    guard map.isPerTensor else {
      let result = try perTensorQuantization(output: 0)
      _ = try perTensorQuantization(input: Input.x)
      return Requantizer(
        multipliers: [FixedPointMultiplier](
          repeating: FixedPointMultiplier(0), count: max(product.columns, 1)),
        zeroPoint: Int32(result.zeroPoint),
        range: try quantizedRange(of: .none, output: result, as: type))
    }
    return try requantizer(
      channels: max(product.columns, 1), axis: axis, activation: .none, as: type)
  }
}
