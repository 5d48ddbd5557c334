//===--- JPEG.swift - reading JPEG images ---------------------------------===//
//
// bytes ▶ markers and segments (JPEGReader) ▶ frame, tables and scans (JPEGFrame,
// JPEGQuantization, JPEGHuffmanTable, JPEGScan) ▶ coefficients (JPEGScanDecoder,
// JPEGSequentialCoder, JPEGProgressiveCoders, JPEGArithmeticCoders) or values (JPEGLosslessCoder)
// ▶ bands (JPEGBands, JPEGRenderer): samples (Int16InverseDCT) ▶ rows of the image's width
// (JPEGUpsampling) ▶ colors (JPEGColor, JPEGColorConverter)
//
// Contract  Baseline, extended (8 bits) and progressive images with Huffman or arithmetic coding,
//           and Huffman-coded lossless ones (2 to 8 bits), in gray, YCbCr, RGB, CMYK and YCCK, with
//           any sampling factors; on request, at 1/2, 1/4 or 1/8 of the size unless lossless. For
//           every file that libjpeg-turbo reads, even a damaged one, the samples equal those of its
//           accurate decoder at the same scale.
// Cost      In memory: the image, a few bands of samples and, for an image of several scans, the
//           coefficients (2 bytes each) that its samples depend on; for a lossless one, 2 bytes
//           per sample.
// Source    ITU-T T.81; T.871 (JFIF); Adobe Technical Note 5116
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits
import struct MartletImage.ImageSize

/// The JPEG codec.
public enum JPEG {
  /// Decodes a JPEG file.
  ///
  /// Gray images have one channel, all others three: red, green and blue. The samples are those of
  /// libjpeg-turbo's accurate decoder. CMYK is converted to RGB without a color profile.
  ///
  /// With `minimumSide`, a large image is decoded at 1/2, 1/4 or 1/8 of its columns and rows, rounded
  /// up: the smallest size at which both sides have at least that many pixels. Lossless images are
  /// never reduced.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether damage after the header of the first scan is an error. If not, the
  ///     samples are those of libjpeg-turbo: some are wrong, gray or less detailed, and the raster
  ///     has a warning.
  ///   - minimumSide: The least number of columns and rows of a reduced image; `nil` to decode the
  ///     full size.
  ///   - workers: The decoder's threads. They do not affect the samples.
  /// - Throws: ``JPEGError`` with the position of the damage, or with the limit that was exceeded.
  /// - Complexity: Linear in the number of pixels and, for a progressive image, of its scans.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws(JPEGError) -> Raster {
    let image = try decodeFrame(
      of: bytes, at: 0, limits: limits, minimumSide: minimumSide, workers: workers)
    guard let damage = image.damage else { return image.raster }
    if isStrict { throw damage }
    var raster = image.raster
    raster.warnings = [.jpeg(damage)]
    return raster
  }

  /// Decodes the image that begins at `offset`, for example a frame of an MJPEG video. If `keepsInks`,
  /// the samples of four components are kept as they are stored.
  ///
  /// - Throws: ``JPEGError``, whose offsets count from the start of `bytes`.
  package static func decodeFrame(
    of bytes: [UInt8], at offset: Int, limits: ImageLimits = .init(), minimumSide: Int? = nil,
    keepsInks: Bool = false, workers: Workers = .serial
  ) throws(JPEGError) -> JPEGImage {
    var decoder = JPEGDecoder(
      bytes, start: offset, limits: limits, minimumSide: minimumSide, keepsInks: keepsInks,
      workers: workers)
    let (frame, color) = try decoder.readHeader()
    var failure: JPEGError?
    let (width, height) = (frame.decodedWidth, frame.decodedHeight)
    let count = width * height * color.channels
    // Without an error the decoder has written all samples.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: count) { samples, written in
      guard let base = samples.baseAddress else { return }
      do throws(JPEGError) {
        try unsafe decoder.decode(frame, color, to: base)
        written = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    var raster = Raster(
      width: width, height: height, channels: color.channels, samples: samples,
      orientation: decoder.orientation ?? 1)
    raster.colorProfile = decoder.colorProfile
    raster.fullSize = ImageSize(width: frame.width, height: frame.height)
    return JPEGImage(raster: raster, end: decoder.position, damage: decoder.damage)
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
  static let jpeg = ImageCodec(name: "JPEG", matches: { $0[0] == 0xFF && $0[1] == 0xD8 }) {
    bytes, options throws(ImageFileError) in
    do throws(JPEGError) {
      return try JPEG.decode(
        bytes, limits: options.limits, isStrict: options.isStrict,
        minimumSide: options.minimumSide, workers: options.workers)
    } catch { throw .jpeg(error) }
  }
}
