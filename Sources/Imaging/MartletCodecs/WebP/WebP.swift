//===--- WebP.swift - reading WebP images ---------------------------------===//
//
// chunks (WebPContainer) ▶ lossy (VP8Decoder, WebPAlpha) or lossless (VP8LDecoder) samples on a
// canvas (WebPLayer)
//
// Contract  Lossy, lossless and extended files, with alpha; of an animation, the first frame on a
//           transparent canvas. The samples equal those of libwebp with its default options. Color
//           profiles are not applied. For data that end early, the rows that libwebp's incremental
//           decoder shows are decoded; the others are zeros.
//           An image that is reduced equals the full one, averaged (RowReducer).
// Cost      In memory: the image, and 1.5 (lossy) or 4 (lossless) bytes a pixel of the full one. A frame
//           that does not cover the canvas is reduced after it was decoded.
// Source    RFC 9649; RFC 6386
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits
import struct MartletImage.ImageSize

/// The decoder of WebP images.
public enum WebP {
  /// Decodes a WebP file to three channels, or to four if it has alpha or its first frame does not
  /// cover the canvas.
  ///
  /// With `minimumSide`, a large image is reduced by averaging squares of 2, 4 or 8 pixels a side:
  /// the largest squares that leave at least that many columns and rows.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether a file or image data that end early are an error. If not, missing rows
  ///     are zeros, and the raster has a warning.
  ///   - minimumSide: The least number of columns and rows of a reduced image; `nil` to decode the
  ///     full size.
  ///   - workers: Their check can stop the decoder, which uses one thread.
  /// - Throws: ``WebPError`` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws(WebPError) -> Raster {
    try decode(
      bytes,
      DecodingOptions(bytes, limits, isStrict: isStrict, minimumSide: minimumSide, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(WebPError) -> Raster {
    var damage = Damage<WebPError>(isStrict: options.isStrict)
    let container = try WebPContainer(bytes, options.work, &damage)
    guard let image = container.image else { throw damage.errors.first ?? .missingImage }
    let frame = container.still == nil ? container.firstFrame : nil
    let layer = try WebPLayer(bytes, image, frame, canvas: container.canvas)
    let canvas =
      container.canvas.map { ImageSize(width: $0.width, height: $0.height) } ?? layer.size
    // What a frame does not cover is transparent.
    let channels = layer.hasAlpha || layer.size != canvas ? 4 : 3
    let factor = RowReducer.factor(of: canvas, minimumSide: options.minimumSide)
    let samples = try layer.decode(
      bytes, on: canvas, channels: channels, factor: factor, options.limits, options.work,
      &damage)
    let size = RowReducer.size(canvas, factor: factor)
    var raster = Raster(
      width: size.width, height: size.height, channels: channels, samples: samples,
      orientation: container.orientation, warnings: damage.warnings)
    (raster.fullSize, raster.colorProfile) = (canvas, container.colorProfile)
    return raster
  }
}

extension ImageCodec {
  static let webp = ImageCodec(
    name: "WebP", matches: WebPContainer.matches,
    error: ImageFileError.webp, decode: WebP.decode(_:_:))
}
