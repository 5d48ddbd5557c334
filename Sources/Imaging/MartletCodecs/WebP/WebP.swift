//===--- WebP.swift - reading WebP images ---------------------------------===//
//
// chunks (WebPContainer) ▶ lossy (VP8Decoder, WebPAlpha) or lossless (VP8LDecoder) samples on a
// canvas (WebPLayer)
//
// Contract  Lossy, lossless and extended files, with alpha; of an animation, the first frame on a
//           transparent canvas. The samples equal those of libwebp with its default options. Color
//           profiles are not applied. For data that end early, the rows that libwebp's incremental
//           decoder shows are decoded; the others are zeros.
// Cost      In memory: the image, and 1.5 (lossy) or 4 (lossless) bytes a pixel.
// Source    RFC 9649; RFC 6386
// Checked   Tests/MartletCodecsTests/WebPTests.swift
//===----------------------------------------------------------------------===//

public import struct MartletImage.ImageLimits

/// The decoder of WebP images.
public enum WebP {
  /// Decodes a WebP file to three channels, or to four if it has alpha or its first frame does not
  /// cover the canvas.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether a file or image data that end early are an error. If not, missing rows
  ///     are zeros, and the raster has a warning.
  /// - Throws: ``WebPError`` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false
  ) throws(WebPError) -> Raster {
    var damage = Damage<WebPError>(isStrict: isStrict)
    let container = try WebPContainer(bytes, &damage)
    guard let image = container.image else { throw damage.errors.first ?? .missingImage }
    let frame = container.still == nil ? container.frames.first : nil
    let layer = try WebPLayer(bytes, image, frame, canvas: container.canvas)
    let canvas = container.canvas ?? (layer.width, layer.height)
    // What a frame does not cover is transparent.
    let channels = layer.hasAlpha || (layer.width, layer.height) != canvas ? 4 : 3
    let samples = try layer.decode(bytes, on: canvas, channels: channels, limits, &damage)
    var raster = Raster(
      width: canvas.width, height: canvas.height, channels: channels, samples: samples,
      orientation: container.orientation, warnings: damage.warnings)
    raster.colorProfile = container.colorProfile
    return raster
  }
}

extension ImageCodec {
  static let webp = ImageCodec(name: "WebP", matches: WebPContainer.matches) {
    bytes, options throws(ImageFileError) in
    do throws(WebPError) {
      return try WebP.decode(bytes, limits: options.limits, isStrict: options.isStrict)
    } catch { throw .webp(error) }
  }
}
