//===--- DecodingWarning.swift - damage that was recovered ----------------===//
//
// Contract  A warning is the error that a strict decoder throws at the same place. A decoder
//           reports each kind of damage once, so the number of warnings does not grow with the
//           file. A video reader holds the warnings of one frame at a time.
// Checked   Tests/MartletCodecsTests, by the suites of JPEG, PNG, WebP and MJPEG
//===----------------------------------------------------------------------===//

/// Damage in an image file or a video that did not stop the decoder.
@nonexhaustive
public enum DecodingWarning: Equatable, Sendable {
  /// Damage in a JPEG file.
  case jpeg(JPEGError)
  /// Damage in a PNG file.
  case png(PNGError)
  #if !arch(wasm32)
    /// Damage in a WebP file.
    case webp(WebPError)
  #endif
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
    #if !arch(wasm32)
      case .webp(let error): "WebP: \(error)"
    #endif
    case .mjpeg(let error): "MJPEG: \(error)"
    case .y4m(let error): "YUV4MPEG2: \(error)"
    }
  }
}
