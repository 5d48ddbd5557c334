//===--- MLImage.swift - ML Kit's other image type ------------------------===//

public import Foundation

/// The source of an `MLImage`.
public enum MLImageSourceType: Int, Sendable, CaseIterable {
  case image = 0
  case pixelBuffer = 1
  case sampleBuffer = 2
}

/// An image with its size and source.
public final class MLImage: MLKitCompatibleImage {
  private let vision: VisionImage
  private let size: ImageSize
  /// The source of the image.
  public let imageSourceType: MLImageSourceType

  init?(_ result: Result<InputImage, VisionError>, _ source: MLImageSourceType) {
    guard case .success(let image) = result else { return nil }
    vision = VisionImage(result)
    size = image.size
    imageSourceType = source
  }

  /// An image with the pixels of `image`. Its orientation is `.up` unless set.
  public convenience init?(image: InputImage) { self.init(.success(image), .image) }

  /// An image of pixels of any format.
  public convenience init?(pixelBuffer: PixelBuffer) {
    self.init(.success(InputImage(pixelBuffer)), .pixelBuffer)
  }

  /// An image of a camera frame.
  public convenience init?(sampleBuffer: SampleBuffer) {
    self.init(.success(InputImage(sampleBuffer.pixelBuffer)), .sampleBuffer)
  }

  /// The number of stored columns.
  public var width: CGFloat { CGFloat(size.width) }
  /// The number of stored rows.
  public var height: CGFloat { CGFloat(size.height) }

  /// The orientation of the stored pixels.
  public var orientation: VisionImage.Orientation {
    get { vision.orientation }
    set { vision.orientation = newValue }
  }

  /// The image with its current orientation.
  public func image() throws(VisionError) -> InputImage { try vision.image() }
}
