//===--- FileBytes.swift - bytes of a file --------------------------------===//
//
// The bytes of an array, or memory with another owner, for example a mapped file, of which the
// system only reads the pages that are accessed.
//
// Contract  The bytes never change or move while a value refers to them. Indices are checked.
// Cost      The bytes are never copied.
//===----------------------------------------------------------------------===//

/// The bytes of a file.
package struct FileBytes: RandomAccessCollection, Sendable {
  /// Owns the bytes. `@unchecked` because of the pointer, through which nothing writes. It is safe
  /// to keep: readers check the bounds and hold the owner.
  @safe private final class Owner: @unchecked Sendable {
    private let array: [UInt8]
    private let release: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    let memory: UnsafeRawBufferPointer

    /// An unmodified array does not move, and this one lives as long as the owner.
    init(_ array: [UInt8]) {
      self.array = array
      unsafe memory = unsafe array.withUnsafeBytes { unsafe $0 }
      unsafe release = nil
    }

    /// The memory must stay valid until `release` is called.
    init(
      _ memory: UnsafeRawBufferPointer,
      _ release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
      array = []
      unsafe self.memory = memory
      unsafe self.release = release
    }

    deinit { unsafe release?(memory) }
  }

  private let owner: Owner

  /// Creates a value from the bytes of an array.
  package init(_ array: [UInt8]) { owner = Owner(array) }

  /// Creates a value from memory; `release` is called with it when nothing refers to it any more.
  package init(
    _ memory: UnsafeRawBufferPointer,
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    owner = unsafe Owner(memory, release)
  }

  /// The memory of the bytes; valid while a value refers to them.
  package var memory: UnsafeRawBufferPointer { unsafe owner.memory }

  package var startIndex: Int { 0 }
  package var endIndex: Int { unsafe memory.count }

  package subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < endIndex)
    return unsafe memory[offset]
  }
}

extension FileBytes: Hashable {
  /// Whether both have the same bytes.
  package static func == (first: FileBytes, second: FileBytes) -> Bool {
    first.owner === second.owner || first.elementsEqual(second)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
