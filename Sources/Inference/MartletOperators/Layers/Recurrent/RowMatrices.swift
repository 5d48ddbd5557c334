//===--- RowMatrices.swift - products of rows and matrices ----------------===//
//
// Recurrent cells multiply rows by one or several matrices whose results are next to each other.
// Constant matrices are packed for the fast kernels as one matrix; others are multiplied one after
// the other by plain loops.
//
// Contract  Sums have no bias. Scratch memory is requested while the product is prepared.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletKernels
import MartletReference

/// Rows of floats times matrices; results are floats.
struct FloatRowProduct: Sendable {
  /// Multiplies contiguous rows; the results are contiguous too.
  let multiply:
    @Sendable (
      borrowing Evaluation, UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>
    ) -> Void
}

/// Rows of signed bytes times matrices; results are 32-bit sums.
struct ByteRowProduct: Sendable {
  /// The distance between rows of sums.
  let sumLength: Int
  let multiply:
    @Sendable (
      borrowing Evaluation, UnsafeMutableBufferPointer<Int8>, UnsafeMutableBufferPointer<Int32>
    ) -> Void
}

/// The inputs with a product's matrices, each `units` by `depth`, and the number of rows.
struct RowMatrices {
  let inputs: [Int]
  let rows: Int
  let depth: Int
  let units: Int

  /// The number of columns of a result.
  var columns: Int { inputs.count * units }
}

extension Preparation {
  /// The product with float matrices, or with byte matrices and rows quantized while the graph
  /// runs.
  mutating func rowProduct(
    _ matrices: RowMatrices, isHybrid: Bool, isAsymmetric: Bool
  ) throws(InferenceError) -> FloatRowProduct {
    isHybrid
      ? try hybridRowProduct(matrices, isAsymmetric: isAsymmetric) : try floatRowProduct(matrices)
  }

  private mutating func floatRowProduct(
    _ m: RowMatrices
  ) throws(InferenceError) -> FloatRowProduct {
    let operands = try operands(m, as: Float.self)
    if let stacked = try constants(m, as: Float.self),
      let layer = Convolution(FullyConnected(rows: m.rows, depth: m.depth, units: m.columns))
    {
      let none = UnsafeBufferPointer<Float>(start: nil, count: 0)
      let kernel = stacked.withUnsafeBufferPointer {
        Float32Convolution(
          layer, filter: $0, bias: none, clampedTo: -Float.infinity...Float.infinity,
          workers: workerCount)
      }
      let noScratch: Operand<Float>? = nil
      return FloatRowProduct { e, x, y in
        kernel(x, scratch: e[noScratch], into: y, workers: e.workers)
      }
    }
    return FloatRowProduct { e, x, y in
      guard let x = x.baseAddress, let y = y.baseAddress else { return }
      for (index, operand) in operands.enumerated() {
        guard let w = e[operand].baseAddress else { return }
        Reference.multiply(
          x, rows: m.rows, depth: m.depth, by: w, units: m.units, into: y + index * m.units,
          pitch: m.columns)
      }
    }
  }

  private mutating func hybridRowProduct(
    _ m: RowMatrices, isAsymmetric: Bool
  ) throws(InferenceError) -> FloatRowProduct {
    var factors: [Float] = []
    for index in m.inputs { factors.append(try perTensorQuantization(weights: index).scale) }
    let product = try quantizedProduct(m)
    let values = try scratch(rows: m.rows, of: product.rowPitch, as: Int16.self)
    let scales = try scratch(m.rows, as: Float.self)
    let sums = try scratch(rows: m.rows, of: product.sumLength, as: Int32.self)
    return FloatRowProduct { [factors] e, x, y in
      Reference.quantizeRows(
        x, run: m.depth, pitch: product.rowPitch, isAsymmetric: isAsymmetric, into: e[values],
        scales: e[scales])
      product.multiply(e, e[values], e[sums])
      let (scales, sums) = (e[scales], e[sums])
      for row in 0..<m.rows {
        for index in factors.indices {
          let factor = factors[index] * scales[row]
          for unit in index * m.units..<(index + 1) * m.units {
            y[row * m.columns + unit] = Float(sums[row * product.sumLength + unit]) * factor
          }
        }
      }
    }
  }

