//===--- TIFFTag.swift - tags and their values ----------------------------===//
//
// Source    TIFF 6.0 section 8 and part 2; Adobe Photoshop TIFF Technical Notes; the tag registry
//           of libtiff for compression schemes
//===----------------------------------------------------------------------===//

/// The tags that decoding needs.
enum TIFFTag: Int {
  case imageWidth = 256
  case imageLength = 257
  case bitsPerSample = 258
  case compression = 259
  case photometricInterpretation = 262
  case fillOrder = 266
  case stripOffsets = 273
  case orientation = 274
  case samplesPerPixel = 277
  case rowsPerStrip = 278
  case stripByteCounts = 279
  case planarConfiguration = 284
  case predictor = 317
  case colorMap = 320
  case tileWidth = 322
  case tileLength = 323
  case tileOffsets = 324
  case tileByteCounts = 325
  case inkSet = 332
  case extraSamples = 338
  case sampleFormat = 339
  case jpegTables = 347
  case yCbCrCoefficients = 529
  case yCbCrSubsampling = 530
  case referenceBlackWhite = 532
  case colorProfile = 34675

  /// The name of a tag in the specification, or its number.
  static func name(_ tag: Int) -> String {
    switch TIFFTag(rawValue: tag) {
    case .imageWidth: "ImageWidth"
    case .imageLength: "ImageLength"
    case .bitsPerSample: "BitsPerSample"
    case .compression: "Compression"
    case .photometricInterpretation: "PhotometricInterpretation"
    case .stripOffsets: "StripOffsets"
    case .samplesPerPixel: "SamplesPerPixel"
    case .rowsPerStrip: "RowsPerStrip"
    case .planarConfiguration: "PlanarConfiguration"
    case .predictor: "Predictor"
    case .colorMap: "ColorMap"
    case .tileWidth: "TileWidth"
    case .tileLength: "TileLength"
    case .tileOffsets: "TileOffsets"
    case .inkSet: "InkSet"
    case .sampleFormat: "SampleFormat"
    case .yCbCrSubsampling: "YCbCrSubSampling"
    default: "tag \(tag)"
    }
  }

  /// The value of a tag, with its meaning if it has a name.
  static func name(of value: Int, _ tag: Int) -> String {
    let name: String? =
      switch (TIFFTag(rawValue: tag), value) {
      case (.compression, 2...4): "fax"
      case (.compression, 6): "old-style JPEG"
      case (.samplesPerPixel, _): "with JPEG"
      case (.compression, 34712): "JPEG 2000"
      case (.compression, 34887): "LERC"
      case (.compression, 34925): "LZMA"
      case (.compression, 50000): "Zstandard"
      case (.compression, 50001): "WebP"
      case (.photometricInterpretation, 4): "transparency mask"
      case (.photometricInterpretation, 8...10): "CIELab"
      case (.photometricInterpretation, 32803): "color filter array"
      case (.photometricInterpretation, 34892): "linear raw"
      case (.predictor, 3), (.sampleFormat, 3): "floating point"
      case (.sampleFormat, 2): "signed"
      case (.sampleFormat, 5...6): "complex"
      default: nil
      }
    return name.map { "\(value) (\($0))" } ?? "\(value)"
  }
}
