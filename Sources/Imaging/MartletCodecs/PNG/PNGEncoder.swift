//===--- PNGEncoder.swift - writing PNG images ----------------------------===//
//
// samples ▶ row filters ▶ Deflate ▶ chunks
//
// Each row is filtered with all five filters. The one with the smallest sum of magnitudes (bytes as
// signed numbers) is kept; the first one of equals.
//
// Contract  Lossless: `PNG.decode` returns the same raster. The same raster gives the same file. An
//           orientation other than 1 is written as eXIf.
// Cost      Mostly compression; the filtered rows are in memory at once.
// Source    PNG (third edition) sections 9 and 12.7
//===----------------------------------------------------------------------===//

import MartletBase

extension PNG {
  /// Encodes an image as PNG: gray, gray and alpha, RGB or RGBA, 8 bits per sample.
  ///
  /// - Complexity: Linear in the number of pixels.
  public static func encode(_ image: Raster) -> [UInt8] {
    var file = PNGChunks.signature
    append(.header, header(of: image), to: &file)
    if image.orientation != 1 {
      append(.exif, EXIF.block(orientation: image.orientation), to: &file)
    }
    append(.imageData, Deflate.zlib(filteredRows(of: image)), to: &file)
    append(.end, [], to: &file)
    return file
  }

  private static func append(
    _ type: PNGError.ChunkType, _ content: [UInt8], to file: inout [UInt8]
  ) {
    file += bytes(of: UInt32(content.count))
    let start = file.count
    file += bytes(of: type.rawValue) + content
    file += bytes(of: CRC32.checksum(file, range: start..<file.count))
  }

  private static func bytes(of value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func header(of image: Raster) -> [UInt8] {
    let colorType: PNGHeader.ColorType =
      switch image.channels {
      case 1: .gray
      case 2: .grayAlpha
      case 3: .rgb
      default: .rgba
      }
    return bytes(of: UInt32(image.width)) + bytes(of: UInt32(image.height))
      + [8, colorType.rawValue, 0, 0, 0]
  }

  /// The filtered rows, each preceded by its filter type.
  private static func filteredRows(of image: Raster) -> [UInt8] {
    let rowBytes = image.width * image.channels
    var rows: [UInt8] = []
    rows.reserveCapacity(image.height * (rowBytes + 1))
    var candidate = [UInt8](repeating: 0, count: rowBytes)
    var best = candidate
    var above = [UInt8](repeating: 0, count: rowBytes)
    for row in 0..<image.height {
      let current = Array(image.samples[row * rowBytes..<(row + 1) * rowBytes])
      var (chosen, least) = (PNGFilter.none, Int.max)
      for filter in PNGFilter.allCases {
        let sum = filter.apply(
          to: current, above: above, pixelBytes: image.channels, into: &candidate)
        if sum < least {
          (chosen, least) = (filter, sum)
          swap(&best, &candidate)
        }
      }
      rows.append(chosen.rawValue)
      rows += best
      above = current
    }
    return rows
  }
}
