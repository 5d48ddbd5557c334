//===--- JPEGCopyTable.swift - codes of a file to standard codes ----------===//
//
// An entry for each value of the next bits: the AC codes that begin and end within them, with their
// coefficients, and what is written for them.
//
// Contract  Codes that the standard's table lacks, or that are longer than the bits, have no entry.
// Cost      One load for all codes of an entry; 16 kB per table.
//===----------------------------------------------------------------------===//

import MartletBase

/// Translates the AC codes of a table.
final class JPEGCopyTable {
  /// The number of bits that index the table.
  static let lookupBits = 11
  /// The bit of an advance whose last code ends a block.
  static let end: UInt8 = 128

  /// What is read and written for the next bits.
  struct Entry {
    /// The bits to write, the first one highest.
    var bits: UInt32 = 0
    /// The number of bits to write, at most 32.
    var count: UInt8 = 0
    /// The number of bits to skip; 0 if there is no code.
    var skipped: UInt8 = 0
    /// The number of coefficients, and `end`; the code that ends a block counts as one.
    var advance: UInt8 = 0
  }

  private let memory = Arena(byteCount: MemoryLayout<Entry>.stride << lookupBits)

  /// The entries, valid while this value lives.
  var start: UnsafeMutablePointer<Entry> {
    unsafe memory.base.assumingMemoryBound(to: Entry.self)
  }

  /// A table from the codes of a file to those of an encoder.
  init(_ codes: JPEGHuffmanCodes, _ encoder: JPEGEncoderCodes) {
    for window in 0..<1 << Self.lookupBits {
      unsafe start[window] = Self.entry(UInt32(window), codes, encoder)
    }
  }

  private static func entry(
    _ window: UInt32, _ codes: JPEGHuffmanCodes, _ encoder: JPEGEncoderCodes
  ) -> Entry {
    var entry = Entry()
    while entry.advance & end == 0 {
      let rest = window << UInt32(entry.skipped) & (1 << UInt32(lookupBits) - 1)
      guard let (symbol, length) = codes.shortCode(rest << UInt32(32 - lookupBits)) else { break }
      let size = symbol & 15
      let skipped = Int(entry.skipped) + length + size
      let code = unsafe encoder.start[symbol]
      let count = Int(entry.count) + Int(code & 0xFF) + size
      guard skipped <= lookupBits, count <= 32, code != 0 else { break }
      let value = rest >> UInt32(lookupBits - length - size) & (1 << UInt32(size) - 1)
      let added = (code >> 8) << UInt32(size) | value
      // A shift by 32 gives zero.
      entry.bits = entry.bits << UInt32(count - Int(entry.count)) | added
      (entry.count, entry.skipped) = (UInt8(count), UInt8(skipped))
      entry.advance += UInt8(symbol >> 4 + 1) | (symbol == 0 ? end : 0)
    }
    return entry
  }
}
