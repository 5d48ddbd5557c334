//===--- FileBytes.swift - the bytes of a file, where they are ------------===//
//
// An array's bytes, or memory that somebody else owns: a mapped file, of which the system reads what
// is looked at.
//
// Contract  The bytes never change, and stay where they are as long as a value refers to them. Indices
//           are checked.
// Cost      The bytes are never copied.
// Checked   Tests/MartletFlatBuffersTests/FileBytesTests.swift
//===----------------------------------------------------------------------===//

/// The bytes of a file.
package struct FileBytes: RandomAccessCollection, Sendable {
  /// Keeps the bytes. Unchecked because of the pointer, through which nobody writes, and safe to hold: who
  /// reads through it checks the bounds and has the owner.
  @safe private final class Owner: @unchecked Sendable {
    private let array: [UInt8]
    private let release: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    let memory: UnsafeRawBufferPointer

    /// An array that is not written does not move, and this one lives as long as the owner.
    init(_ array: [UInt8]) {
      self.array = array
      unsafe memory = unsafe array.withUnsafeBytes { unsafe $0 }
      unsafe release = nil
    }

    /// The caller promises that the memory stays until `release` is called.
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

  /// The bytes of an array.
  package init(_ array: [UInt8]) { owner = Owner(array) }

  /// Memory that `release` is called with when nothing refers to it any more.
  package init(
    _ memory: UnsafeRawBufferPointer,
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    owner = unsafe Owner(memory, release)
  }

  /// Where the bytes are; valid as long as a value refers to them.
  package var memory: UnsafeRawBufferPointer { unsafe owner.memory }

  package var startIndex: Int { 0 }
  package var endIndex: Int { unsafe memory.count }

  package subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < endIndex)
    return unsafe memory[offset]
  }
}
