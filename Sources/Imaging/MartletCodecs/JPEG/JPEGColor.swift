//===--- JPEGColor.swift - color model of an image ------------------------===//
//
// Source    ITU-T T.871 (JFIF); Adobe Technical Note 5116 (the APP14 marker)
//===----------------------------------------------------------------------===//

/// The color model of a frame's components.
enum JPEGColor {
  case gray, yCbCr, rgb, cmyk, yCbCrK
  /// Two or four components that are not converted.
  case pair, inks

  /// The model of `count` components, 1 to 4, in a format that states whether they are YCbCr.
  init(count: Int, isYCbCr: Bool) {
    switch count {
    case 1: self = .gray
    case 2: self = .pair
    case 3: self = isYCbCr ? .yCbCr : .rgb
    default: self = .inks
    }
  }

  /// Determines the model from the markers or, without any, from the components' identifiers.
  init(_ frame: JPEGFrame, hasJFIF: Bool, adobeTransform: UInt8?) {
    let identifiers = frame.specifications.map { $0.identifier }
    switch (identifiers.count, adobeTransform) {
    case (1, _): self = .gray
    case (4, nil), (4, 0): self = .cmyk
    case (4, _): self = .yCbCrK
    case (_, 0) where !hasJFIF: self = .rgb
    case (_, nil) where !hasJFIF && identifiers == [0x52, 0x47, 0x42]:
      self = .rgb
    default: self = .yCbCr
    }
  }

  /// The number of channels of the decoded image.
  var channels: Int {
    switch self {
    case .gray: 1
    case .pair: 2
    case .inks: 4
    default: 3
    }
  }
}
