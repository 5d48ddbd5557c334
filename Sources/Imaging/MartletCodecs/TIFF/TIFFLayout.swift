//===--- TIFFLayout.swift - what the tags of an image mean ----------------===//
//
// An image is stored in segments: strips, which have the width of the image, or tiles, which all
// have the same size. With separate planes, each sample of a pixel has its own segments.
//
// Contract  Values that libtiff corrects are corrected: a BitsPerSample for all samples, missing
//           SamplesPerPixel and StripByteCounts.
// Source    TIFF 6.0 sections 3 to 8, 14 to 16 and 18 to 20; Adobe Photoshop TIFF Technical Notes
// Checked   Tests/MartletCodecsTests/TIFFTests.swift
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageSize

/// The layout of the pixels of an image.
struct TIFFLayout {
  /// The compression schemes that are supported.
  enum Compression: Equatable {
    case none, packBits, lzw, deflate, jpeg
    case fax(CCITTFax.Scheme)
  }

  /// The color models that are supported.
  enum Color {
    case gray, invertedGray, rgb, palette, cmyk
  }

  /// The meaning of the first extra sample.
  enum Alpha {
    case none, straight, premultiplied
  }

  let width, height, bits, samples: Int
  var size: ImageSize { ImageSize(width: width, height: height) }
  let compression: Compression
  let color: Color
  /// Whether JPEG data are converted from YCbCr.
  let isYCbCr: Bool
  let alpha: Alpha
  let isPlanar: Bool
  /// Whether samples are differences from the pixel to the left.
  let isPredicted: Bool
  /// Whether the first bit of a byte is its lowest.
  let isReversed: Bool
  let isTiled: Bool
  let segmentWidth, segmentHeight: Int
  /// The high bytes of red, green and blue of each color.
  let palette: [UInt8]
  let orientation: Int

