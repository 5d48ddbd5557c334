//===--- JPEG.swift - reading JPEG images ---------------------------------===//
//
// bytes ▶ markers and segments (JPEGReader) ▶ frame, tables and scans (JPEGFrame,
// JPEGTables, JPEGHuffmanTable, JPEGScan) ▶ coefficients (JPEGScanDecoder,
// JPEGSequentialCoder, JPEGProgressiveCoders) ▶ bands (JPEGBands, JPEGRenderer): samples
// (Int16InverseDCT) ▶ rows of the image's width (JPEGUpsampling) ▶ colors (JPEGColor,
// JPEGColorConverter)
//
// Contract  Baseline, extended (8 bits) and progressive images with Huffman coding, in gray, YCbCr,
//           RGB, CMYK and YCCK, with any sampling factors; on request, at 1/2, 1/4 or 1/8 of the
//           size. For every such file that libjpeg-turbo reads, even a damaged one, the samples equal
//           those of its accurate decoder at the same scale. Other processes are named, with a
//           command that converts the file.
// Cost      In memory: the image, a few bands of samples and, for an image of several scans, the
//           coefficients (2 bytes each) that its samples depend on.
// Source    ITU-T T.81; T.871 (JFIF); Adobe Technical Note 5116
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits
import struct MartletImage.ImageSize

/// The JPEG codec.
///
/// ```swift
/// let raster = try JPEG.decode(bytes)
/// let smaller = try JPEG.encode(raster, quality: 50)
/// ```
public enum JPEG {
  /// Decodes a JPEG file.
  ///
  /// Gray images have one channel, all others three: red, green and blue. The samples are those of
  /// libjpeg-turbo's accurate decoder. CMYK is converted to RGB without a color profile.
  ///
  /// With `minimumSide`, a large image is decoded at 1/2, 1/4 or 1/8 of its columns and rows, rounded
  /// up: the smallest size at which both sides have at least that many pixels.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether damage after the header of the first scan is an error. If not, the
  ///     samples are those of libjpeg-turbo: some are wrong, gray or less detailed, and the raster
  ///     has a warning.
  ///   - minimumSide: The least number of columns and rows of a reduced image; `nil` to decode the
  ///     full size.
  ///   - workers: The decoder's threads, which do not affect the samples. Their check can stop it.
  /// - Throws: ``JPEGError`` with the position of the damage, or with the limit that was exceeded.
  /// - Complexity: Linear in the numbers of pixels and of bytes. A file that takes more work throws
  ///   ``DecodingStop/tooMuchWork(limit:)`` in ``JPEGError/stopped(_:)``.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws(JPEGError) -> Raster {
    try decode(
      bytes,
      DecodingOptions(bytes, limits, isStrict: isStrict, minimumSide: minimumSide, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(JPEGError) -> Raster {
    let image = try decodeFrame(
      of: bytes, at: 0, limits: options.limits, minimumSide: options.minimumSide,
      work: options.work)
    guard let damage = image.damage else { return image.raster }
    if options.isStrict { throw damage }
    var raster = image.raster
    raster.warnings = [.jpeg(damage)]
    return raster
  }

  /// Decodes the image that begins at `offset`, for example a frame of an MJPEG video.
  ///
  /// - Throws: ``JPEGError``, whose offsets count from the start of `bytes`.
  package static func decodeFrame(
    of bytes: [UInt8], at offset: Int, limits: ImageLimits = .init(), minimumSide: Int? = nil,
    work: DecodingWork
  ) throws(JPEGError) -> JPEGImage {
    var decoder = JPEGDecoder(
      bytes, start: offset, limits: limits, minimumSide: minimumSide, work: work)
    let (frame, color) = try decoder.readHeader()
    decoder.allowWork(on: frame, color)
    return try decoder.image(frame, color)
  }
}

extension JPEGDecoder {
  /// Decodes the image after its header.
  mutating func image(_ frame: JPEGFrame, _ color: JPEGColor) throws(JPEGError) -> JPEGImage {
    try checkMemory(of: frame, channels: color.channels)
    var failure: JPEGError?
    let (width, height) = (frame.decodedWidth, frame.decodedHeight)
    let count = width * height * color.channels
    // Without an error the decoder has written all samples.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: count) { samples, written in
      guard let base = samples.baseAddress else { return }
      do throws(JPEGError) {
        try unsafe decode(frame, color, to: base)
        written = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    var raster = Raster(
      width: width, height: height, channels: color.channels, samples: samples,
      orientation: orientation ?? 1)
    raster.colorProfile = colorProfile
    raster.fullSize = ImageSize(width: frame.width, height: frame.height)
    return JPEGImage(raster: raster, end: position, damage: damage)
  }
}

/// A decoded image and where it ends in the file.
package struct JPEGImage: Equatable, Sendable {
  /// The decoded samples.
  package let raster: Raster
  /// The offset after the image's last byte.
  package let end: Int
  /// The first damage after the header of the first scan; `nil` if there is none.
  package let damage: JPEGError?
}

extension ImageCodec {
  static let jpeg = ImageCodec(
    name: "JPEG", matches: { $0[0] == 0xFF && $0[1] == 0xD8 },
    error: ImageFileError.jpeg, decode: JPEG.decode(_:_:))
}
