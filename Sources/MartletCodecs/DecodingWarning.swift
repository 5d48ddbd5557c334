//===--- DecodingWarning.swift - damage that a decoder worked around ------===//
//
// Contract  A warning is the error that a strict decoder throws at the same place. A decoder reports
//           each kind of damage once, so their number does not depend on the file.
// Checked   Tests/MartletCodecsTests, by the suites of JPEG and PNG
//===----------------------------------------------------------------------===//

/// Damage in an image file despite which the image was decoded.
public enum DecodingWarning: Equatable, Sendable {
  /// Damage in a JPEG file.
  case jpeg(JPEGError)
  /// Damage in a PNG file.
  case png(PNGError)
}

extension DecodingWarning: CustomStringConvertible {
  /// The format, the place, what was found and what was expected.
  public var description: String {
    switch self {
    case .jpeg(let error): "JPEG: \(error)"
    case .png(let error): "PNG: \(error)"
    }
  }
}
