//===--- Matrix.swift - operands of microkernels --------------------------===//
//
// The memory that a microkernel reads and writes. Each stride is named after what it steps over, to
// prevent confusion.
//
// Contract  Strides are in elements. Memory is valid for the duration of the call.
//===----------------------------------------------------------------------===//

/// A matrix to read, row by row.
@usableFromInline
package struct Matrix<Element> {
  @usableFromInline package let start: UnsafePointer<Element>
  /// The distance between consecutive rows.
  @usableFromInline package let rowStride: Int

  @inlinable @inline(__always)
  package init(_ start: UnsafePointer<Element>, rowStride: Int) {
    self.start = start
    self.rowStride = rowStride
  }
}

/// A matrix to write, row by row.
@usableFromInline
package struct MutableMatrix<Element> {
  @usableFromInline package let start: UnsafeMutablePointer<Element>
  /// The distance between consecutive rows.
  @usableFromInline package let rowStride: Int

  @inlinable @inline(__always)
  package init(_ start: UnsafeMutablePointer<Element>, rowStride: Int) {
    self.start = start
    self.rowStride = rowStride
  }
}

/// Several runs of contiguous elements.
@usableFromInline
package struct Runs: Sendable {
  /// The number of runs.
  @usableFromInline package let count: Int
  /// The number of elements of a run.
  @usableFromInline package let length: Int
  /// The distance between consecutive runs.
  @usableFromInline package let stride: Int

  @inlinable @inline(__always)
  package init(count: Int, length: Int, stride: Int) {
    self.count = count
    self.length = length
    self.stride = stride
  }
}

/// An operand of an elementwise kernel: contiguous elements, or one repeated element.
@usableFromInline
package struct Operand {
  @usableFromInline package let start: UnsafeRawPointer
  /// Whether the first element is used for all.
  @usableFromInline package let isRepeated: Bool

  @inlinable @inline(__always)
  package init(_ start: UnsafeRawPointer, isRepeated: Bool) {
    self.start = start
    self.isRepeated = isRepeated
  }
}
