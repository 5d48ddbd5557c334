//===--- DecodingWarning.swift - damage that was recovered ----------------===//
//
// Contract  A warning is the error that a strict decoder throws at the same place. A decoder
//           reports each kind of damage once, so the number of warnings does not grow with the
//           file. A video reader holds the warnings of one frame at a time.
//===----------------------------------------------------------------------===//

/// Damage in an image file or a video that did not stop the decoder.
@nonexhaustive
public enum DecodingWarning: Equatable, Sendable {
  /// Damage in a JPEG file.
  case jpeg(JPEGError)
  /// Damage in a PNG file.
  case png(PNGError)
  /// Damage in a GIF file.
  case gif(GIFError)
  /// Damage in a TIFF file.
  case tiff(TIFFError)
  /// Damage in a WebP file.
  case webp(WebPError)
  /// Damage in a BMP file.
  case bmp(BMPError)
  /// Damage in a PBM, PGM, PPM or PAM file.
  case pnm(PNMError)
  /// Damage in a video of JPEG images.
  case mjpeg(MJPEGError)
  /// Damage in a YUV4MPEG2 video.
  case y4m(Y4MError)
}

extension DecodingWarning: CustomStringConvertible {
  /// The format, the position, and what was found and expected.
  public var description: String {
    switch self {
    case .jpeg(let error): "JPEG: \(error)"
    case .png(let error): "PNG: \(error)"
    case .gif(let error): "GIF: \(error)"
    case .tiff(let error): "TIFF: \(error)"
    case .webp(let error): "WebP: \(error)"
    case .bmp(let error): "BMP: \(error)"
    case .pnm(let error): "PNM: \(error)"
    case .mjpeg(let error): "MJPEG: \(error)"
    case .y4m(let error): "YUV4MPEG2: \(error)"
    }
  }
}
