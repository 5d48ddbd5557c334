import MartletTestSupport
import Testing

@testable import MartletCodecs

@Suite struct InflateTests {
  /// Bits in the order of a Deflate stream: fields from the lowest bit, codes from the highest.
  private struct Bits {
    var bytes: [UInt8]
    var used = 8

    init(header: [UInt8] = [0x78, 0x01]) {
      bytes = header
    }

    mutating func field(_ value: Int, _ length: Int) {
      for bit in 0..<length {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
        used += 1
      }
    }

    mutating func code(_ value: Int, _ length: Int) {
      for bit in (0..<length).reversed() { field(value >> bit & 1, 1) }
    }

    /// The stream with the checksum of its expected content.
    func sealed(_ content: [UInt8]) -> [UInt8] {
      let sum = Adler32.checksum(content.span)
      return bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
  }

  private func error(_ stream: [UInt8], count: Int) -> InflateError? {
    do throws(InflateError) {
      _ = try Inflate.zlib(stream, count: count)
      return nil
    } catch {
      return error
    }
  }

  /// "the cat …" from Python's zlib.compress: a block of fixed codes.
  private let fixed: [UInt8] = [
    120, 156, 43, 201, 72, 85, 72, 78, 44, 81, 40, 6, 226, 252, 60, 133, 18, 32, 55, 55, 177, 196,
    26, 204, 40, 66, 21, 7, 41, 75, 204, 75, 65, 85, 3, 22, 44, 73, 133, 169, 7, 0, 59, 128, 27, 15,
  ]
  private let fixedText =
    "the cat sat on the mat; the rat sat on the cat and the mat; the cat ate the rat"
  /// "abba …" from zlib.compress at level 9: a block of dynamic codes.
  private let dynamic: [UInt8] = [
    120, 218, 53, 141, 129, 9, 0, 64, 8, 2, 103, 61, 221, 127, 135, 79, 229, 139, 44, 197, 16, 9,
    36, 139, 53, 86, 202, 119, 68, 62, 140, 56, 139, 3, 101, 51, 198, 113, 188, 80, 163, 221, 47,
    145, 99, 111, 93, 157, 230, 240, 147, 30, 213, 150, 45, 210,
  ]
  private let dynamicText =
    "abbaabbcbabababaacbbbbbcaacabbcacaabaaaabbcbcbbcbbaaaaabaacbcabbbbabbbbaacaabccacabbbaccac"
    + "baaaabcbaaabaaabbaabbabcbababa"

  @Test func inflatesFixedAndDynamicBlocks() throws {
    #expect(try Inflate.zlib(fixed, count: fixedText.utf8.count) == Array(fixedText.utf8))
    #expect(try Inflate.zlib(dynamic, count: dynamicText.utf8.count) == Array(dynamicText.utf8))
  }

  @Test func inflatesStoredBlocksAndIgnoresLaterBytes() throws {
    let content: [UInt8] = [1, 2, 3, 4, 5]
    var bits = Bits()
    bits.bytes += [0, 2, 0, 0xFD, 0xFF, 1, 2, 0, 0, 0, 0xFF, 0xFF, 1, 3, 0, 0xFC, 0xFF, 3, 4, 5]
    #expect(try Inflate.zlib(bits.sealed(content) + [9, 9, 9], count: 5) == content)
  }

  @Test(arguments: [1, 2, 3, 5, 7, 8, 9, 17])
  func repeatsAtEveryDistance(distance: Int) throws {
    let start = (0..<distance).map { UInt8($0 + 65) }
    for length in [3, 10, 257, 258] {
      var bits = Bits()
      bits.field(0b011, 3)
      for letter in start { bits.code(0x30 + Int(letter), 8) }
      switch length {
      case 3: bits.code(1, 7)
      case 10: bits.code(8, 7)
      case 257:
        bits.code(0xC4, 8)
        bits.field(30, 5)
      default: bits.code(0xC5, 8)
      }
      let symbol = DeflateAlphabet.distanceBases.lastIndex { $0 <= distance } ?? 0
      bits.code(symbol, 5)
      bits.field(
        distance - DeflateAlphabet.distanceBases[symbol],
        DeflateAlphabet.distanceExtraBits[symbol])
      for _ in 0..<9 { bits.code(0x30 + 33, 8) }
      bits.code(0, 7)
      let content =
        (0..<distance + length).map { start[$0 % distance] } + [UInt8](repeating: 33, count: 9)
      #expect(try Inflate.zlib(bits.sealed(content), count: content.count) == content)
    }
  }

  @Test func rejectsEveryTruncation() {
    for (stream, count) in [(fixed, fixedText.utf8.count), (dynamic, dynamicText.utf8.count)] {
      for end in 0..<stream.count {
        #expect(error(Array(stream[..<end]), count: count) == .truncated(count: end))
      }
    }
  }

