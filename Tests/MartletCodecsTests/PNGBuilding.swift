import MartletBase

@testable import MartletCodecs

/// Tests that build PNG files.
protocol PNGBuilding {}

extension PNGBuilding {
  func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    let body = Array(type.utf8) + content
    return word(UInt32(content.count)) + body
      + word(CRC32.checksum(body, range: 0..<body.count))
  }

  func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  func header(
    width: UInt32 = 2, height: UInt32 = 2, depth: UInt8 = 8, color: UInt8 = 0,
    methods: [UInt8] = [0, 0, 0]
  ) -> [UInt8] {
    chunk("IHDR", word(width) + word(height) + [depth, color] + methods)
  }

  /// The rows 0 1 2 and 0 3 4 in a stored block.
  func pixels(_ rows: [UInt8] = [0, 1, 2, 0, 3, 4]) -> [UInt8] {
    let count = UInt8(rows.count)
    return [0x78, 1, 1, count, 0, ~count, 0xFF] + rows + word(Adler32.checksum(rows.span))
  }

  func type(_ name: String) -> PNGError.ChunkType {
    PNGError.ChunkType(rawValue: name.utf8.reduce(0) { $0 << 8 | UInt32($1) })
  }
}
