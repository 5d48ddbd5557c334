//===--- MatchFinder.swift - LZ77 match finder ----------------------------===//
//
// Positions whose next three bytes have the same hash form a chain, latest first. `heads` holds the
// first position of each chain, `links` the previous position for each (modulo the window).
//
// Contract  The same bytes give the same matches; of equally long ones, the nearest. The length of
//           the search is limited.
// Cost      At most `chainLength` comparisons per position.
//===----------------------------------------------------------------------===//

import MartletBase

/// Finds earlier occurrences of the bytes at a position.
struct MatchFinder {
  /// A repetition of `length` bytes from `distance` bytes before.
  struct Match {
    var length: Int
    var distance: Int
  }

  private static let window = DeflateAlphabet.farthestMatch
  private static let hashBits: UInt32 = 15
  /// A match of at least this length ends the search.
  private static let niceLength = 128
  /// The maximum distance of a three-byte match; farther ones cost more than three literals.
  private static let farthestShortMatch = 4096

  private var heads = [Int32](repeating: -1, count: 1 << Int(hashBits))
  private var links = [Int32](repeating: -1, count: window)

  /// Adds the position to its chain; returns the chain's previous first position, or -1.
  ///
  /// At least three bytes must begin at `position`.
  @inline(__always)
  mutating func insert(_ position: Int, of bytes: Span<UInt8>) -> Int {
    let (b0, b1, b2) = unsafe (
      bytes[unchecked: position], bytes[unchecked: position &+ 1], bytes[unchecked: position &+ 2]
    )
    let key = (UInt32(b0) | UInt32(b1) &<< 8 | UInt32(b2) &<< 16) &* 0x9E37_79B1
    let hash = Int(key &>> (32 &- Self.hashBits))
    let last = heads[hash]
    links[position & (Self.window - 1)] = last
    heads[hash] = Int32(truncatingIfNeeded: position)
    return Int(last)
  }

  /// The longest match at `position` in the chain that begins at `start`; `nil` unless it is longer
  /// than `length`.
  func longest(
    at position: Int, from start: Int, longerThan length: Int, chainLength: Int,
    of bytes: Span<UInt8>
  ) -> Match? {
    let limit = min(DeflateAlphabet.longestMatch, bytes.count - position)
    guard limit > length else { return nil }
    let oldest = max(0, position - Self.window)
    let links = links.span
    var best = Match(length: length, distance: 0)
    var end = lastTwo(bytes, position, best.length)
    var (candidate, steps) = (start, chainLength)
    while candidate >= oldest, steps > 0 {
      if lastTwo(bytes, candidate, best.length) == end {
        let count = Self.common(bytes, candidate, position, limit)
        if count > best.length {
          best = Match(length: count, distance: position - candidate)
          if count >= min(limit, Self.niceLength) { break }
          end = lastTwo(bytes, position, count)
        }
      }
      let next = Int(links[candidate & (Self.window &- 1)])
      guard next < candidate else { break }
      candidate = next
      steps &-= 1
    }
    let isTooFar = best.length == 3 && best.distance > Self.farthestShortMatch
    return best.length > max(2, length) && !isTooFar ? best : nil
  }

  /// The last two bytes that a match longer than `length`, which is positive, must share. At least
  /// one more byte than `length` must begin at `start`.
  @inline(__always)
  private func lastTwo(_ bytes: Span<UInt8>, _ start: Int, _ length: Int) -> UInt16 {
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start &+ length &- 1, as: UInt16.self)
  }

  /// The number of equal bytes, at most `limit`, at two positions, after each of which there are at
  /// least `limit` bytes.
  @inline(__always)
  private static func common(_ bytes: Span<UInt8>, _ first: Int, _ second: Int, _ limit: Int) -> Int
  {
    var count = 0
    @inline(__always) func word(_ start: Int) -> UInt64 {
      unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start &+ count, as: UInt64.self)
    }
    while count &+ 8 <= limit {
      let (one, two) = (word(first), word(second))
      let difference = UInt64(littleEndian: one ^ two)
      if difference != 0 { return count &+ difference.trailingZeroBitCount &>> 3 }
      count &+= 8
    }
    while count < limit,
      unsafe bytes[unchecked: first &+ count] == bytes[unchecked: second &+ count]
    {
      count &+= 1
    }
    return count
  }
}
