//===--- Deflate.swift - compression to zlib ------------------------------===//
//
// Matches are chosen lazily: a match is deferred until the next position has been searched. If a
// longer match begins there, the byte before it becomes a literal.
//
// Contract  The same bytes give the same stream.
// Cost      Hash chains of up to 24 positions. Compared with 128, filtered images take about half
//           the time and 4 % more bytes. The output is at most as large as that of zlib's level 4.
// Source    RFC 1950, RFC 1951 section 4
//===----------------------------------------------------------------------===//

import MartletBase

/// Encodes zlib streams.
package enum Deflate {
  private static let chainLength = 24
  /// After a match of at least this length, the search for a longer one is shortened.
  private static let goodLength = 8
  /// After a match of at least this length, no longer one is searched for.
  private static let lazyLength = 16

  /// Compresses `bytes` to a zlib stream.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BitWriter(after: [0x78, 0x9C])
    write(bytes, to: &writer)
    writer.alignToByte()
    let sum = Adler32.checksum(bytes.span)
    return writer.bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  private static func write(_ bytes: [UInt8], to writer: inout BitWriter) {
    let source = bytes.span
    var finder = MatchFinder()
    var block = DeflateBlock()
    var held: MatchFinder.Match?
    var (position, blockStart) = (0, 0)
    while position < bytes.count {
      if block.isFull, held == nil {
        block.write(to: &writer, source: bytes[blockStart..<position], isLast: false)
        (block, blockStart) = (DeflateBlock(), position)
      }
      let next = match(at: position, of: source, after: held, &finder)
      if let next {
        if held != nil { block.append(literal: bytes[position - 1]) }
        held = next
        position += 1
      } else if let match = held {
        block.append(match)
        let end = position - 1 + match.length
        for inside in position + 1..<max(position + 1, min(end, bytes.count - 2)) {
          _ = finder.insert(inside, of: source)
        }
        held = nil
        position = end
      } else {
        block.append(literal: bytes[position])
        position += 1
      }
    }
    block.write(to: &writer, source: bytes[blockStart...], isLast: true)
  }

  /// The longest match at a position, if it is longer than the one deferred from the position
  /// before.
  private static func match(
    at position: Int, of bytes: Span<UInt8>, after held: MatchFinder.Match?,
    _ finder: inout MatchFinder
  ) -> MatchFinder.Match? {
    guard bytes.count - position >= 3 else { return nil }
    let start = finder.insert(position, of: bytes)
    let length = held?.length ?? 2
    guard length < lazyLength else { return nil }
    return finder.longest(
      at: position, from: start, longerThan: length,
      chainLength: length >= goodLength ? chainLength / 4 : chainLength, of: bytes)
  }
}
