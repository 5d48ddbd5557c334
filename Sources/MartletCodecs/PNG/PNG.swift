//===--- PNG.swift - reading PNG pictures ---------------------------------===//
//
// chunks ▶ inflate ▶ undo the row filters ▶ samples
//
// Contract  Every colour type, bit depth and interlacing of the standard.
//           Samples are exact; 16-bit ones keep their high byte. Gamma and
//           colour profiles are not applied; of an animation the still picture
//           is read.
// Cost      The inflated rows and the samples are in memory at once: about
//           twice the picture. Some 5 ns a pixel, most of it inflating.
// Source    PNG (third edition), W3C
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift
//===----------------------------------------------------------------------===//

/// Portable Network Graphics.
public enum PNG {
  /// Decodes a PNG file.
  ///
  /// Grey pictures have one channel, those of a palette three, and pictures with an alpha channel
  /// or transparent colours one more. Samples of 16 bits keep their high 8 bits.
  ///
  /// - Throws: `PNGError`, which says where the file is damaged or over the limit of 2^28 pixels.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(_ bytes: [UInt8]) throws(PNGError) -> Raster {
    let chunks = try PNGChunks(bytes)
    let reader = PNGSamples(chunks, isReduced: true)
    return Raster(
      width: chunks.header.width, height: chunks.header.height, channels: reader.channels,
      samples: reader.unpack(try rows(of: chunks)), orientation: chunks.orientation)
  }

  /// Decodes a PNG file to samples as deep as its own: those of 16 bits are two bytes, the high one
  /// first. Otherwise the same as `decode`.
  package static func decodeExactly(
    _ bytes: [UInt8]
  ) throws(PNGError) -> (samples: [UInt8], channels: Int) {
    let chunks = try PNGChunks(bytes)
    let reader = PNGSamples(chunks, isReduced: false)
    return (reader.unpack(try rows(of: chunks)), reader.channels)
  }

  /// The restored rows of all passes, each behind its filter type.
  private static func rows(of chunks: PNGChunks) throws(PNGError) -> [UInt8] {
    let header = chunks.header
    let passes = PNGPass.all(of: header)
    let sizes = passes.map { $0.height * (1 + header.rowBytes(width: $0.width)) }
    var rows = try inflate(chunks.imageData, count: sizes.reduce(0, +))
    var start = 0
    for (pass, size) in zip(passes, sizes) {
      try PNGFilter.restore(
        &rows, from: start, rows: pass.height, rowBytes: header.rowBytes(width: pass.width),
        pixelBytes: max(1, header.bitsPerPixel / 8))
      start += size
    }
    return rows
  }

  private static func inflate(_ stream: [UInt8], count: Int) throws(PNGError) -> [UInt8] {
    do throws(InflateError) {
      return try Inflate.zlib(stream, count: count)
    } catch {
      throw .imageData(error)
    }
  }
}
