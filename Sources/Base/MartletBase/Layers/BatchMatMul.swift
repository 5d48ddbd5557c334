//===--- BatchMatMul.swift - extents of matrix products -------------------===//
//
// Contract  TFLite BATCH_MATMUL: either matrix may be stored transposed, and the batches of both
//           are broadcast over up to three axes.
//===----------------------------------------------------------------------===//

/// The extents of a batched matrix product.
@usableFromInline
package struct BatchMatMul: Sendable {
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
  /// The numbers of results and of right matrices.
  @usableFromInline
  package let batches: Int
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
    (_, leftStrides) = BatchMatMul.strides(of: left, over: batch)
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
}
