//===--- Matrix.swift - operands of microkernels --------------------------===//
//
// Where the numbers are that a microkernel reads and writes. A distance has a name that says what it
// leads to, so that two of them are not mistaken for each other.
//
// Contract  Strides count elements. Memory lives as long as the call that it is passed to.
//===----------------------------------------------------------------------===//

/// A matrix that is read, row by row.
@usableFromInline
package struct Matrix<Element> {
  @usableFromInline package let start: UnsafePointer<Element>
  /// From a row to the next.
  @usableFromInline package let rowStride: Int

  @inlinable @inline(__always)
  package init(_ start: UnsafePointer<Element>, rowStride: Int) {
    self.start = start
    self.rowStride = rowStride
  }
}

/// A matrix that is written, row by row.
@usableFromInline
package struct MutableMatrix<Element> {
  @usableFromInline package let start: UnsafeMutablePointer<Element>
  /// From a row to the next.
  @usableFromInline package let rowStride: Int

  @inlinable @inline(__always)
  package init(_ start: UnsafeMutablePointer<Element>, rowStride: Int) {
    self.start = start
    self.rowStride = rowStride
  }
}

/// Neighboring elements, several times over.
@usableFromInline
package struct Runs: Sendable {
  /// How many runs there are.
  @usableFromInline package let count: Int
  /// The elements of each.
  @usableFromInline package let length: Int
  /// From a run to the next.
  @usableFromInline package let stride: Int

  @inlinable @inline(__always)
  package init(count: Int, length: Int, stride: Int) {
    self.count = count
    self.length = length
    self.stride = stride
  }
}

/// An operand of an element-wise kernel: contiguous, or one element that serves for all.
@usableFromInline
package struct Operand {
  @usableFromInline package let start: UnsafeRawPointer
  /// Whether the first element serves for all.
  @usableFromInline package let isRepeated: Bool

  @inlinable @inline(__always)
  package init(_ start: UnsafeRawPointer, isRepeated: Bool) {
    self.start = start
    self.isRepeated = isRepeated
  }
}
