//===--- VisionImage.swift - an image on its way to a detector ------------===//
//
// ML Kit's own image type, in both of its generations: `orientation` is the later one's, `metadata`
// the earlier one's.
//
// Contract  `metadata`, where it is set, says how the image is to be turned; else `orientation`
//           does, `.up` unless it is set. May be used from several tasks: a detector takes the
//           orientation that holds when it is called.
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

public import Foundation
public import MartletCodecs
import Synchronization

/// An image or camera frame for a detector to look at.
///
/// Not only camera frames will do for `.stream`, as in ML Kit's earlier generation: any image does.
public final class VisionImage: MLKitCompatibleImage {
  struct State: Sendable {
    let picture: Result<Picture, VisionError>
    var orientation = ImageOrientation.up
    var metadata: VisionImageMetadata?
  }

  let state: Mutex<State>

  init(_ picture: Result<Picture, VisionError>, orientation: ImageOrientation = .up) {
    state = Mutex(State(picture: picture, orientation: orientation))
  }

  /// An image with the pixels of `image`.
  ///
  /// Its orientation is `.up`, as in ML Kit, whatever that of `image`: set it to
  /// `image.imageOrientation`.
  public convenience init(image: Picture) { self.init(.success(image)) }

  /// An image of a camera's frame. Set its orientation to how the device is held:
  /// `imageOrientation(deviceOrientation:cameraPosition:)`.
  public convenience init(buffer: SampleBuffer) { self.init(.success(Picture(buffer.pixelBuffer))) }

  /// The image in the contents of a JPEG, PNG, BMP or PNM file, with the file's orientation.
  ///
  /// A PNG file, or a JPEG file from its first scan on, is decoded despite damage, with `warnings`.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - limits: How much memory decoding may take: 256 MiB unless set.
  ///   - isStrict: Whether damage is an error instead of a warning; false unless set.
  /// - Throws: `VisionError.picture`.
  public convenience init(
    encoded bytes: some Sequence<UInt8>, limits: ImageLimits = .init(), isStrict: Bool = false
  ) throws(VisionError) {
    let image = try Picture(encoded: bytes, limits: limits, isStrict: isStrict)
    self.init(.success(image), orientation: image.imageOrientation)
  }

  /// The image in a file, as `init(encoded:limits:isStrict:)` reads it.
  ///
  /// - Throws: `VisionError.file` or `.picture`.
  public convenience init(
    contentsOfFile path: String, limits: ImageLimits = .init(), isStrict: Bool = false
  ) throws(VisionError) {
    let image = try Picture(contentsOfFile: path, limits: limits, isStrict: isStrict)
    self.init(.success(image), orientation: image.imageOrientation)
  }

  /// The image in the file at `url`, as `init(encoded:limits:isStrict:)` reads it. Beyond ML Kit.
  ///
  /// - Throws: `VisionError.file` or `.picture`.
  public convenience init(
    contentsOf url: URL, limits: ImageLimits = .init(), isStrict: Bool = false
  ) throws(VisionError) {
    try self.init(contentsOfFile: url.pathOfFile, limits: limits, isStrict: isStrict)
  }

  /// Damage in the file from which the image was decoded, each kind once; empty for intact files
  /// and for images that come from no file.
  public var warnings: [DecodingWarning] {
    (try? state.withLock { $0.picture }.get())?.warnings ?? []
  }

  /// The image as it is at this moment.
  public func image() throws(VisionError) -> Picture {
    let state = state.withLock { $0 }
    var image = try state.picture.get()
    image.imageOrientation = state.metadata?.orientation.imageOrientation ?? state.orientation
    return image
  }
}

#if !canImport(UIKit)
  extension VisionImage {
    /// What orientations are of: `UIImage.Orientation` where there is UIKit.
    public typealias Orientation = ImageOrientation

    /// How the image is to be turned to be seen upright.
    public var orientation: Orientation {
      get { state.withLock { $0.orientation } }
      set { state.withLock { $0.orientation = newValue } }
    }
  }
#endif
