//===--- BMP.swift - reading BMP images -----------------------------------===//
//
// headers ▶ (run-length code) ▶ rows of indices or pixels ▶ samples
//
// Contract  Pixels of 1, 2, 4, 8, 16, 24 and 32 bits, top-down or bottom-up, with every header of
//           Windows and OS/2. Palette indices beyond the palette are black. Alpha is read if there
//           is a mask for it. Embedded JPEG and PNG images are rejected.
// Cost      One pass over the pixels.
// Source    Windows: "Bitmap Storage"
// Checked   Tests/MartletCodecsTests/BMPDecoderTests.swift
//===----------------------------------------------------------------------===//

public import struct MartletImage.ImageLimits

/// The decoder of Windows and OS/2 bitmaps.
public enum BMP {
  /// Decodes a BMP file to three channels, or to four if it has an alpha mask.
  ///
  /// - Throws: `BMPError` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init()
  ) throws(BMPError) -> Raster {
    let header = try BMPHeader(bytes)
    let isRunLength = header.compression == .runLength4 || header.compression == .runLength8
    let hasAlpha = (header.masks.dropFirst(3).first ?? 0) != 0
    let (width, height, channels) = (header.width, header.height, hasAlpha ? 4 : 3)
    do throws(MemoryExcess) {
      // Run-length code is first decoded to one index per pixel.
      try Limits.check(
        width: width, height: height, channels: channels,
        working: isRunLength ? Int64(width) * Int64(height) : 0, limits)
    } catch { throw .memory(error) }
    let indices = isRunLength ? try BMPRunLength.indices(of: bytes, header) : []
    if !isRunLength { try check(bytes, hold: header) }
    var samples = [UInt8](repeating: 0, count: width * height * channels)
    let rows = BMPRows(header, channels: channels)
    for y in 0..<height {
      let row = header.isTopDown ? y : height - 1 - y
      let target = y * width * channels
      if isRunLength {
        rows.lookUp(indices, at: row * width, bits: 8, into: &samples, target)
      } else {
        rows.read(bytes, at: header.dataOffset + row * header.rowBytes, into: &samples, target)
      }
    }
    return Raster(width: width, height: height, channels: channels, samples: samples)
  }

  private static func check(_ bytes: [UInt8], hold header: BMPHeader) throws(BMPError) {
    let size = header.rowBytes * header.height
    guard bytes.count - header.dataOffset >= size else {
      throw .truncated(offset: header.dataOffset, count: size, fileSize: bytes.count)
    }
  }
}

extension ImageCodec {
  static let bmp = ImageCodec(
    name: "BMP", matches: { $0[0] == UInt8(ascii: "B") && $0[1] == UInt8(ascii: "M") }
  ) { bytes, limits, _, _ throws(ImageFileError) in
    do throws(BMPError) {
      return try BMP.decode(bytes, limits: limits)
    } catch { throw .bmp(error) }
  }
}