  /// The product with diagonal matrices; each input is a diagonal.
  func diagonalRowProduct(
    _ inputs: [Int], rows: Int, units: Int
  ) throws(InferenceError) -> FloatRowProduct {
    var diagonals: [Operand<Float>] = []
    for index in inputs {
      _ = try shape(ofInput: index, ranks: 1...1)
      diagonals.append(try input(index, as: Float.self, count: units))
    }
    let columns = inputs.count * units
    return FloatRowProduct { [diagonals] e, x, y in
      for (index, operand) in diagonals.enumerated() {
        let w = e[operand]
        for i in 0..<rows * units {
          y[i / units * columns + index * units + i % units] = w[i % units] * x[i]
        }
      }
    }
  }

  /// The product of signed bytes with the zero point `zeroPoint`.
  mutating func byteRowProduct(
    _ m: RowMatrices, zeroPoint: Int
  ) throws(InferenceError) -> ByteRowProduct {
    let product = try quantizedProduct(m)
    let values = try scratch(rows: m.rows, of: product.rowPitch, as: Int16.self)
    let zero = Int16(truncatingIfNeeded: zeroPoint)
    return ByteRowProduct(sumLength: product.sumLength) { e, x, sums in
      let rows = e[values]
      for row in 0..<m.rows {
        let start = row * product.rowPitch
        for k in 0..<m.depth { rows[start + k] = Int16(x[row * m.depth + k]) &- zero }
        for k in m.depth..<product.rowPitch { rows[start + k] = 0 }
      }
      product.multiply(e, rows, sums)
    }
  }
}

/// Quantized rows times byte matrices.
private struct QuantizedRowProduct: Sendable {
  let rowPitch: Int
  let sumLength: Int
  let multiply:
    @Sendable (
      borrowing Evaluation, UnsafeMutableBufferPointer<Int16>, UnsafeMutableBufferPointer<Int32>
    ) -> Void
}

extension Preparation {
  private mutating func quantizedProduct(_ m: RowMatrices) throws(InferenceError)
    -> QuantizedRowProduct
  {
    let operands = try operands(m, as: Int8.self)
    let rowPitch = (m.depth + 1) / 2 * 2
    if let stacked = try constants(m, as: Int8.self) {
      let kernel = stacked.withUnsafeBufferPointer {
        Int16MatMul(
          rows: m.rows, depth: m.depth, units: m.columns, weights: ByteWeights($0, offset: 0),
          workers: workerCount)
      }
      return QuantizedRowProduct(rowPitch: rowPitch, sumLength: kernel.sumLength) { e, x, sums in
        guard let x = x.baseAddress, let y = sums.baseAddress else { return }
        kernel(x, into: y, workers: e.workers)
      }
    }
    return QuantizedRowProduct(rowPitch: rowPitch, sumLength: m.columns) { e, x, sums in
      guard let x = x.baseAddress, let y = sums.baseAddress else { return }
      for (index, operand) in operands.enumerated() {
        guard let w = e[operand].baseAddress else { return }
        Reference.multiply(
          x, rowPitch: rowPitch, rows: m.rows, depth: m.depth, by: w, units: m.units,
          into: y + index * m.units, pitch: m.columns)
      }
    }
  }

  /// The matrices; throws unless they have the extents of the product.
  private func operands<Scalar: Element>(
    _ m: RowMatrices, as: Scalar.Type
  ) throws(InferenceError) -> [Operand<Scalar>] {
    var operands: [Operand<Scalar>] = []
    for index in m.inputs {
      let shape = try shape(ofInput: index, ranks: 2...2)
      try expect(shape, ofInput: index, axis: 0, extent: m.units)
      try expect(shape, ofInput: index, axis: 1, extent: m.depth)
      operands.append(try input(index, as: Scalar.self))
    }
    return operands
  }

  /// The matrices one below the other, or `nil` unless fast kernels are enabled and all are
  /// constants.
  private mutating func constants<Scalar: Element>(
    _ m: RowMatrices, as: Scalar.Type
  ) throws(InferenceError) -> [Scalar]? {
    guard kernels == .fast, m.depth > 0, m.columns > 0 else { return nil }
    var stacked: [Scalar] = []
    for index in m.inputs {
      guard let elements = try constant(index, as: Scalar.self) else { return nil }
      stacked += elements
    }
    return takePacked(stacked.count * max(MemoryLayout<Scalar>.stride, 2)) ? stacked : nil
  }
}
