//===--- DecodingWarning.swift - damage that a decoder worked around ------===//
//
// Contract  A warning is the error that a strict decoder throws at the same place. A decoder reports
//           each kind of damage once, so their number does not depend on the file. A reader of a
//           video holds the warnings of one frame at a time.
// Checked   Tests/MartletCodecsTests, by the suites of JPEG, PNG and MJPEG
//===----------------------------------------------------------------------===//

/// Damage in an image file or a video despite which it was decoded.
public enum DecodingWarning: Equatable, Sendable {
  /// Damage in a JPEG file.
  case jpeg(JPEGError)
  /// Damage in a PNG file.
  case png(PNGError)
  /// Damage in a video of JPEG images.
  case mjpeg(MJPEGError)
  /// Damage in a YUV4MPEG2 video.
  case y4m(Y4MError)
}

extension DecodingWarning: CustomStringConvertible {
  /// The format, the place, what was found and what was expected.
  public var description: String {
    switch self {
    case .jpeg(let error): "JPEG: \(error)"
    case .png(let error): "PNG: \(error)"
    case .mjpeg(let error): "MJPEG: \(error)"
    case .y4m(let error): "YUV4MPEG2: \(error)"
    }
  }
}
