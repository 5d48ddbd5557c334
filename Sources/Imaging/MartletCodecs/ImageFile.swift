//===--- ImageFile.swift - image files of any format ----------------------===//
//
// Detects the format from the first bytes and decodes to RGB: as stored with the file's
// orientation, or upright.
//
// Contract  JPEG, PNG, WebP, GIF, TIFF, BMP, PNM; in WebAssembly, where the browser decodes other
//           formats, only JPEG, PNG, BMP and PNM. Gray is copied to three equal channels; alpha is
//           dropped, as in Pillow's `convert("RGB")`. Colors of an RGB profile are converted to sRGB
//           unless the caller turns that off.
//===----------------------------------------------------------------------===//

public import MartletBase
@_exported public import MartletImage

/// Why bytes could not be decoded as an image.
@nonexhaustive
public enum ImageFileError: Error, Equatable, Sendable {
  /// The first bytes match no supported format.
  case unknownFormat(firstBytes: [UInt8])
  /// The JPEG file is damaged or of an unsupported kind.
  case jpeg(JPEGError)
  /// The PNG file is damaged.
  case png(PNGError)
  /// The WebP file is damaged.
  case webp(WebPError)
  /// The BMP file is damaged or of an unsupported kind.
  case bmp(BMPError)
  /// The PBM, PGM, PPM or PAM file is damaged.
  case pnm(PNMError)
  /// The GIF file is damaged.
  case gif(GIFError)
  /// The TIFF file is damaged or of an unsupported kind.
  case tiff(TIFFError)
  /// The file alone exceeds the memory limit.
  case memory(MemoryExcess)
  /// The check of the workers stopped decoding.
  case interrupted(Interruption)
  /// The decoded image exceeds a limit.
  case image(ImageError)
}

extension ImageFileError: CustomStringConvertible {
  /// The error in one sentence.
  public var description: String {
    switch self {
    case .unknownFormat(let bytes):
      if bytes.isEmpty {
        "expected an image, found an empty file"
      } else if let format = FileSignature.of(bytes) {
        "expected a \(ImageCodec.names) image, found \(format.name)"
          + (format.conversion.map { "; convert it to PNG or JPEG, e.g. with \($0)" } ?? "")
      } else {
        "expected a \(ImageCodec.names) image, found \(FileSignature.words(of: bytes))"
      }
    case .jpeg(let error): "JPEG: \(error)"
    case .png(let error): "PNG: \(error)"
    case .webp(let error): "WebP: \(error)"
    case .bmp(let error): "BMP: \(error)"
    case .pnm(let error): "PNM: \(error)"
    case .gif(let error): "GIF: \(error)"
    case .tiff(let error): "TIFF: \(error)"
    case .memory(let excess): "the file \(excess)"
    case .interrupted(let interruption): "the image \(DecodingStop.interrupted(interruption))"
    case .image(let error): "\(error)"
    }
  }
}

/// A decoded image file.
///
/// ```swift
/// let file = try ImageFile(decoding: bytes)
/// print(file.upright.size, file.warnings)
/// ```
public struct ImageFile: Sendable {
  /// The pixels as stored, or fewer if the image was reduced.
  public let image: RGBImage
  /// The columns and rows of the stored image: more than those of `image` if it was reduced.
  public let fullSize: ImageSize
  /// The EXIF orientation of the stored pixels; `up` if the file has none.
  public let orientation: ImageOrientation
  /// Damage that the decoder recovered from; empty for an intact file.
  public let warnings: [DecodingWarning]

  /// The least side of an image that is reduced for detection, in pixels: more than the inputs of
  /// the built-in networks, so that parts of the image can be examined, too.
  public static let detectionSide = 720

