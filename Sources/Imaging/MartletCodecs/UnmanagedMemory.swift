//===--- UnmanagedMemory.swift - integers without reference counting ------===//
//
// Inner loops keep copies of these values instead of references to the objects that own the
// memory, which would be counted.
//
// Contract  Subscripts check their index. Uses of `base` must stay within `count` elements. The
//           owner calls `deallocate` when it is destroyed, and nothing may be used after that.
//===----------------------------------------------------------------------===//

/// A fixed number of integers, initially zero.
@safe struct UnmanagedMemory<Element: FixedWidthInteger> {
  /// The first element.
  let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Allocates `count` zeros.
  init(zeros count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: count)
    unsafe base.initialize(repeating: 0, count: count)
  }

  /// Frees the memory; only its owner may do this.
  @unsafe func deallocate() { unsafe base.deallocate() }

  /// The element at `index`.
  @inline(__always) subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return unsafe base[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }
}