  @Test func rejectsBadHeaders() {
    #expect(error([0x78, 0x02, 0], count: 1) == .badHeader(0x7802))
    #expect(error([0x79, 0x1A, 0], count: 1) == .badHeader(0x791A))
    #expect(error([0x88, 0x1C, 0], count: 1) == .badHeader(0x881C))
    #expect(error([0x78, 0x20, 0], count: 1) == .presetDictionary)
  }

  @Test func rejectsBadBlocks() {
    #expect(error([0x78, 1, 0b111, 0, 0, 0], count: 1) == .reservedBlockType(offset: 3))
    #expect(
      error([0x78, 1, 1, 1, 0, 1, 0, 7], count: 1)
        == .storedLengthMismatch(offset: 3, length: 1, complement: 1))
    #expect(error([0x78, 1, 1, 9, 0, 0xF6, 0xFF, 7], count: 9) == .truncated(count: 8))
    #expect(
      error([0x78, 1, 1, 1, 0, 0xFE, 0xFF, 7, 0, 0, 0, 0], count: 0)
        == .tooLong(offset: 3, expected: 0))
  }

  @Test func rejectsBadDynamicHeaders() {
    var bits = Bits()
    bits.field(0b101, 3)
    bits.field(30, 5)
    bits.field(30, 5)
    let tooMany = bits
    #expect(
      error(tooMany.bytes + [0, 0], count: 9)
        == .tooManyCodes(offset: 3, literals: 287, distances: 31))

    bits = Bits()
    bits.field(0b101, 3)
    bits.field(0, 14)
    for _ in 0..<4 { bits.field(1, 3) }
    #expect(error(bits.bytes + [0, 0], count: 9) == .badCodeLengths(offset: 6))

    // Codes for 18 (a run of zeros) and 0 only: no symbol ends the block.
    bits = Bits()
    bits.field(0b101, 3)
    bits.field(0, 14)
    for length in [0, 0, 1, 1] { bits.field(length, 3) }
    for run in [127, 109] {
      bits.code(1, 1)
      bits.field(run, 7)
    }
    #expect(error(bits.bytes + [0, 0], count: 9) == .noEndOfBlock(offset: 8))

    // A run beyond the end of the lengths.
    bits = Bits()
    bits.field(0b101, 3)
    bits.field(0, 14)
    for length in [0, 0, 1, 1] { bits.field(length, 3) }
    for _ in 0..<2 {
      bits.code(1, 1)
      bits.field(127, 7)
    }
    #expect(error(bits.bytes + [0, 0], count: 9) == .badCodeLengths(offset: 8))
  }

  @Test func rejectsSymbolsWithoutMeaning() {
    var bits = Bits()
    bits.field(0b011, 3)
    bits.code(0xC6, 8)
    #expect(error(bits.bytes + [0, 0, 0, 0], count: 9) == .badCode(offset: 3))
    bits = Bits()
    bits.field(0b011, 3)
    bits.code(0x30, 8)
    bits.code(1, 7)
    bits.code(30, 5)
    #expect(error(bits.bytes + [0, 0, 0, 0], count: 9) == .badCode(offset: 5))
  }

  @Test func rejectsMatchesFromBeforeTheStart() {
    var bits = Bits()
    bits.field(0b011, 3)
    bits.code(0x30, 8)
    bits.code(1, 7)
    bits.code(1, 5)
    #expect(
      error(bits.bytes + [0, 0, 0, 0], count: 9)
        == .distanceTooFar(offset: 5, distance: 2, produced: 1))
  }

  @Test func rejectsAnyOtherLength() {
    let count = fixedText.utf8.count
    #expect(error(fixed, count: count + 1) == .tooShort(produced: count, expected: count + 1))
    for shorter in 0..<count {
      guard case .tooLong(_, shorter) = error(fixed, count: shorter) else {
        Issue.record("\(shorter) bytes expected")
        return
      }
    }
  }

  @Test func doesNotAllocateMoreThanStreamCanHold() {
    #expect(error(fixed, count: Int.max) == .tooShort(produced: 0, expected: Int.max))
  }

  @Test func rejectsAWrongChecksum() {
    var stream = fixed
    stream[stream.count - 1] ^= 1
    #expect(
      error(stream, count: fixedText.utf8.count)
        == .checksumMismatch(stored: 0x3B80_1B0E, computed: 0x3B80_1B0F))
  }

  @Test func survivesDamage() {
    var random = SplitMix64(seed: 1)
    for stream in [fixed, dynamic] {
      for _ in 0..<2000 {
        let damaged = stream.damaged(count: 2, from: 2, using: &random)
        let result = try? Inflate.zlib(damaged, count: dynamicText.utf8.count)
        #expect(result == nil || damaged == stream || result?.count == dynamicText.utf8.count)
      }
    }
  }
}
