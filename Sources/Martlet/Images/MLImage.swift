//===--- MLImage.swift - ML Kit's other image type ------------------------===//
//
// Checked   Tests/MartletTests/VisionImageTests.swift
//===----------------------------------------------------------------------===//

public import Foundation

/// What an `MLImage` was made from.
public enum MLImageSourceType: Int, Sendable, CaseIterable {
  case image = 0
  case pixelBuffer = 1
  case sampleBuffer = 2
}

/// An image with its size and source.
public final class MLImage: MLKitCompatibleImage {
  private let vision: VisionImage
  private let size: ImageSize
  /// What the image was made from.
  public let imageSourceType: MLImageSourceType

  init?(_ picture: Result<Picture, VisionError>, _ source: MLImageSourceType) {
    guard case .success(let image) = picture else { return nil }
    vision = VisionImage(picture)
    size = image.size
    imageSourceType = source
  }

  /// An image with the pixels of `image`; its orientation is `.up` until it is set.
  public convenience init?(image: Picture) { self.init(.success(image), .image) }

  /// An image of pixels of any format.
  public convenience init?(pixelBuffer: PixelBuffer) {
    self.init(.success(Picture(pixelBuffer)), .pixelBuffer)
  }

  /// An image of a camera's frame.
  public convenience init?(sampleBuffer: SampleBuffer) {
    self.init(.success(Picture(sampleBuffer.pixelBuffer)), .sampleBuffer)
  }

  /// Columns as stored.
  public var width: CGFloat { CGFloat(size.width) }
  /// Rows as stored.
  public var height: CGFloat { CGFloat(size.height) }

  /// How the image is to be turned to be seen upright.
  public var orientation: VisionImage.Orientation {
    get { vision.orientation }
    set { vision.orientation = newValue }
  }

  /// The image as it is at this moment.
  public func image() throws(VisionError) -> Picture { try vision.image() }
}
