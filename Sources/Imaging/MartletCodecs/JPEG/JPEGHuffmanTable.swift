//===--- JPEGHuffmanTable.swift - Huffman decoding ------------------------===//
//
// ITU-T T.81, annexes C and F.2.2.3. A table of the next ten bits decodes most codes in one step,
// and the coefficient too if its bits are within the ten. Longer codes are found by comparison with
// the first code after each length.
//
// Contract  Any table that `init` accepts decodes any bits without trapping.
// Cost      One load for a short code; 5 kB per table.
//===----------------------------------------------------------------------===//

/// The four tables of each class that a scan can use.
struct JPEGHuffmanTables {
  private var tables: [JPEGHuffmanTable?] = Array(repeating: nil, count: 8)
  /// The error of each invalid table; thrown only if a scan needs the table.
  private var failures: [JPEGError?] = Array(repeating: nil, count: 8)

  /// The table for DC differences at `index`.
  func dc(_ index: Int) throws(JPEGError) -> JPEGHuffmanTable? {
    index < 4 ? try table(index) : nil
  }

  /// The table for AC coefficients at `index`.
  func ac(_ index: Int) throws(JPEGError) -> JPEGHuffmanTable? {
    index < 4 ? try table(4 + index) : nil
  }

  private func table(_ index: Int) throws(JPEGError) -> JPEGHuffmanTable? {
    if let failure = failures[index] { throw failure }
    return tables[index] ?? .standard(index)
  }

  /// Reads every table of a DHT segment.
  mutating func define(_ segment: JPEGSegment) throws(JPEGError) {
    var body = segment
    while !body.isEmpty {
      let selector = try body.tableSelector()
      var lengths: [Int] = []
      for _ in 1...16 { lengths.append(Int(try body.byte())) }
      var symbols: [UInt8] = []
      for _ in 0..<lengths.reduce(0, +) { symbols.append(try body.byte()) }
      let index = (selector >> 4) * 4 + selector & 15
      do throws(JPEGHuffmanTable.Failure) {
        tables[index] = try JPEGHuffmanTable(lengths: lengths, symbols: symbols, isDC: index < 4)
        failures[index] = nil
      } catch {
        failures[index] = .badHuffmanTable(
          index: selector, length: error.length, offset: body.offset)
      }
    }
  }
}

/// Owns the memory of one table.
final class JPEGHuffmanTable {
  /// A code length with too many codes or with an invalid symbol.
  struct Failure: Error { let length: Int }

  /// The table; valid during the lifetime of this object.
  let codes: JPEGHuffmanCodes

  /// A table with `lengths[i]` codes of `i + 1` bits, which encode `symbols` in order.
  init(lengths: [Int], symbols: [UInt8], isDC: Bool) throws(Failure) {
    codes = JPEGHuffmanCodes()
    var code = 0
    var place = 0
    for length in 1...16 {
      let count = lengths[length - 1]
      guard code + count <= 1 << length, place + count <= min(symbols.count, 256) else {
        throw Failure(length: length)
      }
      codes.offsets[length] = Int32(place - code)
      for symbol in symbols[place..<place + count] {
        guard !isDC || symbol <= 15 else { throw Failure(length: length) }
        codes.symbols[place] = symbol
        codes.enter(symbol, code: code, length: length)
        place += 1
        code += 1
      }
      codes.limits[length] = Int32(code << (16 - length))
      code <<= 1
    }
  }

  /// The coders of a scan, which use the codes, do not outlive the table.
  deinit { unsafe codes.deallocate() }
}

/// The codes of one table in unmanaged memory, so that lookups need no reference counting.
struct JPEGHuffmanCodes {
  /// The number of bits that index the lookup table.
  static let lookupBits = 10
  /// Set in an entry that contains a coefficient besides the symbol.
  static let hasValue: Int32 = 0x80

  /// An entry for each value of the next ten bits. Bits 0 to 6 are the number of bits to skip (0 if
  /// the code is longer), then ``hasValue``, the symbol (8 to 15) and the coefficient (16 to 31).
  private let entries = UnmanagedMemory<Int32>(zeros: 1 << lookupBits)
  /// For each length, the first 16-bit pattern after its codes.
  fileprivate let limits = UnmanagedMemory<Int32>(zeros: 17)
  /// For each length, the index of its first symbol minus its first code.
  fileprivate let offsets = UnmanagedMemory<Int32>(zeros: 17)
  fileprivate let symbols = UnmanagedMemory<UInt8>(zeros: 256)

  fileprivate init() {}

  @unsafe fileprivate func deallocate() {
    unsafe entries.deallocate()
    unsafe limits.deallocate()
    unsafe offsets.deallocate()
    unsafe symbols.deallocate()
  }

  /// The entry for the next bits of `reader`, whose number is less than that of the entries.
  @inline(__always) func entry(_ reader: JPEGBitReader) -> Int32 {
    unsafe entries.base[Int(reader.peek(Self.lookupBits))]
  }

  /// The symbol and the length of a code of at most ten bits at the start of `bits`, if there is one.
  func shortCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    let entry = entries[Int(bits >> UInt32(32 - Self.lookupBits))]
    guard entry != 0 else { return nil }
    let symbol = Int(entry >> 8) & 0xFF
    let size = entry & Self.hasValue == 0 ? 0 : symbol & 15
    return (symbol, Int(entry & 0x7F) - size)
  }

  /// Sets every pattern of ten bits that begins with a code.
  fileprivate func enter(_ symbol: UInt8, code: Int, length: Int) {
    let free = Self.lookupBits - length
    guard free >= 0 else { return }
    for rest in 0..<1 << free {
      var entry = Int32(symbol) << 8 | Int32(length)
      let size = Int(symbol & 15)
      if size > 0, size <= free {
        let value = JPEGBitReader.extend(Int32(rest >> (free - size)), size: size)
        entry = value << 16 | Int32(symbol) << 8 | Self.hasValue | Int32(length + size)
      }
      entries[code << free | rest] = entry
    }
  }

  /// The symbol and the length of a code of more than ten bits, at the start of the 16 bits
  /// `window`; `nil` if no code matches.
  @inline(never) func longCode(_ window: Int32) -> (symbol: Int, length: Int)? {
    for length in Self.lookupBits + 1...16 where window < limits[length] {
      return (Int(symbols[Int(offsets[length] + window >> (16 - length))]), length)
    }
    return nil
  }
}
