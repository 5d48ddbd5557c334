//===--- Move.swift - copies of short runs --------------------------------===//
//
// Copies and fills of short runs, tens of bytes, for which a call of the system's functions costs
// more than the copy itself.
//
// Contract  Source and destination do not overlap.
//===----------------------------------------------------------------------===//

extension Reference {
  /// Pieces of fewer bytes than this are not worth waking another worker.
  static let moveGrain = 64 << 10

  /// Copies `count` bytes.
  @inline(__always)
  static func move(
    _ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    switch count {
    case 513...: destination.copyMemory(from: source, byteCount: count)
    case 16...: move(count, from: source, to: destination, by: SIMD2<UInt64>.self)
    case 8...: move(count, from: source, to: destination, by: UInt64.self)
    case 4...: move(count, from: source, to: destination, by: UInt32.self)
    default: move(count, from: source, to: destination, by: UInt8.self)
    }
  }

  /// The last word may begin within the one before it.
  @inline(__always)
  private static func move<Word: BitwiseCopyable>(
    _ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer,
    by: Word.Type
  ) {
    let size = MemoryLayout<Word>.size
    var offset = 0
    while offset &+ size <= count {
      destination.storeBytes(
        of: source.loadUnaligned(fromByteOffset: offset, as: Word.self), toByteOffset: offset,
        as: Word.self)
      offset &+= size
    }
    guard offset < count else { return }
    let last = count &- size
    destination.storeBytes(
      of: source.loadUnaligned(fromByteOffset: last, as: Word.self), toByteOffset: last,
      as: Word.self)
  }

  /// Fills `byteCount` bytes, a multiple of `elementSize`, with copies of the element at `element`.
  package static func fill(
    _ memory: UnsafeMutableRawPointer, _ byteCount: Int, _ element: UnsafeRawPointer,
    _ elementSize: Int
  ) {
    switch elementSize {
    case 1: fill(memory, byteCount, element.load(as: UInt8.self))
    case 2: fill(memory, byteCount, element.loadUnaligned(as: UInt16.self))
    case 4: fill(memory, byteCount, element.loadUnaligned(as: UInt32.self))
    case 8: fill(memory, byteCount, element.loadUnaligned(as: UInt64.self))
    default:
      for offset in stride(from: 0, to: byteCount, by: elementSize) {
        move(elementSize, from: element, to: memory + offset)
      }
    }
  }

  @inline(__always)
  private static func fill<Word: BitwiseCopyable & FixedWidthInteger>(
    _ memory: UnsafeMutableRawPointer, _ byteCount: Int, _ word: Word
  ) {
    let size = MemoryLayout<Word>.size
    guard byteCount >= 16 else {
      for offset in stride(from: 0, to: byteCount, by: size) {
        memory.storeBytes(of: word, toByteOffset: offset, as: Word.self)
      }
      return
    }
    // As many copies as fit a word of 64 bits.
    let pattern = SIMD2(
      repeating: UInt64(truncatingIfNeeded: word) &* (UInt64.max / UInt64(Word.max)))
    for offset in stride(from: 0, to: byteCount &- 15, by: 16) {
      memory.storeBytes(of: pattern, toByteOffset: offset, as: SIMD2<UInt64>.self)
    }
    memory.storeBytes(of: pattern, toByteOffset: byteCount &- 16, as: SIMD2<UInt64>.self)
  }
}
