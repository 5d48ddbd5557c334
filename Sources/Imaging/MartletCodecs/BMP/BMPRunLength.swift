//===--- BMPRunLength.swift - run-length decoding -------------------------===//
//
// Pairs of bytes: a count and a value to repeat (an index, or at 4 bits two alternating ones); or 0
// and
//   0        end of the row
//   1        end of the image
//   2        two more bytes: how far to move to the right and up
//   n > 2    n literal indices, padded to an even number of bytes
//
// Contract  Pixels that are never set have index 0. Pixels beyond the end of a row are dropped;
//           bytes after the last row are ignored. The code should end the image or fill it.
// Cost      Linear in the bytes of the code and the pixels.
// Source    Windows: "Bitmap Compression" (BI_RLE8, BI_RLE4)
//===----------------------------------------------------------------------===//

/// Decodes run-length coded indices.
struct BMPRunLength {
  private let header: BMPHeader
  /// The indices so far, one byte each, bottom row first.
  private var indices: [UInt8]
  private var x = 0
  private var y = 0

  /// The indices of an image, one byte each, bottom row first.
  static func indices(
    of bytes: [UInt8], _ header: BMPHeader, _ work: DecodingWork,
    _ damage: inout Damage<BMPError>
  ) throws(BMPError) -> [UInt8] {
    guard header.dataOffset < bytes.count else {
      throw .truncated(offset: header.dataOffset, count: 2, fileSize: bytes.count)
    }
    var decoder = BMPRunLength(header)
    do throws(BMPError) { try decoder.decode(bytes, work) } catch {
      try work.check(BMPError.stopped)
      try damage.report(error)
    }
    return decoder.indices
  }

  private init(_ header: BMPHeader) {
    self.header = header
    indices = [UInt8](repeating: 0, count: header.width * header.height)
  }

  private var isFull: Bool {
    y >= header.height || y == header.height - 1 && x >= header.width
  }

  private mutating func decode(_ bytes: [UInt8], _ work: DecodingWork) throws(BMPError) {
    var offset = header.dataOffset
    while true {
      guard let pair = bytes.uint16(at: offset, .big) else {
        if isFull { return }
        throw .truncated(offset: offset, count: 2, fileSize: bytes.count)
      }
      offset += 2
      let (count, value) = (pair >> 8, pair & 0xFF)
      try work.charge(count + value, BMPError.stopped)
      switch (count, value) {
      case (0, 0): (x, y) = (0, y + 1)
      case (0, 1): return
      case (0, 2): try move(bytes, &offset)
      case (0, _): try copy(value, of: bytes, &offset)
      default: for index in 0..<count { append(index: index, of: UInt8(value)) }
      }
      if y >= header.height { return }
    }
  }

  private mutating func move(_ bytes: [UInt8], _ offset: inout Int) throws(BMPError) {
    guard let step = bytes.uint16(at: offset, .big) else {
      throw .truncated(offset: offset, count: 2, fileSize: bytes.count)
    }
    (x, y) = (x + step >> 8, y + step & 0xFF)
    offset += 2
  }

  private mutating func copy(
    _ count: Int, of bytes: [UInt8], _ offset: inout Int
  ) throws(BMPError) {
    let size = (count * header.bitDepth + 7) / 8
    guard bytes.count - offset >= size else {
      throw .truncated(offset: offset, count: size, fileSize: bytes.count)
    }
    let perByte = 8 / header.bitDepth
    for index in 0..<count { append(index: index, of: bytes[offset + index / perByte]) }
    offset += size + size % 2
  }

  /// Writes index number `index` of a run or of literals: at 4 bits, even ones are in the high half
  /// of `byte`.
  private mutating func append(index: Int, of byte: UInt8) {
    if x < header.width, y < header.height {
      let isHigh = header.bitDepth == 4 && index % 2 == 0
      let value = isHigh ? byte >> 4 : header.bitDepth == 4 ? byte & 15 : byte
      indices[y * header.width + x] = value
    }
    x += 1
  }
}
