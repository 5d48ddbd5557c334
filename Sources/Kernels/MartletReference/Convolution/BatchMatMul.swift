//===--- BatchMatMul.swift - products of matrices in batches --------------===//
//
// y[b, i, j] = Σ over k of x[b, i, k] · w[b, k, j]
//
// Contract  TFLite BATCH_MATMUL: either matrix may be stored transposed, and the batches of both
//           are broadcast over up to three axes. `WeightedSums.swift` converts the sums; a column
//           is a channel. Order     A sum runs in index order.
// Cost      batches · rows · depth · columns.
// Checked   Tests/MartletReferenceTests/BatchMatMulTests.swift, operator cases
//===----------------------------------------------------------------------===//

import MartletTensor

/// The extents of a batched matrix product.
@usableFromInline
package struct BatchMatMul: WeightedSums {
  /// The extents of a result, and the number of products in each element.
  @usableFromInline
  package let rows: Int
  @usableFromInline
  package let depth: Int
  @usableFromInline
  package let columns: Int
  /// Whether left matrices are stored as [depth, rows], and right ones as [columns, depth].
  @usableFromInline
  package private(set) var isLeftTransposed: Bool
  @usableFromInline
  package let isRightTransposed: Bool
  /// The numbers of results, left matrices and right matrices.
  @usableFromInline
  package let batches: Int
  package let leftCount: Int
  package let rightCount: Int
  /// The axes of the batches, outermost first, with their strides in matrices.
  @usableFromInline
  let extents: SIMD4<Int>
  @usableFromInline
  let leftStrides: SIMD4<Int>
  @usableFromInline
  let rightStrides: SIMD4<Int>

  /// The product of matrices that lie along the last two axes of `left` and `right`.
  ///
  /// - Parameter batch: The extents that the other axes are broadcast to.
  /// - Precondition: There are two to six axes, and the matrices fit each other.
  package init(
    left: Shape, right: Shape, batch: Shape, isLeftTransposed: Bool, isRightTransposed: Bool
  ) {
    rows = left[left.rank - (isLeftTransposed ? 1 : 2)]
    depth = left[left.rank - (isLeftTransposed ? 2 : 1)]
    columns = right[right.rank - (isRightTransposed ? 2 : 1)]
    self.isLeftTransposed = isLeftTransposed
    self.isRightTransposed = isRightTransposed
    batches = batch.elementCount
    var extents = SIMD4(repeating: 1)
    for axis in 0..<batch.rank { extents[axis] = batch[axis] }
    self.extents = extents
    (leftCount, leftStrides) = BatchMatMul.strides(of: left, over: batch)
    (rightCount, rightStrides) = BatchMatMul.strides(of: right, over: batch)
  }

  /// The same product with left matrices that are already transposed.
  package var withLeftInRows: BatchMatMul {
    var product = self
    product.isLeftTransposed = false
    return product
  }

  /// The number of matrices of a tensor, and its strides along the axes of `batch`.
  private static func strides(of shape: Shape, over batch: Shape) -> (Int, SIMD4<Int>) {
    var strides = SIMD4(repeating: 0)
    let missing = batch.rank - (shape.rank - 2)
    var count = 1
    for axis in (0..<shape.rank - 2).reversed() {
      if shape[axis] != 1 { strides[axis + missing] = count }
      count &*= shape[axis]
    }
    return (count, strides)
  }

  /// The indices of the left and right matrices of result `batch`.
  @export(implementation)
  package func matrices(of batch: Int) -> (left: Int, right: Int) {
    var rest = batch
    var left = 0
    var right = 0
    for axis in stride(from: 3, through: 0, by: -1) where extents[axis] > 1 {
      let place = rest % extents[axis]
      rest /= extents[axis]
      left &+= place &* leftStrides[axis]
      right &+= place &* rightStrides[axis]
    }
    return (left, right)
  }

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
