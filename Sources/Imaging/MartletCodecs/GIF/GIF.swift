//===--- GIF.swift - reading GIF images -----------------------------------===//
//
// blocks (GIFBlocks) ▶ codes of a frame ▶ indices (LZWDecoder, GIFFrame) ▶ samples (GIFCanvas)
//
// Contract  GIF87a and GIF89a. An image is the first frame, as in Pillow; `GIFReader` reads all of
//           them. Damage that Pillow recovers from gives the same samples and a warning.
// Cost      The canvas, the indices and the codes of a frame are in memory at once.
// Source    GIF89a specification (CompuServe, 1990)
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import MartletImage

/// The decoder of GIF images.
public enum GIF {
  /// Decodes the first frame of a GIF file to three channels, or to four if it has a transparent
  /// color.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage up to the end of the first frame is an error. If not, missing
  ///     pixels have the transparent or the first color, and the raster has a warning.
  ///   - workers: Their check can stop the decoder, which uses one thread.
  /// - Throws: ``GIFError`` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(GIFError) -> Raster {
    try decode(bytes, DecodingOptions(bytes, limits, isStrict: isStrict, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(GIFError) -> Raster {
    let (limits, work) = (options.limits, options.work)
    var damage = Damage<GIFError>(isStrict: options.isStrict)
    var blocks = try GIFBlocks(ByteSource(bytes), limits: limits)
    guard let frame = try blocks.next(work, &damage) else { throw .missingImage }
    var canvas = try GIFCanvas(
      frame, in: blocks, hasAlpha: frame.control.transparentIndex != nil, limits)
    try canvas.draw(frame, limits, work, &damage)
    return Raster(
      width: canvas.width, height: canvas.height, channels: canvas.channels,
      samples: canvas.samples, warnings: damage.warnings)
  }
}

/// Reads the frames of a GIF file, each composed with those before it.
public struct GIFReader {
  private var blocks: GIFBlocks
  private let limits: ImageLimits
  private let isStrict: Bool
  /// The work on all frames.
  private let work: DecodingWork
  /// The first frame, until it is returned, and the damage before it.
  private var first: (frame: GIFFrame, damage: Damage<GIFError>)?
  private var canvas: GIFCanvas
  /// The frames per second as a fraction, from the delay of the first frame; 0:0 if it has none.
  public let rate: (numerator: Int, denominator: Int)
  /// Damage that the last call of `next()` recovered from, one warning per kind.
  public private(set) var warnings: [DecodingWarning] = []

  /// Reads up to the first frame.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - limits: The maximum size and memory of the image. Each frame is an image of its own, so the
  ///     canvas counts twice.
  ///   - isStrict: Whether to throw instead of adding a warning.
  ///   - workers: Their check can stop each call of `next()`; the reader uses one thread.
  public init(
    _ source: ByteSource, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(GIFError) {
    var damage = Damage<GIFError>(isStrict: isStrict)
    blocks = try GIFBlocks(source, limits: limits)
    work = DecodingWork(byteCount: 0, workers)
    guard let frame = try blocks.next(work, &damage) else { throw .missingImage }
    canvas = try GIFCanvas(frame, in: blocks, hasAlpha: false, isVideo: true, limits)
    first = (frame, damage)
    rate = frame.control.delay > 0 ? (100, frame.control.delay) : (0, 0)
    self.limits = limits
    self.isStrict = isStrict
  }

  /// The next frame; `nil` at the end.
  public mutating func next() throws(GIFError) -> RGBImage? {
    var damage = first?.damage ?? Damage<GIFError>(isStrict: isStrict)
    defer { warnings = damage.warnings }
    var next = first?.frame
    first = nil
    work.beginFrame()
    if next == nil { next = try blocks.next(work, inUse: canvas.byteCount, &damage) }
    guard let frame = next else { return nil }
    try canvas.draw(frame, limits, work, &damage)
    do throws(ImageError) {
      return try RGBImage(width: canvas.width, height: canvas.height, pixels: canvas.samples)
    } catch { throw .image(error) }
  }
}

extension ImageCodec {
  static let gif = ImageCodec(
    name: "GIF", matches: { $0.starts(with: "GIF8".utf8) },
    error: ImageFileError.gif, decode: GIF.decode(_:_:))
}
