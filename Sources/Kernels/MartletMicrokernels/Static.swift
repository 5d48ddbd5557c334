//===--- Static.swift - compile-time constants ----------------------------===//
//
// Numbers as types. A function that takes one is compiled for each number, inlined or not. Generics
// over integers need macOS 26 and iOS 26.
//===----------------------------------------------------------------------===//

/// A compile-time constant.
@usableFromInline
package protocol Static {
  static var value: Int { get }
}

@usableFromInline
package enum Static0: Static {
  @inlinable package static var value: Int { 0 }
}

@usableFromInline
package enum Static1: Static {
  @inlinable package static var value: Int { 1 }
}

@usableFromInline
package enum Static2: Static {
  @inlinable package static var value: Int { 2 }
}

@usableFromInline
package enum Static3: Static {
  @inlinable package static var value: Int { 3 }
}

@usableFromInline
package enum Static4: Static {
  @inlinable package static var value: Int { 4 }
}

@usableFromInline
package enum Static5: Static {
  @inlinable package static var value: Int { 5 }
}
