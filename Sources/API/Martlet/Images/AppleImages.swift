//===--- AppleImages.swift - images of Apple's frameworks -----------------===//
//
// `UIImage`, `CGImage`, `CVPixelBuffer` and `CMSampleBuffer` are copied when an image is created,
// so that a camera can reuse its buffers immediately.
//
// Contract  Supports 32BGRA and 420YpCbCr8BiPlanar in both ranges, as ML Kit does, and also 32RGBA,
//           32ARGB, 24RGB, 24BGR and OneComponent8. Other formats throw an error when the image is
//           used.
// Cost      One pass over the pixels.
//===----------------------------------------------------------------------===//

#if canImport(CoreVideo)
  public import CoreVideo

  extension PixelFormat {
    /// The format with Core Video's code, or `nil` if it is not supported.
    init?(coreVideo code: OSType) {
      switch code {
      case kCVPixelFormatType_32BGRA: self = .bgra
      case kCVPixelFormatType_32RGBA: self = .rgba
      case kCVPixelFormatType_32ARGB: self = .argb
      case kCVPixelFormatType_24RGB: self = .rgb
      case kCVPixelFormatType_24BGR: self = .bgr
      case kCVPixelFormatType_OneComponent8: self = .gray
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: self = .nv12(.full)
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: self = .nv12(.video)
      default: return nil
      }
    }
  }

  extension InputImage {
    /// The pixels of a Core Video buffer.
    ///
    /// - Throws: `VisionError.pixelFormat` for an unsupported format.
    public init(_ buffer: CVPixelBuffer, orientation: ImageOrientation = .up) throws(VisionError) {
      let code = CVPixelBufferGetPixelFormatType(buffer)
      guard let format = PixelFormat(coreVideo: code) else { throw .pixelFormat(code: code) }
      guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else {
        throw .noPixels
      }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      var planes: [PixelView.Plane] = []
      for index in 0..<format.planeCount {
        planes.append(try InputImage.plane(index, of: buffer))
      }
      let size = ImageSize(
        width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
      do throws(ImageError) {
        let view = try PixelView(size: size, format: format, planes: planes)
        self.init(RGBImage(view), orientation: orientation)
      } catch { throw .image(error) }
    }

    /// A plane of a locked buffer. Its memory is valid while the buffer is locked; Core Video
    /// provides the number of rows and the bytes per row.
    private static func plane(
      _ index: Int, of buffer: CVPixelBuffer
    ) throws(VisionError) -> PixelView.Plane {
      let isPlanar = CVPixelBufferIsPlanar(buffer)
      let start =
        unsafe isPlanar
        ? CVPixelBufferGetBaseAddressOfPlane(buffer, index) : CVPixelBufferGetBaseAddress(buffer)
      guard let start = unsafe start else { throw .noPixels }
      let rowBytes =
        isPlanar
        ? CVPixelBufferGetBytesPerRowOfPlane(buffer, index) : CVPixelBufferGetBytesPerRow(buffer)
      let rows =
        isPlanar ? CVPixelBufferGetHeightOfPlane(buffer, index) : CVPixelBufferGetHeight(buffer)
      return unsafe PixelView.Plane(
        bytes: UnsafeRawBufferPointer(start: start, count: rowBytes * rows), bytesPerRow: rowBytes)
    }
  }
#endif

#if canImport(CoreMedia)
  public import CoreMedia

  extension InputImage {
    /// The pixels of a camera frame.
    ///
    /// - Throws: `VisionError.noPixels` or `.pixelFormat`.
    public init(_ buffer: CMSampleBuffer, orientation: ImageOrientation = .up) throws(VisionError) {
      guard let pixels = CMSampleBufferGetImageBuffer(buffer) else { throw .noPixels }
      try self.init(pixels, orientation: orientation)
    }
  }

  extension VisionImage {
    /// An image of a camera frame. Set `orientation` to match the device.
    public convenience init(buffer: CMSampleBuffer) {
      self.init(Result { () throws(VisionError) in try InputImage(buffer) })
    }
  }
#endif

#if canImport(CoreGraphics) && canImport(CoreVideo)
  public import CoreGraphics

  extension InputImage {
    /// The pixels of a bitmap, drawn in sRGB on black.
    ///
    /// - Throws: `VisionError.noPixels` if it cannot be drawn.
    public init(_ image: CGImage, orientation: ImageOrientation = .up) throws(VisionError) {
      let (width, height) = (image.width, image.height)
      var bytes = [UInt8](repeating: 0, count: width * height * 4)
      // The context is released before `bytes`, which holds all rows it draws into.
      let isDrawn = unsafe bytes.withUnsafeMutableBytes { memory in
        guard let space = CGColorSpace(name: CGColorSpace.sRGB),
          let context = unsafe CGContext(
            data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8,
            bytesPerRow: width * 4, space: space,
            bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
        else { return false }
        context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
      guard isDrawn else { throw .noPixels }
      do throws(ImageError) {
        let buffer = try PixelBuffer(width: width, height: height, format: .rgba, bytes: bytes)
        self.init(buffer, orientation: orientation)
      } catch { throw .image(error) }
    }
  }

  extension VisionImage {
    /// An image with the pixels of a bitmap.
    public convenience init(image: CGImage) {
      self.init(Result { () throws(VisionError) in try InputImage(image) })
    }
  }
#endif

#if canImport(UIKit)
  public import UIKit

  extension ImageOrientation {
    /// The orientation with UIKit's name.
    public init(_ orientation: UIImage.Orientation) {
      switch orientation {
      case .up: self = .up
      case .upMirrored: self = .upMirrored
      case .down: self = .down
      case .downMirrored: self = .downMirrored
      case .leftMirrored: self = .leftMirrored
      case .right: self = .right
      case .rightMirrored: self = .rightMirrored
      case .left: self = .left
      @unknown default: self = .up
      }
    }
  }

  extension UIImage.Orientation {
    /// The orientation with the same name.
    public init(_ orientation: ImageOrientation) {
      switch orientation {
      case .up: self = .up
      case .upMirrored: self = .upMirrored
      case .down: self = .down
      case .downMirrored: self = .downMirrored
      case .leftMirrored: self = .leftMirrored
      case .right: self = .right
      case .rightMirrored: self = .rightMirrored
      case .left: self = .left
      }
    }
  }

  extension InputImage {
    /// A `UIImage` with its orientation; it must have a `cgImage`.
    ///
    /// - Throws: `VisionError.noPixels`.
    public init(_ image: UIImage) throws(VisionError) {
      guard let bitmap = image.cgImage else { throw .noPixels }
      try self.init(bitmap, orientation: ImageOrientation(image.imageOrientation))
    }
  }

  extension VisionImage {
    /// The type of `orientation`.
    public typealias Orientation = UIImage.Orientation

    /// The orientation of the stored pixels.
    public var orientation: Orientation {
      get { UIImage.Orientation(state.withLock { $0.orientation }) }
      set { state.withLock { $0.orientation = ImageOrientation(newValue) } }
    }

    /// An image with the pixels of `image`, which must have a `cgImage`. Its orientation is `.up`
    /// unless set.
    public convenience init(image: UIImage) {
      self.init(Result { () throws(VisionError) in try InputImage(image) })
    }
  }
#endif

#if canImport(UIKit) && canImport(AVFoundation)
  public import AVFoundation

  /// The orientation of camera frames for a device orientation and a camera.
  public func imageOrientation(
    deviceOrientation: UIDeviceOrientation, cameraPosition: AVCaptureDevice.Position
  ) -> UIImage.Orientation {
    UIImage.Orientation(
      imageOrientation(
        deviceOrientation: DeviceOrientation(rawValue: deviceOrientation.rawValue) ?? .unknown,
        cameraPosition: cameraPosition == .front ? .front : .back))
  }
#endif
