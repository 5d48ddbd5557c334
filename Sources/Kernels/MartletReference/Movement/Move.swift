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
    case 64...: move(count, from: source, to: destination, by: SIMD8<UInt64>.self)
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
    if let filler = Filler(element, elementSize) {
      filler.fill(memory, byteCount)
    } else {
      for offset in stride(from: 0, to: byteCount, by: elementSize) {
        move(elementSize, from: element, to: memory + offset)
      }
    }
  }
}

/// Fills memory with copies of an element.
struct Filler {
  /// As many copies as fit.
  private let pattern: SIMD2<UInt64>

  /// Reads the element, or returns `nil` if its size does not divide eight.
  init?(_ element: UnsafeRawPointer, _ elementSize: Int) {
    func repeated<Word: BitwiseCopyable & FixedWidthInteger>(_ word: Word) -> SIMD2<UInt64> {
      SIMD2(repeating: UInt64(truncatingIfNeeded: word) &* (UInt64.max / UInt64(Word.max)))
    }
    switch elementSize {
    case 1: pattern = repeated(element.load(as: UInt8.self))
    case 2: pattern = repeated(element.loadUnaligned(as: UInt16.self))
    case 4: pattern = repeated(element.loadUnaligned(as: UInt32.self))
    case 8: pattern = repeated(element.loadUnaligned(as: UInt64.self))
    default: return nil
    }
  }

  /// Fills `byteCount` bytes, a multiple of the element's size.
  @inline(__always)
  func fill(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    guard byteCount >= 16 else {
      guard byteCount > 0 else { return }
      return withUnsafeBytes(of: pattern) { pattern in
        if let start = pattern.baseAddress { Reference.move(byteCount, from: start, to: memory) }
      }
    }
    var offset = 0
    while offset &+ 16 <= byteCount {
      memory.storeBytes(of: pattern, toByteOffset: offset, as: SIMD2<UInt64>.self)
      offset &+= 16
    }
    memory.storeBytes(of: pattern, toByteOffset: byteCount &- 16, as: SIMD2<UInt64>.self)
  }
}
