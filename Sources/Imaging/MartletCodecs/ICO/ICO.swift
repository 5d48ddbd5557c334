//===--- ICO.swift - reading icons and cursors ----------------------------===//
//
// directory of images ▶ the largest image: a PNG file, or a BMP file without its file header, with
// a mask behind the pixels and twice its height
//
// Contract  Icons (type 1) and cursors (type 2) of Windows. Of several images with the largest area
//           the first of the smallest bit depth is read, as in Pillow. A bit that is set in the mask
//           is transparent; images of 32 bits have alpha instead.
// Source    Windows: ICONDIR, ICONDIRENTRY, ICONIMAGE
// Checked   Tests/MartletCodecsTests/ICOTests.swift
//===----------------------------------------------------------------------===//

public import struct MartletImage.ImageLimits

/// The decoder of Windows icons and cursors.
public enum ICO {
  /// Decodes the largest image of an icon or a cursor: a BMP image to four channels, a PNG image to
  /// its own.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage is an error instead of a warning.
  /// - Throws: ``ICOError`` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false
  ) throws(ICOError) -> Raster {
    let entry = try largest(bytes)
    let image = Array(bytes[entry.offset...].prefix(max(entry.size, 0)))
    guard !image.starts(with: PNGChunks.signature) else {
      do throws(PNGError) {
        return try PNG.decode(image, limits: limits, isStrict: isStrict)
      } catch { throw .png(error) }
    }
    let file = try bitmap(Array(bytes[entry.offset...]), at: entry.offset)
    let colors: Raster
    do throws(BMPError) {
      colors = try BMP.decode(file, limits: limits, isStrict: isStrict)
    } catch { throw .bmp(error) }
    return try masked(colors, file, limits, isStrict: isStrict)
  }

  /// An entry of the directory.
  private struct Entry {
    let width, height, bitDepth, size, offset: Int
  }

  /// The largest image whose entry is in the file.
  private static func largest(_ bytes: [UInt8]) throws(ICOError) -> Entry {
    guard let count = bytes.uint16(at: 4, .little) else {
      throw .truncated(offset: 0, count: 6, fileSize: bytes.count)
    }
    guard count > 0 else { throw .empty }
    let isIcon = bytes[2] == 1
    var largest: Entry?
    for start in stride(from: 6, to: 6 + 16 * count, by: 16) {
      guard let size = bytes.uint32(at: start + 8, .little),
        let offset = bytes.uint32(at: start + 12, .little),
        let depth = bytes.uint16(at: start + 6, .little)
      else { throw .truncated(offset: start, count: 16, fileSize: bytes.count) }
      let colors = Int(bytes[start + 2])
      let entry = Entry(
        width: bytes[start] == 0 ? 256 : Int(bytes[start]),
        height: bytes[start + 1] == 0 ? 256 : Int(bytes[start + 1]),
        // A cursor has its hot spot instead.
        bitDepth: !isIcon ? 0 : depth > 0 ? depth : bitDepth(colors: colors),
        size: Int(clamping: size), offset: Int(clamping: offset))
      if largest.map({ isBetter(entry, than: $0) }) ?? true { largest = entry }
    }
    guard let largest, largest.offset < bytes.count else {
      throw .truncated(offset: largest?.offset ?? 0, count: 40, fileSize: bytes.count)
    }
    return largest
  }

  private static func isBetter(_ entry: Entry, than other: Entry) -> Bool {
    let (area, largest) = (entry.width * entry.height, other.width * other.height)
    return area > largest || area == largest && entry.bitDepth < other.bitDepth
  }

  /// The bit depth of a number of colors, 256 for 0 as in Pillow.
  private static func bitDepth(colors: Int) -> Int {
    colors == 0 ? 256 : Int.bitWidth - (colors - 1).leadingZeroBitCount
  }

  /// A BMP file with the header and pixels in `image`, which begins at `offset` of the file.
  private static func bitmap(_ image: [UInt8], at offset: Int) throws(ICOError) -> [UInt8] {
    guard let size = image.uint32(at: 0, .little), let height = image.uint32(at: 8, .little),
      size >= 40
    else { throw .truncated(offset: offset, count: 40, fileSize: offset + image.count) }
    let depth = image.uint16(at: 14, .little) ?? 0
    let isMasked = size == 40 && image.uint32(at: 16, .little) == 3
    let stated = Int(clamping: image.uint32(at: 32, .little) ?? 0)
    let colors = depth > 8 ? 0 : stated == 0 ? 1 << depth : min(stated, 1 << depth)
    let start = 14 + Int(size) + (isMasked ? 12 : 0) + 4 * colors
    var file: [UInt8] = [0x42, 0x4D, 0, 0, 0, 0, 0, 0, 0, 0]
    for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: start >> shift)) }
    file += image
    let half = Int32(bitPattern: height) / 2
    for byte in 0..<4 { file[22 + byte] = UInt8(truncatingIfNeeded: half >> Int32(8 * byte)) }
    return file
  }

  /// Adds alpha to the colors of a BMP image: the fourth byte of pixels of 32 bits, or else a mask
  /// behind the pixels.
  private static func masked(
    _ colors: Raster, _ file: [UInt8], _ limits: ImageLimits, isStrict: Bool
  ) throws(ICOError) -> Raster {
    guard colors.channels == 3 else { return colors }
    let (width, height) = (colors.width, colors.height)
    do throws(MemoryExcess) {
      try Limits.check(
        width: width, height: height, channels: 4, working: Int64(colors.samples.count), limits)
    } catch { throw .bmp(.memory(error)) }
    let depth = file.uint16(at: 28, .little) ?? 0
    let pixels = Int(clamping: file.uint32(at: 10, .little) ?? 0)
    let isAlpha = depth == 32
    let rowBytes = (width * (isAlpha ? 32 : 1) + 31) / 32 * 4
    let start = isAlpha ? pixels : pixels + (width * depth + 31) / 32 * 4 * height
    var warnings = colors.warnings
    let isThere = start <= file.count - rowBytes * height
    if !isThere {
      guard !isStrict else { throw .missingMask(offset: start - 14) }
      warnings.append(.ico(.missingMask(offset: start - 14)))
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(4 * width * height)
    for y in 0..<height {
      // The first row in the file is the lowest.
      let row = start + (height - 1 - y) * rowBytes
      for x in 0..<width {
        let place = 3 * (y * width + x)
        samples += colors.samples[place..<place + 3]
        let isOpaque = !isThere || !isAlpha && file[row + x >> 3] << UInt8(x & 7) & 0x80 == 0
        samples.append(isOpaque ? 255 : isAlpha ? file[row + 4 * x + 3] : 0)
      }
    }
    return Raster(width: width, height: height, channels: 4, samples: samples, warnings: warnings)
  }
}

extension ImageCodec {
  static let ico = ImageCodec(
    name: "ICO", matches: { $0.starts(with: [0, 0, 1, 0]) || $0.starts(with: [0, 0, 2, 0]) }
  ) { bytes, options throws(ImageFileError) in
    do throws(ICOError) {
      return try ICO.decode(bytes, limits: options.limits, isStrict: options.isStrict)
    } catch { throw .ico(error) }
  }
}
