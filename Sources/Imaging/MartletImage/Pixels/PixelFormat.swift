//===--- PixelFormat.swift - pixel formats in memory ----------------------===//
//
// Contract  Names give the order of bytes in memory, first byte first. Planes are numbered as the
//           format stores them: luma, then chroma. Chroma planes of 4:2:0 formats have half the
//           columns and rows, rounded up.
//===----------------------------------------------------------------------===//

/// The byte values of luma and chroma for black, white and full color.
public enum LumaRange: Equatable, Hashable, Sendable, CaseIterable {
  /// Luma 16...235, chroma 16...240: cameras and broadcast video.
  case video
  /// All of 0...255: JPEG.
  case full
}

/// The order of channels and planes of 8-bit pixels.
public enum PixelFormat: Equatable, Hashable, Sendable {
  /// Red, green, blue.
  case rgb
  /// Blue, green, red.
  case bgr
  /// Red, green, blue, alpha.
  case rgba
  /// Blue, green, red, alpha: `kCVPixelFormatType_32BGRA`.
  case bgra
  /// Alpha, red, green, blue.
  case argb
  /// One byte of brightness.
  case gray
  /// A luma plane, then one of interleaved Cb, Cr: `420YpCbCr8BiPlanar`.
  case nv12(LumaRange)
  /// A luma plane, then one of interleaved Cr, Cb.
  case nv21(LumaRange)
  /// Planes of luma, Cb and Cr.
  case i420(LumaRange)

  /// The number of planes, 1 to 3.
  public var planeCount: Int {
    switch self {
    case .rgb, .bgr, .rgba, .bgra, .argb, .gray: 1
    case .nv12, .nv21: 2
    case .i420: 3
    }
  }

  /// The number of bytes in a row of `plane`, without padding, in an image `width` pixels wide.
  public func bytesPerRow(ofPlane plane: Int, width: Int) -> Int {
    switch self {
    case .rgb, .bgr: width * 3
    case .rgba, .bgra, .argb: width * 4
    case .gray: width
    case .nv12, .nv21: plane == 0 ? width : (width + 1) / 2 * 2
    case .i420: plane == 0 ? width : (width + 1) / 2
    }
  }

  /// The number of rows of `plane` in an image `height` pixels high.
  public func rowCount(ofPlane plane: Int, height: Int) -> Int {
    plane == 0 ? height : (height + 1) / 2
  }
}
