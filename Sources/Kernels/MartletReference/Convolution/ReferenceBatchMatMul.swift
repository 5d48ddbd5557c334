//===--- ReferenceBatchMatMul.swift - products of matrices in batches -----===//
//
// y[b, i, j] = Σ over k of x[b, i, k] · w[b, k, j]
//
// Contract  TFLite BATCH_MATMUL: either matrix may be stored transposed, and the batches of both
//           are broadcast over up to three axes. `WeightedSums.swift` converts the sums; a column
//           is a channel. Order     A sum runs in index order.
// Cost      batches · rows · depth · columns.
//===----------------------------------------------------------------------===//

import MartletBase

extension BatchMatMul: WeightedSums {
  @export(implementation)
  package var rowCount: Int { batches &* rows }

  @export(implementation)
  package var rowWork: Int {
    columns &* depth
  }

  @export(implementation) @inline(__always)
  package func forEachSum<Sum: Numeric>(
    in range: Range<Int>, _ accumulate: (_ sum: inout Sum, _ input: Int, _ weight: Int) -> Void,
    finish: (_ sum: Sum, _ output: Int, _ column: Int) -> Void
  ) {
    let inputStep = isLeftTransposed ? rows : 1
    let weightStep = isRightTransposed ? 1 : columns
    guard rows > 0, columns > 0 else { return }
    for line in range {
      let (batch, row) = line.quotientAndRemainder(dividingBy: rows)
      let (left, right) = matrices(of: batch)
      for column in 0..<columns {
        var input = left &* rows &* depth &+ row &* (isLeftTransposed ? 1 : depth)
        var weight = right &* depth &* columns &+ column &* (isRightTransposed ? depth : 1)
        var sum: Sum = 0
        for _ in 0..<depth {
          accumulate(&sum, input, weight)
          input &+= inputStep
          weight &+= weightStep
        }
        finish(sum, line &* columns &+ column, column)
      }
    }
  }
}

extension Reference {
  /// The product of left matrices that are quantized to `values`, row by row with one scale each,
  /// and 8-bit right matrices.
  ///
  /// - Parameter factors: One scale of the right matrices for each column.
  /// - Precondition: `product.isLeftTransposed` is false.
  package static func multiply(
    values: UnsafeMutableBufferPointer<Int16>, scales: UnsafeMutableBufferPointer<Float>,
    by right: UnsafeMutableBufferPointer<Int8>, factors: [Float], _ product: BatchMatMul,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    let matrix = product.rows * product.columns
    product.forEachSum { (sum: inout Int32, i, w) in
      sum &+= Int32(values[i]) &* Int32(right[w])
    } finish: { sum, i, column in
      let row = product.matrices(of: i / matrix).left * product.rows + i % matrix / product.columns
      output[i] = Float(sum) * (scales[row] * factors[column])
    }
  }

  /// Stores the transpose of each of the `rows` by `columns` matrices of `input`.
  @export(implementation)
  package static func transpose<Scalar>(
    _ input: UnsafeMutableBufferPointer<Scalar>, rows: Int, columns: Int,
    into output: UnsafeMutableBufferPointer<Scalar>
  ) {
    let matrix = rows &* columns
    guard matrix > 0 else { return }
    for start in stride(from: 0, to: input.count, by: matrix) {
      for row in 0..<rows {
        for column in 0..<columns {
          output[start &+ column &* rows &+ row] = input[start &+ row &* columns &+ column]
        }
      }
    }
  }
}
