//===--- Array+Span.swift - spans of arrays on older systems --------------===//
//
// The standard library's `Array.span` and `Array.mutableSpan` need iOS 26 and macOS 26, while `Span` itself works
// on older ones. These properties of the same names replace them in files that import this module.
//
// Contract  As the standard library's, for elements without references.
//===----------------------------------------------------------------------===//

extension Array where Element: BitwiseCopyable {
  /// The elements, valid while the array is borrowed. Such elements are never in an Objective-C array, so the
  /// address is that of the array's own memory.
  @inlinable @inline(__always)
  package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
    }
  }

  /// The elements, valid while the array is modified. The access makes the memory unique first.
  @inlinable @inline(__always)
  package var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self)
    mutating get {
      let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
      return unsafe _overrideLifetime(MutableSpan(_unsafeElements: elements), mutating: &self)
    }
  }
}