  init(_ directory: TIFFDirectory) throws(TIFFError) {
    width = try Self.require(.imageWidth, directory)
    height = try Self.require(.imageLength, directory)
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: width, height: height)
    }
    compression = try Self.compression(directory)
    (color, isYCbCr) = try Self.color(directory, isJPEG: compression == .jpeg)
    (bits, samples) = try Self.samples(directory, color, isJPEG: compression == .jpeg)
    if case .fax = compression, bits * samples != 1 {
      throw .unsupported(tag: TIFFTag.bitsPerSample.rawValue, value: bits * samples)
    }
    alpha = try Self.alpha(directory, color, samples: samples)
    isPlanar = try directory.number(.planarConfiguration) == 2 && samples > 1
    isPredicted = try Self.isPredicted(directory, compression, bits: bits)
    isReversed = try directory.number(.fillOrder) == 2
    isTiled = try directory.number(.tileWidth) != nil
    if isTiled {
      segmentWidth = try Self.require(.tileWidth, directory)
      segmentHeight = try Self.require(.tileLength, directory)
    } else {
      segmentWidth = width
      segmentHeight = min(try directory.number(.rowsPerStrip) ?? height, height)
    }
    guard Limits.allow(width: segmentWidth, height: segmentHeight) else {
      throw .badTag((isTiled ? TIFFTag.tileWidth : .rowsPerStrip).rawValue, value: segmentHeight)
    }
    palette = color == .palette ? try Self.palette(directory, bits: bits) : []
    let stored = try directory.number(.orientation) ?? 1
    orientation = (1...8).contains(stored) ? stored : 1
  }

  /// The number of segments in a row of them.
  var columns: Int { (width + segmentWidth - 1) / segmentWidth }
  /// The number of segments in a column of them.
  var rows: Int { (height + segmentHeight - 1) / segmentHeight }
  /// The number of rows of the image in a row of segments.
  var bandHeight: Int { min(segmentHeight, height) }
  /// The number of planes.
  var planes: Int { isPlanar ? samples : 1 }
  /// The number of samples of a pixel in a plane.
  var planeSamples: Int { isPlanar ? 1 : samples }
  /// The number of bytes of a row of a segment.
  var rowBytes: Int { (segmentWidth * planeSamples * bits + 7) / 8 }

  /// The number of segments in all planes.
  var segments: Int { columns * rows * planes }

  /// The memory of a segment in all planes, which some decoders keep twice, of rows, and of two
  /// numbers for each segment.
  var workingBytes: Int64 {
    let copies: Int64 = compression == .deflate || compression == .jpeg ? 2 : 1
    return copies * Int64(rowBytes * planes) * Int64(segmentHeight)
      + Int64(2 * rowBytes + segmentWidth * samples) + Int64(16 * segments)
  }

  /// The number of samples of a pixel of the result.
  var channels: Int {
    let colors = color == .gray || color == .invertedGray ? 1 : 3
    return colors + (alpha == .none ? 0 : 1)
  }

  private static func require(
    _ tag: TIFFTag, _ directory: TIFFDirectory
  ) throws(TIFFError) -> Int {
    guard let value = try directory.number(tag) else { throw .missingTag(tag.rawValue) }
    return value
  }

  private static func compression(_ directory: TIFFDirectory) throws(TIFFError) -> Compression {
    switch try directory.number(.compression) ?? 1 {
    case 1: return .none
    case 2: return .fax(.huffman)
    case 3: return .fax(.group3(isMixed: (try directory.number(.t4Options) ?? 0) & 1 == 1))
    case 4: return .fax(.group4)
    case 5: return .lzw
    case 7: return .jpeg
    case 8, 32946: return .deflate
    case 32773: return .packBits
    case let value: throw .unsupported(tag: TIFFTag.compression.rawValue, value: value)
    }
  }

  private static func color(
    _ directory: TIFFDirectory, isJPEG: Bool
  ) throws(TIFFError) -> (color: Color, isYCbCr: Bool) {
    // A missing interpretation counts as 0, as in Pillow.
    switch try directory.number(.photometricInterpretation) ?? 0 {
    case 0: return (.invertedGray, false)
    case 1: return (.gray, false)
    case 2: return (.rgb, false)
    case 3: return (.palette, false)
    case 5:
      let inks = try directory.number(.inkSet) ?? 1
      guard inks == 1 else { throw .unsupported(tag: TIFFTag.inkSet.rawValue, value: inks) }
      return (.cmyk, false)
    case 6 where isJPEG: return (try directory.number(.samplesPerPixel) == 1 ? .gray : .rgb, true)
    case let value:
      throw .unsupported(tag: TIFFTag.photometricInterpretation.rawValue, value: value)
    }
  }

  private static func samples(
    _ directory: TIFFDirectory, _ color: Color, isJPEG: Bool
  ) throws(TIFFError) -> (bits: Int, samples: Int) {
    let depths = try directory.numbers(.bitsPerSample) ?? [1]
    let colors = color == .rgb ? 3 : color == .cmyk ? 4 : 1
    let samples = try directory.number(.samplesPerPixel) ?? (isJPEG ? colors : 1)
    guard samples >= colors, samples <= 32 else {
      throw .badTag(TIFFTag.samplesPerPixel.rawValue, value: samples)
    }
    // The JPEG decoder returns four components as RGB.
    guard !isJPEG || samples <= 3 else {
      throw .unsupported(tag: TIFFTag.samplesPerPixel.rawValue, value: samples)
    }
    guard let bits = depths.first, (1...16).contains(bits), color != .palette || bits <= 8,
      !isJPEG || bits == 8, depths.prefix(samples).allSatisfy({ $0 == bits })
    else {
      throw .unsupported(tag: TIFFTag.bitsPerSample.rawValue, value: depths.first ?? 0)
    }
    for format in try directory.numbers(.sampleFormat) ?? []
    where format != 1 && format != 4 && (format != 2 || bits > 8) {
      throw .unsupported(tag: TIFFTag.sampleFormat.rawValue, value: format)
    }
    return (bits, samples)
  }

  private static func alpha(
    _ directory: TIFFDirectory, _ color: Color, samples: Int
  ) throws(TIFFError) -> Alpha {
    guard color != .palette, color != .cmyk, samples > (color == .rgb ? 3 : 1) else { return .none }
    // Four samples of RGB without the tag have alpha, as in Pillow; 999 is Corel's.
    switch try directory.number(.extraSamples) ?? (color == .rgb && samples == 4 ? 2 : 0) {
    case 1: return .premultiplied
    case 2, 999: return .straight
    default: return .none
    }
  }

  private static func isPredicted(
    _ directory: TIFFDirectory, _ compression: Compression, bits: Int
  ) throws(TIFFError) -> Bool {
    guard compression == .lzw || compression == .deflate,
      let predictor = try directory.number(.predictor), predictor != 1
    else { return false }
    guard predictor == 2, bits == 8 || bits == 16 else {
      throw .unsupported(tag: TIFFTag.predictor.rawValue, value: predictor)
    }
    return true
  }

  /// The map has all reds, then all greens, then all blues.
  private static func palette(_ directory: TIFFDirectory, bits: Int) throws(TIFFError) -> [UInt8] {
    guard let map = try directory.numbers(.colorMap) else {
      throw .missingTag(TIFFTag.colorMap.rawValue)
    }
    let count = 1 << bits
    return (0..<count).flatMap { index in
      (0..<3).map { channel in
        let place = channel * (map.count / 3) + index
        return index < map.count / 3 ? UInt8(truncatingIfNeeded: map[place] >> 8) : 0
      }
    }
  }
}
