//===--- InputImage.swift - an image and its orientation ------------------===//
//
// The counterpart of `UIImage`: stored pixels of any format, and the orientation that makes them
// upright.
//
// Contract  Pixels are converted on request; creating an `InputImage` from a buffer copies none.
// Cost      `pixels` of a buffer: one pass; of a large file: decoding it again. `upright`: one more
//           unless the image is upright.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletBase
public import MartletCodecs
public import MartletVision

/// An image: its stored pixels and their orientation.
public struct InputImage: Sendable, Equatable {
  /// The type of `imageOrientation`.
  public typealias Orientation = ImageOrientation

  private enum Content: Sendable, Equatable {
    case packed(RGBImage)
    case buffer(PixelBuffer)
    case reduced(ReducedFile)
  }

  private let content: Content
  /// The orientation of the stored pixels.
  public var imageOrientation: ImageOrientation
  /// Damage in the decoded file, each kind once; empty for an intact file.
  public let warnings: [DecodingWarning]

  /// An image of packed red, green and blue.
  public init(_ pixels: RGBImage, orientation: ImageOrientation = .up) {
    content = .packed(pixels)
    imageOrientation = orientation
    warnings = []
  }

  /// An image of pixels of any format: NV12 from a camera, BGRA from a screen, gray, I420.
  public init(_ buffer: PixelBuffer, orientation: ImageOrientation = .up) {
    content = .buffer(buffer)
    imageOrientation = orientation
    warnings = []
  }

  /// Decodes a JPEG, PNG, WebP, GIF, TIFF, BMP or PNM file. The orientation is that of the file's EXIF data.
  ///
  /// A damaged PNG file, or a JPEG file damaged after its first scan starts, is decoded with
  /// `warnings`.
  ///
  /// A large JPEG, PNG, WebP or TIFF file is decoded at 1/2, 1/4 or 1/8 of its size, so that both sides
  /// keep at least 720 pixels. Detectors without a region examine these; `pixels` and `upright` decode
  /// the full image. Results are in pixels of the full image.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - limits: The memory for decoding. Default: 256 MiB.
  ///   - isStrict: Whether damage is an error instead of a warning. Default: `false`.
  ///   - isFullResolution: Whether detectors examine all pixels of a large file. Default: `false`.
  ///   - convertsColors: Whether colors are converted to sRGB if the file has an RGB color profile,
  ///     such as Display P3 or Adobe RGB. Default: `true`.
  ///   - workers: The threads that decode. They do not change the pixels.
  ///   - cancellation: What stops decoding, for example `.timeLimit(seconds: 5)`. Decoding also stops
  ///     if the current task is canceled.
  /// - Throws: `VisionError.imageFile`, or `.cancelled` if the task was canceled.
  /// - Complexity: Linear in the number of pixels.
  public init(
    encoded bytes: some Sequence<UInt8>, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true, workers: Workers = .serial,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    do throws(ImageFileError) {
      let bytes = Array(bytes)
      let file = try ImageFile(
        decoding: bytes, limits: limits, isStrict: isStrict,
        minimumSide: isFullResolution ? nil : ImageFile.detectionSide,
        convertsColors: convertsColors,
        workers: workers.checking(workers.cancellation.or(cancellation).or(.task)))
      let reduced = ReducedFile(file, bytes, limits, convertsColors: convertsColors, workers)
      content = reduced.map { .reduced($0) } ?? .packed(file.image)
      imageOrientation = file.orientation
      warnings = file.warnings
    } catch { throw VisionError(error) }
  }

  /// Decodes a file as a detector's configuration says, until the call of the detector is cancelled.
  init(
    encoded bytes: [UInt8], _ decoding: DecodingConfiguration, isFull: Bool
  ) throws(VisionError) {
    try self.init(
      encoded: bytes, limits: decoding.limits, isStrict: decoding.isStrict,
      isFullResolution: isFull, convertsColors: decoding.convertsColors,
      cancellation: CallCancellation.check)
  }

  /// Reads and decodes a file as a detector's configuration says, until `cancellation`, or that of the
  /// call of the detector, stops it.
  init(
    contentsOfFile path: String, _ decoding: DecodingConfiguration, isFull: Bool,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    try self.init(
      contentsOfFile: path, limits: decoding.limits, isStrict: decoding.isStrict,
      isFullResolution: isFull, convertsColors: decoding.convertsColors,
      cancellation: CallCancellation.check.or(cancellation))
  }

  /// Decodes a file as
  /// `init(encoded:limits:isStrict:isFullResolution:convertsColors:workers:cancellation:)` does.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public init(
    contentsOfFile path: String, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true, workers: Workers = .serial,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    let bytes = try FileContents.read(path, limit: limits.memory) {
      beginning, byteCount throws(VisionError) in
      do throws(ImageFileError) {
        try ImageFile.check(beginning: beginning, byteCount: byteCount, limits: limits)
      } catch { throw .imageFile(error) }
    }
    try self.init(
      encoded: bytes, limits: limits, isStrict: isStrict, isFullResolution: isFullResolution,
      convertsColors: convertsColors, workers: workers, cancellation: cancellation)
  }

  /// Decodes the file at `url` as
  /// `init(encoded:limits:isStrict:isFullResolution:convertsColors:workers:cancellation:)` does.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public init(
    contentsOf url: URL, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true, workers: Workers = .serial,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    try self.init(
      contentsOfFile: url.pathOfFile, limits: limits, isStrict: isStrict,
      isFullResolution: isFullResolution, convertsColors: convertsColors, workers: workers,
      cancellation: cancellation)
  }

  /// Reads and decodes the file at `url` on a thread of the detectors.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public init(
    contentsOf url: URL, decoding: DecodingConfiguration = .init()
  ) async throws(VisionError) {
    self = try await onDetectorThread { () throws(VisionError) in
      let limit = decoding.timeLimit.map { CancellationCheck.timeLimit(seconds: $0) }
      return try InputImage(
        contentsOfFile: url.pathOfFile, decoding, isFull: decoding.isFullResolution,
        cancellation: limit ?? .never)
    }
  }

  /// The number of stored columns and rows.
  public var size: ImageSize {
    switch content {
    case .packed(let pixels): pixels.size
    case .buffer(let buffer): buffer.size
    case .reduced(let file): file.size
    }
  }

  /// The memory of the stored pixels, or of the file.
  var byteCount: Int {
    switch content {
    case .packed(let pixels): pixels.pixels.count
    case .buffer(let buffer): buffer.byteCount
    case .reduced(let file): file.byteCount
    }
  }

  /// The stored pixels as packed red, green and blue; alpha is ignored. If all pixels of a large file
  /// exceed its memory limit, they are enlarged from the reduced ones.
  public var pixels: RGBImage {
    switch content {
    case .packed(let pixels): pixels
    case .buffer(let buffer): RGBImage(buffer)
    case .reduced(let file): file.pixels
    }
  }

  /// The pixels, rotated and mirrored to be upright.
  public var upright: RGBImage { pixels.upright(from: imageOrientation) }

  /// The upright image for detectors that need all pixels, or not.
  func detectionImage(isFull: Bool = false) -> DetectionImage {
    guard !isFull, case .reduced(let file) = content else { return DetectionImage(upright) }
    return DetectionImage(
      file.image.upright(from: imageOrientation), fullSize: imageOrientation.upright(file.size))
  }
}

/// The earlier name of ``InputImage``.
@available(*, deprecated, renamed: "InputImage")
public typealias Picture = InputImage

#if !canImport(SwiftUI)
  /// A short name on platforms without SwiftUI's `Image`.
  public typealias Image = InputImage
#endif