  /// Decodes an image file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether damage that common decoders recover from is an error instead of a
  ///     warning.
  ///   - minimumSide: If set, a large JPEG, PNG, WebP or TIFF image is decoded at 1/2, 1/4 or 1/8 of
  ///     its size: the smallest at which both sides have at least this many pixels.
  ///   - convertsColors: Whether colors are converted to sRGB if the file has an ICC profile of
  ///     three primaries and their curves, such as Display P3 or Adobe RGB. Other profiles, and
  ///     damaged ones, are ignored.
  ///   - workers: The threads for large JPEG and PNG images, which do not affect the pixels. Their
  ///     check can stop the decoder of any format.
  /// - Throws: ``ImageFileError``, also if decoding needs more memory than `limits` allow or is
  ///   interrupted.
  /// - Complexity: Linear in the number of pixels.
  public init(
    decoding bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, convertsColors: Bool = true, workers: Workers = .serial
  ) throws(ImageFileError) {
    guard let codec = ImageCodec.of(bytes) else { throw ImageFile.unknownFormat(bytes) }
    var options = DecodingOptions(
      bytes, limits, isStrict: isStrict, minimumSide: minimumSide, workers)
    options.limits.fileByteCount = bytes.count
    let (size, profile): (ImageSize, [UInt8]?)
    var pixels: [UInt8]
    do {
      // The raster is released before the pixels are changed, which would copy them.
      let raster = try Self.raster(bytes, codec, options)
      warnings = raster.warnings
      orientation = ImageOrientation(rawValue: raster.orientation) ?? .up
      fullSize = raster.fullSize
      size = ImageSize(width: raster.width, height: raster.height)
      profile = raster.channels > 2 ? raster.colorProfile : nil
      pixels = raster.rgb(options.work)
    }
    if convertsColors, let profile { SRGBConverter(profile)?.convert(&pixels, options.work) }
    if case .interrupted(let interruption) = options.work.stop { throw .interrupted(interruption) }
    do throws(ImageError) {
      image = try RGBImage(width: size.width, height: size.height, pixels: pixels)
    } catch { throw .image(error) }
  }

  /// Decodes the samples.
  private static func raster(
    _ bytes: [UInt8], _ codec: ImageCodec, _ options: DecodingOptions
  ) throws(ImageFileError) -> Raster {
    do throws(ImageFileError) { return try codec.decode(bytes, options) } catch {
      guard case .interrupted(let interruption) = options.work.stop else { throw error }
      throw .interrupted(interruption)
    }
  }

  /// The image with its orientation applied.
  public var upright: RGBImage { image.upright(from: orientation) }

  /// The number of bytes at the start of a file that identify its format.
  package static let signatureLength = FileSignature.length

  /// Checks the first bytes and the size of a file, so that a file is not read if it is too large
  /// or not an image.
  ///
  /// - Parameters:
  ///   - beginning: The first bytes: at least `signatureLength`, or all if the file has fewer.
  ///   - byteCount: The size of the file; `nil` if it is unknown.
  ///   - limits: The memory limit.
  /// - Throws: `ImageFileError.unknownFormat` or `.memory`.
  package static func check(
    beginning: [UInt8], byteCount: Int?, limits: ImageLimits
  ) throws(ImageFileError) {
    guard ImageCodec.of(beginning) != nil else { throw unknownFormat(beginning) }
    guard let byteCount, byteCount > limits.memory else { return }
    throw .memory(MemoryExcess(needed: Int64(byteCount), limit: Int64(limits.memory)))
  }

  /// The error of a file whose format is not decoded.
  static func unknownFormat(_ bytes: [UInt8]) -> ImageFileError {
    .unknownFormat(firstBytes: Array(bytes.prefix(FileSignature.length)))
  }
}

/// How an image file is decoded.
struct DecodingOptions {
  var limits: ImageLimits
  let isStrict: Bool
  /// The least side of a reduced image; `nil` if it is not reduced.
  let minimumSide: Int?
  let work: DecodingWork

