//===--- BMP.swift - reading BMP images -----------------------------------===//
//
// headers ▶ (run-length code) ▶ rows of indices or pixels ▶ samples
//
// Contract  Pixels of 1, 2, 4, 8, 16, 24 and 32 bits, top-down or bottom-up, with every header of
//           Windows and OS/2. Palette indices beyond the palette are black. Alpha is read if there
//           is a mask for it. Embedded JPEG and PNG images are rejected. Rows that are missing at
//           the end of the file are black or the first color, as in Pillow, with a warning.
// Cost      One pass over the pixels.
// Source    Windows: "Bitmap Storage"
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits

/// The decoder of Windows and OS/2 bitmaps.
public enum BMP {
  /// Decodes a BMP file to three channels, or to four if it has an alpha mask.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage is an error. If not, missing rows are black or the first color
  ///     of the palette, and the raster has a warning.
  ///   - workers: Their check can stop the decoder, which uses one thread.
  /// - Throws: `BMPError` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(BMPError) -> Raster {
    try decode(bytes, DecodingOptions(bytes, limits, isStrict: isStrict, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(BMPError) -> Raster {
    let work = options.work
    var damage = Damage<BMPError>(isStrict: options.isStrict)
    let header = try BMPHeader(bytes, &damage)
    let isRunLength = header.compression == .runLength4 || header.compression == .runLength8
    let hasAlpha = (header.masks.dropFirst(3).first ?? 0) != 0
    let (width, height, channels) = (header.width, header.height, hasAlpha ? 4 : 3)
    // Run-length code is first decoded to one index per pixel.
    try Limits.check(
      width: width, height: height, channels: channels,
      working: isRunLength ? Int64(width) * Int64(height) : 0, options.limits, BMPError.memory)
    work.allow(samples: Int64(width) * Int64(height) * Int64(channels))
    let indices = isRunLength ? try BMPRunLength.indices(of: bytes, header, work, &damage) : []
    let stored = isRunLength ? height : try storedRows(bytes, header, &damage)
    let zeros = [UInt8](repeating: 0, count: stored < height ? header.rowBytes : 0)
    var samples = [UInt8](repeating: 0, count: width * height * channels)
    let rows = BMPRows(header, channels: channels)
    for y in 0..<height {
      try work.charge(width * channels, BMPError.stopped)
      let row = header.isTopDown ? y : height - 1 - y
      let target = y * width * channels
      if isRunLength {
        rows.lookUp(indices, at: row * width, bits: 8, into: &samples, target)
      } else if row >= stored {
        rows.read(zeros, at: 0, into: &samples, target)
      } else {
        rows.read(bytes, at: header.dataOffset + row * header.rowBytes, into: &samples, target)
      }
    }
    return Raster(
      width: width, height: height, channels: channels, samples: samples,
      warnings: damage.warnings)
  }

  /// The number of rows in the file whose pixels are complete: at least one.
  private static func storedRows(
    _ bytes: [UInt8], _ header: BMPHeader, _ damage: inout Damage<BMPError>
  ) throws(BMPError) -> Int {
    let size = header.rowBytes * header.height
    let padding = header.rowBytes - (header.width * header.bitDepth + 7) / 8
    let available = bytes.count - header.dataOffset + padding
    guard available < size else { return header.height }
    let truncation = BMPError.truncated(
      offset: header.dataOffset, count: size, fileSize: bytes.count)
    guard available >= header.rowBytes else { throw truncation }
    try damage.report(truncation)
    return available / header.rowBytes
  }
}

extension ImageCodec {
  static let bmp = ImageCodec(
    name: "BMP", matches: { $0[0] == UInt8(ascii: "B") && $0[1] == UInt8(ascii: "M") },
    error: ImageFileError.bmp, decode: BMP.decode(_:_:))
}
