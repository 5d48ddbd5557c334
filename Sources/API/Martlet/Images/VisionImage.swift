//===--- VisionImage.swift - an image for a detector ----------------------===//
//
// An image whose orientation can change, as ML Kit's.
//
// Contract  May be used from several tasks: a detector uses the orientation at the time of the call.
//===----------------------------------------------------------------------===//

public import Foundation
import MartletBase
public import MartletCodecs
public import MartletVision

/// An object whose orientation applies to images that refer to it.
package protocol OrientationSource: AnyObject, Sendable {
  /// The orientation of the stored pixels.
  var imageOrientation: ImageOrientation { get }
}

/// An image or camera frame for a detector.
///
/// ```swift
/// let image = try VisionImage(contentsOfFile: "photo.jpg")
/// print(image.orientation, image.warnings)
/// ```
///
/// The `.stream` mode accepts any image, not only camera frames, as ML Kit's first generation does.
public final class VisionImage: MLKitCompatibleImage {
  struct State: Sendable {
    let image: Result<InputImage, VisionError>
    var orientation = ImageOrientation.up
    var source: (any OrientationSource)?
  }

  let state: Mutex<State>

  package init(_ image: Result<InputImage, VisionError>, orientation: ImageOrientation = .up) {
    state = Mutex(State(image: image, orientation: orientation))
  }

  /// An image with the pixels of `image`.
  ///
  /// Its orientation is `.up`, as in ML Kit. Set it to `image.imageOrientation` if that differs.
  public convenience init(image: InputImage) { self.init(.success(image)) }

  /// An image of a camera frame. Set `orientation` to
  /// `imageOrientation(deviceOrientation:cameraPosition:)`.
  public convenience init(buffer: SampleBuffer) {
    self.init(.success(InputImage(buffer.pixelBuffer)))
  }

  /// Decodes a JPEG, PNG, WebP, GIF, TIFF, BMP or PNM file, with the file's orientation.
  ///
  /// A damaged PNG file, or a JPEG file damaged after its first scan starts, is decoded with
  /// `warnings`. A large file is reduced for detectors as described at
  /// `InputImage.init(encoded:limits:isStrict:isFullResolution:convertsColors:workers:cancellation:)`.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - limits: The memory for decoding. Default: 256 MiB.
  ///   - isStrict: Whether damage is an error instead of a warning. Default: `false`.
  ///   - isFullResolution: Whether detectors examine all pixels of a large file. Default: `false`.
  ///   - convertsColors: Whether colors are converted to sRGB if the file has an RGB color profile.
  ///     Default: `true`.
  ///   - cancellation: What stops decoding, for example `.timeLimit(seconds: 5)`. Decoding also stops
  ///     if the current task is canceled.
  /// - Throws: `VisionError.imageFile`, or `.cancelled` if the task was canceled.
  public convenience init(
    encoded bytes: some Sequence<UInt8>, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    let image = try InputImage(
      encoded: bytes, limits: limits, isStrict: isStrict, isFullResolution: isFullResolution,
      convertsColors: convertsColors, cancellation: cancellation)
    self.init(.success(image), orientation: image.imageOrientation)
  }

  /// Decodes a file as `init(encoded:limits:isStrict:isFullResolution:convertsColors:cancellation:)` does.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public convenience init(
    contentsOfFile path: String, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    let image = try InputImage(
      contentsOfFile: path, limits: limits, isStrict: isStrict, isFullResolution: isFullResolution,
      convertsColors: convertsColors, cancellation: cancellation)
    self.init(.success(image), orientation: image.imageOrientation)
  }

  /// Decodes the file at `url` as `init(encoded:limits:isStrict:isFullResolution:convertsColors:cancellation:)`
  /// does. Beyond ML Kit.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public convenience init(
    contentsOf url: URL, limits: ImageLimits = .init(), isStrict: Bool = false,
    isFullResolution: Bool = false, convertsColors: Bool = true,
    cancellation: CancellationCheck = .never
  ) throws(VisionError) {
    try self.init(
      contentsOfFile: url.pathOfFile, limits: limits, isStrict: isStrict,
      isFullResolution: isFullResolution, convertsColors: convertsColors,
      cancellation: cancellation)
  }

  /// Reads and decodes the file at `url` on a thread of the detectors.
  ///
  /// - Throws: `VisionError.file`, `.imageFile` or `.cancelled`.
  public convenience init(
    contentsOf url: URL, decoding: DecodingConfiguration = .init()
  ) async throws(VisionError) {
    let image = try await InputImage(contentsOf: url, decoding: decoding)
    self.init(.success(image), orientation: image.imageOrientation)
  }

  /// Damage in the decoded file, each kind once; empty for an intact file and for other sources.
  public var warnings: [DecodingWarning] {
    (try? state.withLock { $0.image }.get())?.warnings ?? []
  }

  /// What overrides the orientation, if anything.
  package var orientationSource: (any OrientationSource)? {
    get { state.withLock { $0.source } }
    set { state.withLock { $0.source = newValue } }
  }

  /// The image with its current orientation.
  public func image() throws(VisionError) -> InputImage {
    let state = state.withLock { $0 }
    var image = try state.image.get()
    image.imageOrientation = state.source?.imageOrientation ?? state.orientation
    return image
  }
}

#if !canImport(UIKit)
  extension VisionImage {
    /// The type of `orientation`; `UIImage.Orientation` on platforms with UIKit.
    public typealias Orientation = ImageOrientation

    /// The orientation of the stored pixels.
    public var orientation: Orientation {
      get { state.withLock { $0.orientation } }
      set { state.withLock { $0.orientation = newValue } }
    }
  }
#endif