  init(
    _ limits: ImageLimits, isStrict: Bool, minimumSide: Int? = nil, work: DecodingWork
  ) {
    (self.limits, self.isStrict, self.minimumSide) = (limits, isStrict, minimumSide)
    self.work = work
  }

  /// The options of a file, on which work begins now.
  init(
    _ bytes: [UInt8], _ limits: ImageLimits, isStrict: Bool, minimumSide: Int? = nil,
    _ workers: Workers
  ) {
    self.init(
      limits, isStrict: isStrict, minimumSide: minimumSide,
      work: DecodingWork(byteCount: bytes.count, workers))
  }
}

/// An image format that can be decoded: how its files begin, and what decodes them.
struct ImageCodec: Sendable {
  /// The format's name in messages.
  let name: String
  /// Whether a file with these first bytes, at least two, has the format.
  let matches: @Sendable (_ bytes: [UInt8]) -> Bool
  /// Decodes a whole file.
  let decode: @Sendable (_ bytes: [UInt8], DecodingOptions) throws(ImageFileError) -> Raster

  /// A format whose decoder throws errors that `error` converts.
  init<Failure>(
    name: String, matches: @escaping @Sendable (_ bytes: [UInt8]) -> Bool,
    error: @escaping @Sendable (Failure) -> ImageFileError,
    decode: @escaping @Sendable (_ bytes: [UInt8], DecodingOptions) throws(Failure) -> Raster
  ) {
    (self.name, self.matches) = (name, matches)
    self.decode = { bytes, options throws(ImageFileError) in
      do throws(Failure) {
        return try decode(bytes, options)
      } catch let failure { throw error(failure) }
    }
  }

  /// All formats.
  #if arch(wasm32)
    static let all: [ImageCodec] = [.jpeg, .png, .bmp, .pnm]
  #elseif MARTLET_TRAITS && !RareFormats
    static let all: [ImageCodec] = [.jpeg, .png, .webp]
  #else
    static let all: [ImageCodec] = [.jpeg, .png, .webp, .gif, .tiff, .bmp, .pnm]
  #endif

  /// The format of a file with these first bytes, or `nil`.
  static func of(_ bytes: [UInt8]) -> ImageCodec? {
    guard bytes.count > 1 else { return nil }
    return all.first { $0.matches(bytes) }
  }

  /// The names of all formats in a sentence: "JPEG, PNG, WebP, GIF, TIFF, BMP or PNM".
  static var names: String {
    all.dropLast().map { $0.name }.joined(separator: ", ") + " or " + all[all.count - 1].name
  }
}

extension Raster {
  /// The samples as RGB: gray is copied to three channels, alpha is dropped.
  var rgb: [UInt8] { rgb(DecodingWork(byteCount: 0, .serial)) }

  /// The samples as RGB, fewer if the work is stopped.
  func rgb(_ work: DecodingWork) -> [UInt8] {
    if channels == 3 { return samples }
    let (count, source) = (width * height, channels)
    let (green, blue) = source < 3 ? (0, 0) : (1, 2)
    work.allow(samples: 3 * Int64(count))
    // Each of the `count` pixels has `source` samples, and three elements of the result.
    return unsafe [UInt8](unsafeUninitializedCapacity: 3 * count) { rgb, written in
      unsafe samples.withUnsafeBufferPointer { samples in
        for start in stride(from: 0, to: count, by: Self.stepPixels) {
          let end = min(start + Self.stepPixels, count)
          guard work.charge(3 * (end - start)) else { return }
          for pixel in start..<end {
            let (from, to) = (source &* pixel, 3 &* pixel)
            unsafe rgb.initializeElement(at: to, to: samples[from])
            unsafe rgb.initializeElement(at: to &+ 1, to: samples[from &+ green])
            unsafe rgb.initializeElement(at: to &+ 2, to: samples[from &+ blue])
          }
          written = 3 * end
        }
      }
    }
  }

  /// The pixels after which the work is counted.
  private static let stepPixels = 1 << 16
}
