//===--- CompiledMemory.swift - constants and memory of compiled models ---===//
//
// Swift compiles an integer literal of 64 KiB in a second and an array literal in ten times that. The
// words of the literal lie in read-only memory, lowest first; `StaticBigInt` has their address. The
// time to compile grows with the square of the length, so that pieces are faster.
//
// Contract  Constants stay where the linker places them, aligned to words. Little-endian processors.
//===----------------------------------------------------------------------===//

/// Access to memory for generated code.
@available(macOS 26, iOS 26, *)
public enum CompiledMemory {
  /// The address of the bytes of `literal`, its lowest byte first.
  @inlinable @inline(__always)
  public static func bytes(_ literal: StaticBigInt) -> UnsafeRawPointer {
    // The first of its two words is the address.
    unsafe withUnsafeBytes(of: literal) { unsafe $0.load(as: UnsafeRawPointer.self) }
  }

  #if !hasFeature(Embedded)
    /// The address of a copy of `count` bytes, which is never freed: those of all literals, each of
    /// which has `pieceByteCount`; the last may have fewer.
    public static func bytes(count: Int, _ pieces: StaticBigInt...) -> UnsafeRawPointer {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      for (index, piece) in pieces.enumerated() {
        let start = index * pieceByteCount
        unsafe (memory + start).copyMemory(
          from: bytes(piece), byteCount: min(pieceByteCount, count - start))
      }
      return UnsafeRawPointer(memory)
    }

    /// As the compiler writes them.
    private static let pieceByteCount = 4096
  #endif

  /// Calls `body` with the address of `elements`, of which there must be `count`, at least one.
  @inlinable @inline(__always)
  public static func withAddress<Element, Result>(
    of elements: Span<Element>, count: Int, _ body: (UnsafePointer<Element>) -> Result
  ) -> Result {
    precondition(elements.count == count, "an input has another number of elements")
    return unsafe elements.withUnsafeBufferPointer { elements in
      guard let address = elements.baseAddress else { preconditionFailure("an input is empty") }
      return unsafe body(address)
    }
  }

  /// Calls `body` with the address of `elements`, of which there must be `count`, at least one.
  @inlinable @inline(__always)
  public static func withAddress<Element, Result>(
    of elements: inout MutableSpan<Element>, count: Int,
    _ body: (UnsafeMutablePointer<Element>) -> Result
  ) -> Result {
    precondition(elements.count == count, "an output has another number of elements")
    return unsafe elements.withUnsafeMutableBufferPointer { elements in
      guard let address = elements.baseAddress else { preconditionFailure("an output is empty") }
      return unsafe body(address)
    }
  }

  /// Calls `body` with the address of an array's elements.
  @inlinable @inline(__always)
  public static func withAddress<let count: Int, Element, Result>(
    of elements: inout InlineArray<count, Element>,
    _ body: (UnsafeMutablePointer<Element>) -> Result
  ) -> Result {
    unsafe withUnsafeMutablePointer(to: &elements) { elements in
      unsafe body(UnsafeMutableRawPointer(elements).assumingMemoryBound(to: Element.self))
    }
  }
}
