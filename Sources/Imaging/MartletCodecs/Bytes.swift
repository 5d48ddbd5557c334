//===--- Bytes.swift - bounds-checked integers ----------------------------===//
//
// Contract  Returns nil for any number that is not entirely inside the bytes, for every offset;
//           nothing traps.
//===----------------------------------------------------------------------===//

/// The byte order of a number in a file.
enum ByteOrder {
  case little
  case big
}

extension [UInt8] {
  /// The 16-bit number at `offset`; `nil` if it is not inside the bytes.
  func uint16(at offset: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    let (first, second) = (Int(self[offset]), Int(self[offset + 1]))
    return order == .big ? first << 8 | second : second << 8 | first
  }

  /// The 32-bit number at `offset`; `nil` if it is not inside the bytes.
  func uint32(at offset: Int, _ order: ByteOrder) -> UInt32? {
    guard let first = uint16(at: offset, order), offset <= count - 4,
      let second = uint16(at: offset + 2, order)
    else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return UInt32(high) << 16 | UInt32(low)
  }
}
