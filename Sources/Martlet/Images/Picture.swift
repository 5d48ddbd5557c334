//===--- Picture.swift - an image and how it is to be held ----------------===//
//
// What stands where an app on Apple's platforms would hold a `UIImage`: pixels of any format as they
// are stored, and the orientation that makes them upright.
//
// Contract  Pixels are converted when they are requested; making a `Picture` of a buffer copies none.
// Cost      `pixels` of a buffer: one pass. `upright`: another, unless the image is upright already.
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletCodecs

/// An image: its pixels as stored, and how they are to be turned.
public struct Picture: Sendable, Equatable {
  /// What `imageOrientation` is one of.
  public typealias Orientation = ImageOrientation

  private enum Content: Sendable, Equatable {
    case packed(RGBImage)
    case buffer(PixelBuffer)
  }

  private let content: Content
  /// How the stored pixels are to be turned to be seen upright.
  public var imageOrientation: ImageOrientation
  /// Damage in the file from which the image was decoded, each kind once; empty for intact files.
  public let warnings: [DecodingWarning]

  /// An image of packed red, green and blue.
  public init(_ pixels: RGBImage, orientation: ImageOrientation = .up) {
    self.init(pixels, orientation, [])
  }

  private init(
    _ pixels: RGBImage, _ orientation: ImageOrientation, _ warnings: [DecodingWarning]
  ) {
    content = .packed(pixels)
    imageOrientation = orientation
    self.warnings = warnings
  }

  /// An image of pixels of any format: NV12 from a camera, BGRA from a screen, gray, I420.
  public init(_ buffer: PixelBuffer, orientation: ImageOrientation = .up) {
    content = .buffer(buffer)
    imageOrientation = orientation
    warnings = []
  }

  /// The image in the contents of a JPEG, PNG, BMP or PNM file, with the orientation that the
  /// file asks for (EXIF).
  ///
  /// A PNG file, or a JPEG file from its first scan on, is decoded despite damage, with `warnings`.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - limits: How much memory decoding may take: 256 MiB unless set.
  ///   - isStrict: Whether damage is an error instead of a warning; false unless set.
  ///   - workers: Who decodes; the pixels are the same whoever it is.
  /// - Throws: `VisionError.picture`.
  /// - Complexity: Linear in the number of pixels.
  public init(
    encoded bytes: some Sequence<UInt8>, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(VisionError) {
    do throws(ImageFileError) {
      let file = try ImageFile(
        decoding: Array(bytes), limits: limits, isStrict: isStrict, workers: workers)
      self.init(file.image, file.orientation, file.warnings)
    } catch { throw .picture(error) }
  }

  /// The image in a file, as `init(encoded:limits:isStrict:workers:)` reads it.
  ///
  /// - Throws: `VisionError.file` or `.picture`.
  public init(
    contentsOfFile path: String, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(VisionError) {
    let bytes = try FileContents.read(path, limit: limits.memory) {
      beginning, byteCount throws(VisionError) in
      do throws(ImageFileError) {
        try ImageFile.check(beginning: beginning, byteCount: byteCount, limits: limits)
      } catch { throw .picture(error) }
    }
    try self.init(encoded: bytes, limits: limits, isStrict: isStrict, workers: workers)
  }

  /// The image in the file at `url`, as `init(encoded:limits:isStrict:workers:)` reads it.
  ///
  /// - Throws: `VisionError.file` or `.picture`.
  public init(
    contentsOf url: URL, limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(VisionError) {
    try self.init(
      contentsOfFile: url.pathOfFile, limits: limits, isStrict: isStrict, workers: workers)
  }

  /// Columns and rows as stored.
  public var size: ImageSize {
    switch content {
    case .packed(let pixels): pixels.size
    case .buffer(let buffer): buffer.size
    }
  }

  /// The memory that the stored pixels take.
  var byteCount: Int {
    switch content {
    case .packed(let pixels): pixels.pixels.count
    case .buffer(let buffer): buffer.byteCount
    }
  }

  /// The pixels as stored, in packed red, green and blue; alpha is ignored.
  public var pixels: RGBImage {
    switch content {
    case .packed(let pixels): pixels
    case .buffer(let buffer): RGBImage(buffer)
    }
  }

  /// The pixels as they are to be seen.
  public var upright: RGBImage { pixels.upright(from: imageOrientation) }
}

#if !canImport(SwiftUI)
  /// The image's short name where no `Image` of SwiftUI's is.
  public typealias Image = Picture
#endif
