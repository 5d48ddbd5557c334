//===--- Registers.swift - accumulators -----------------------------------===//
//
// The accumulators of a loop, as arrays of a fixed size: `InlineArray` needs macOS 26 and iOS 26.
// A function that takes the type is compiled for each number of accumulators.
//
// Contract  Elements are vectors, which have no padding. Indices are checked.
// Cost      Loops over the elements have constant bounds; unrolled, they keep every element in a
//           register and have no checks. The compiler unrolls them because the checks disappear.
//           Reading is mutating: otherwise the compiler copies all elements to read one.
//===----------------------------------------------------------------------===//

/// A fixed number of elements.
@usableFromInline
package protocol Registers<Element> {
  associatedtype Element
  /// Creates equal elements.
  init(repeating element: Element)
}

extension Registers {
  @inlinable
  package static var count: Int {
    @inline(__always) get { MemoryLayout<Self>.size / MemoryLayout<Element>.size }
  }

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always) mutating get {
      precondition(index >= 0 && index < Self.count)
      return element(index, of: &self)
    }
    @inline(__always) set {
      precondition(index >= 0 && index < Self.count)
      setElement(index, of: &self, newValue)
    }
  }
}

@inlinable @inline(__always)
func element<R: Registers>(_ index: Int, of registers: UnsafeMutablePointer<R>) -> R.Element {
  UnsafeMutableRawPointer(registers).assumingMemoryBound(to: R.Element.self)[index]
}

@inlinable @inline(__always)
func setElement<R: Registers>(
  _ index: Int, of registers: UnsafeMutablePointer<R>, _ element: R.Element
) {
  UnsafeMutableRawPointer(registers).assumingMemoryBound(to: R.Element.self)[index] = element
}

@usableFromInline
package struct Registers1<Element>: Registers {
  @usableFromInline var element: Element

  @inlinable @inline(__always)
  package init(repeating element: Element) { self.element = element }
}

@usableFromInline
package struct Registers3<Element>: Registers {
  @usableFromInline var elements: (Element, Element, Element)

  @inlinable @inline(__always)
  package init(repeating element: Element) { elements = (element, element, element) }
}

@usableFromInline
package struct Registers5<Element>: Registers {
  @usableFromInline var elements: (Element, Element, Element, Element, Element)

  @inlinable @inline(__always)
  package init(repeating element: Element) {
    elements = (element, element, element, element, element)
  }
}

/// Twice as many elements as `Half`.
@usableFromInline
package struct DoubledRegisters<Half: Registers>: Registers {
  @usableFromInline var halves: (Half, Half)

  @inlinable @inline(__always)
  package init(repeating element: Half.Element) {
    halves = (Half(repeating: element), Half(repeating: element))
  }
}

package typealias Registers2<Element> = DoubledRegisters<Registers1<Element>>
package typealias Registers4<Element> = DoubledRegisters<Registers2<Element>>
package typealias Registers8<Element> = DoubledRegisters<Registers4<Element>>
package typealias Registers16<Element> = DoubledRegisters<Registers8<Element>>
package typealias Registers6<Element> = DoubledRegisters<Registers3<Element>>
package typealias Registers12<Element> = DoubledRegisters<Registers6<Element>>
package typealias Registers24<Element> = DoubledRegisters<Registers12<Element>>
package typealias Registers10<Element> = DoubledRegisters<Registers5<Element>>
package typealias Registers20<Element> = DoubledRegisters<Registers10<Element>>
