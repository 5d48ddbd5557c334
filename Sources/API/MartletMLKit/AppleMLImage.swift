//===--- AppleMLImage.swift - ML Kit's images of Apple's frameworks -------===//

#if canImport(CoreVideo)
  public import CoreVideo

  extension MLImage {
    /// The pixels of a Core Video buffer, or `nil` for an unsupported format.
    public convenience init?(pixelBuffer: CVPixelBuffer) {
      self.init(
        Result { () throws(VisionError) in try InputImage(pixelBuffer) }, .pixelBuffer)
    }
  }
#endif

#if canImport(CoreMedia)
  public import CoreMedia

  extension MLImage {
    /// An image of a camera frame, or `nil` if it has no readable pixels.
    public convenience init?(sampleBuffer: CMSampleBuffer) {
      self.init(Result { () throws(VisionError) in try InputImage(sampleBuffer) }, .sampleBuffer)
    }
  }
#endif

#if canImport(UIKit)
  public import UIKit

  extension MLImage {
    /// An image with the pixels of `image`, or `nil` if it has no `cgImage`.
    public convenience init?(image: UIImage) {
      self.init(Result { () throws(VisionError) in try InputImage(image) }, .image)
    }
  }
#endif
