//===--- JPEGReader.swift - markers and segments --------------------------===//
//
// The lexer: finds the next marker, skips fill bytes and stray data as other decoders do, and
// returns the body of a segment.
//
// Contract  Every read is checked against the end of the file.
// Cost      No copy; a segment is a range of the file.
//===----------------------------------------------------------------------===//

/// A position in the file between segments.
struct JPEGReader {
  private(set) var bytes: [UInt8]
  var position: Int

  init(_ bytes: [UInt8], start: Int) {
    self.bytes = bytes
    position = min(max(start, 0), bytes.count)
  }

  /// Adds end-of-image markers to a file that ends in the header of a scan, at most 12 bytes.
  mutating func appendEnd() {
    for _ in 0..<8 { bytes += [0xFF, JPEGMarker.endOfImage] }
  }

  /// Skips the start-of-image marker; returns false if it is not here.
  mutating func skipStartOfImage() -> Bool {
    guard bytes.count - position >= 2, bytes[position] == 0xFF,
      bytes[position + 1] == JPEGMarker.startOfImage
    else { return false }
    position += 2
    return true
  }

  /// The code of the next marker; `nil` at the end of the file.
  ///
  /// Skips stray bytes, fill bytes, and restart markers left from a scan.
  mutating func nextMarker() -> UInt8? {
    while position + 1 < bytes.count {
      let code = bytes[position + 1]
      guard bytes[position] == 0xFF, code != 0xFF, code != 0 else {
        position += 1
        continue
      }
      position += 2
      if !JPEGMarker.isRestart(code), code != JPEGMarker.temporary { return code }
    }
    position = bytes.count
    return nil
  }

  /// The body of the segment whose marker has just been read.
  mutating func segment(_ marker: UInt8) throws(JPEGError) -> JPEGSegment {
    let start = position - 2
    guard position + 2 <= bytes.count else {
      throw .truncated(offset: position, count: 2, fileSize: bytes.count)
    }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard length >= 2 else {
      throw .badSegmentLength(marker: marker, offset: start, length: length, expected: 2)
    }
    guard position + length <= bytes.count else {
      throw .truncated(offset: position, count: length, fileSize: bytes.count)
    }
    defer { position += length }
    return JPEGSegment(
      marker: marker, offset: start, bytes: bytes, range: position + 2..<position + length)
  }
}

/// The body of a segment, read from its start.
struct JPEGSegment {
  let marker: UInt8
  /// The offset of the segment's marker in the file.
  let offset: Int
  let bytes: [UInt8]
  var range: Range<Int>

  var isEmpty: Bool { range.isEmpty }

  /// The next byte.
  mutating func byte() throws(JPEGError) -> UInt8 {
    try require(1)
    defer { range = range.lowerBound + 1..<range.upperBound }
    return bytes[range.lowerBound]
  }

  /// The next two bytes as a big-endian number.
  mutating func word() throws(JPEGError) -> Int {
    try require(2)
    return Int(try byte()) << 8 | Int(try byte())
  }

  /// The byte before a table: its class or precision, 0 or 1, in the high bits, and its index, 0 to 3.
  mutating func tableSelector() throws(JPEGError) -> Int {
    let selector = Int(try byte())
    guard selector & 15 < 4, selector >> 4 < 2 else {
      throw .badTableIndex(marker: marker, index: selector, offset: offset)
    }
    return selector
  }

  /// Throws unless at least `count` bytes are left.
  func require(_ count: Int) throws(JPEGError) {
    guard range.count >= count else {
      throw .badSegmentLength(
        marker: marker, offset: offset, length: range.count, expected: count)
    }
  }

  /// Throws if bytes are left.
  func requireEnd() throws(JPEGError) {
    guard range.isEmpty else {
      throw .badSegmentLength(marker: marker, offset: offset, length: range.count, expected: 0)
    }
  }

  /// Skips these bytes; returns false if the body does not continue with them.
  mutating func skip(_ prefix: String) -> Bool {
    guard bytes[range].starts(with: prefix.utf8) else { return false }
    range = range.lowerBound + prefix.utf8.count..<range.upperBound
    return true
  }

  /// The EXIF orientation, 1 to 8, of an APP1 segment; `nil` if it has none.
  func exifOrientation() -> Int? {
    var body = self
    guard body.skip("Exif\0\0") else { return nil }
    return EXIF.orientation(in: bytes, range: body.range)
  }
}

extension JPEGReader {
  /// The number of lines in the DNL segment after the first scan; `nil` without one.
  func numberOfLines() -> Int? {
    var reader = self
    while let marker = reader.nextMarker(), !JPEGMarker.isStandalone(marker) {
      guard var segment = try? reader.segment(marker) else { return nil }
      if marker == JPEGMarker.numberOfLines { return try? segment.word() }
    }
    return nil
  }
}
