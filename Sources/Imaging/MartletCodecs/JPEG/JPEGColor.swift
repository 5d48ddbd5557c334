//===--- JPEGColor.swift - color model of an image ------------------------===//
//
// Source    ITU-T T.871 (JFIF); Adobe Technical Note 5116 (the APP14 marker)
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// The color model of a frame's components.
enum JPEGColor {
  case gray, yCbCr, rgb, cmyk, yCbCrK
  /// Four components that are not converted.
  case inks

  /// Determines the model from the markers or, without any, from the components' identifiers. If
  /// `keepsInks`, four components are not converted.
  init(_ frame: JPEGFrame, hasJFIF: Bool, adobeTransform: UInt8?, keepsInks: Bool) {
    let identifiers = frame.specifications.map { $0.identifier }
    switch (identifiers.count, adobeTransform) {
    case (1, _): self = .gray
    case (4, _) where keepsInks: self = .inks
    case (4, nil), (4, 0): self = .cmyk
    case (4, _): self = .yCbCrK
    case (_, 0) where !hasJFIF: self = .rgb
    case (_, nil) where !hasJFIF && (frame.isLossless || identifiers == [0x52, 0x47, 0x42]):
      self = .rgb
    default: self = .yCbCr
    }
  }

  /// The number of channels of the decoded image.
  var channels: Int { self == .gray ? 1 : self == .inks ? 4 : 3 }
}
