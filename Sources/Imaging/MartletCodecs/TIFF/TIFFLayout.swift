//===--- TIFFLayout.swift - what the tags of an image mean ----------------===//
//
// An image is stored in segments: strips, which have the width of the image, or tiles, which all
// have the same size. With separate planes, each sample of a pixel has its own segments.
//
// Contract  Values that libtiff corrects are corrected: a BitsPerSample for all samples, missing
//           SamplesPerPixel and StripByteCounts.
// Source    TIFF 6.0 sections 3 to 8, 14 to 16 and 18 to 20; Adobe Photoshop TIFF Technical Notes
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageSize

/// The layout of the pixels of an image.
struct TIFFLayout {
  /// The compression schemes that are supported.
  enum Compression: Equatable {
    case none, packBits, lzw, deflate, jpeg
  }

  /// The color models that are supported.
  enum Color {
    case gray, invertedGray, rgb, palette, cmyk, yCbCr

    /// The number of samples of a color.
    var samples: Int {
      switch self {
      case .gray, .invertedGray, .palette: 1
      case .rgb, .yCbCr: 3
      case .cmyk: 4
      }
    }
  }

  /// The meaning of the first extra sample.
  enum Alpha {
    case none, straight, premultiplied
  }

  let width, height, bits, samples: Int
  var size: ImageSize { ImageSize(width: width, height: height) }
  let compression: Compression
  let color: Color
  /// Whether JPEG data are converted from YCbCr, whatever their markers say.
  let isYCbCr: Bool
  /// The columns and rows of pixels that share their chroma in data that are not JPEG. Such a unit is
  /// stored as the luma of all pixels, then both samples of chroma.
  let unit: (width: Int, height: Int)
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

  init(_ directory: TIFFDirectory, _ damage: inout Damage<TIFFError>) throws(TIFFError) {
    width = try Self.require(.imageWidth, directory)
    height = try Self.require(.imageLength, directory)
    guard Limits.allow(width: width, height: height) else {
      throw .badSize(width: width, height: height)
    }
    compression = try Self.compression(directory)
    let count = try directory.number(.samplesPerPixel) ?? 1
    isPlanar = try directory.number(.planarConfiguration) == 2 && count > 1
    let model = try Self.color(directory, isJPEG: compression == .jpeg, &damage)
    isYCbCr = model.isYCbCr
    (bits, samples) = try Self.samples(
      directory, model.color, isJPEG: compression == .jpeg, isPlanar: isPlanar)
    // Like Pillow, floating-point numbers are never inverted.
    color = bits == 32 ? .gray : model.color
    alpha = try Self.alpha(directory, color, samples: samples)
    unit = color == .yCbCr ? try Self.unit(directory, isPlanar: isPlanar) : (1, 1)
    isPredicted = try Self.isPredicted(directory, compression, bits: bits)
    guard !isPredicted || unit == (1, 1) else {
      throw .unsupported(tag: TIFFTag.predictor.rawValue, value: 2)
    }
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
      let isTooWide = isTiled && Limits.allow(width: 1, height: segmentHeight)
      let tag: TIFFTag = isTooWide ? .tileWidth : isTiled ? .tileLength : .rowsPerStrip
      throw .badTag(tag.rawValue, value: isTooWide ? segmentWidth : segmentHeight)
    }
    palette = color == .palette ? try Self.palette(directory, bits: bits) : []
    let stored = try directory.number(.orientation) ?? 1
    orientation = (1...8).contains(stored) ? stored : 1
    // Where `Int` has 32 bits, a segment may have more bytes than that.
    let (rowBits, overflow) = (segmentWidth + 4).multipliedReportingOverflow(by: samples * bits)
    guard !overflow, !(rowBits / 8 + 1).multipliedReportingOverflow(by: bandHeight + 4).overflow
    else { throw .badSize(width: segmentWidth, height: segmentHeight) }
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
  /// The number of bytes of a unit: one pixel, or several that share their chroma.
  private var unitBytes: Int { unit.width * unit.height + 2 }
  /// The number of bytes of a row of units of a segment.
  var rowBytes: Int {
    guard unit == (1, 1) else { return (segmentWidth + unit.width - 1) / unit.width * unitBytes }
    return (segmentWidth * planeSamples * bits + 7) / 8
  }

  /// The number of bytes of `count` rows of a segment.
  func byteCount(rows count: Int) -> Int {
    (count + unit.height - 1) / unit.height * rowBytes
  }

  /// Fills the bytes of a segment from `start` on, the beginning of a row, with black.
  func fillBlack(_ segment: inout [UInt8], from start: Int, segment index: Int) {
    if color == .yCbCr, !isPlanar {
      for place in start..<segment.count {
        segment[place] = place % rowBytes % unitBytes < unitBytes - 2 ? 0 : 128
      }
      return
    }
    let isChroma = color == .yCbCr && index >= columns * rows
    let black: UInt8 = color == .invertedGray ? 255 : isChroma ? 128 : 0
    unsafe segment.withUnsafeMutableBufferPointer { bytes in
      unsafe bytes[start...].update(repeating: black)
    }
  }

  /// The number of bytes of the image's rows in all planes, without the rest of its tiles.
  var storedBytes: Int64 {
    let units = Int64((width + unit.width - 1) / unit.width)
    let bits = unit == (1, 1) ? Int64(samples * bits) : Int64(8 * unitBytes)
    return (units * bits + 7) / 8 * Int64((height + unit.height - 1) / unit.height)
  }

  /// The number of segments in all planes.
  var segments: Int { columns * rows * planes }

  /// The memory of a segment in all planes, of one that is inflated, of rows, and of two numbers for
  /// each segment. JPEG data take more.
  var workingBytes: Int64 {
    let segment = Int64(byteCount(rows: bandHeight))
    return segment * Int64(planes) + (compression == .deflate ? segment : 0)
      + Int64(2 * rowBytes + segmentWidth * samples) + 16 * Int64(segments)
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

  private static func compression(
    _ directory: TIFFDirectory
  ) throws(TIFFError) -> Compression {
    switch try directory.number(.compression) ?? 1 {
    case 1: return .none
    case 5: return .lzw
    case 7: return .jpeg
    case 8, 32946: return .deflate
    case 32773: return .packBits
    case let value: throw .unsupported(tag: TIFFTag.compression.rawValue, value: value)
    }
  }

  private static func color(
    _ directory: TIFFDirectory, isJPEG: Bool, _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) -> (color: Color, isYCbCr: Bool) {
    let tag = TIFFTag.photometricInterpretation
    guard let interpretation = try directory.number(tag) else {
      try damage.report(.missingTag(tag.rawValue))
      // As in FFmpeg: the usual meaning of the samples.
      if try directory.number(.samplesPerPixel) ?? 1 > 2 { return (.rgb, isJPEG) }
      return (try directory.number(.colorMap) == nil ? .gray : .palette, false)
    }
    switch interpretation {
    case 0: return (.invertedGray, false)
    case 1: return (.gray, false)
    case 2: return (.rgb, false)
    case 3: return (.palette, false)
    case 5:
      let inks = try directory.number(.inkSet) ?? 1
      guard inks == 1 else { throw .unsupported(tag: TIFFTag.inkSet.rawValue, value: inks) }
      return (.cmyk, false)
    case 6 where isJPEG: return (try directory.number(.samplesPerPixel) == 1 ? .gray : .rgb, true)
    case 6: return (.yCbCr, false)
    case let value:
      throw .unsupported(tag: TIFFTag.photometricInterpretation.rawValue, value: value)
    }
  }

  private static func samples(
    _ directory: TIFFDirectory, _ color: Color, isJPEG: Bool, isPlanar: Bool
  ) throws(TIFFError) -> (bits: Int, samples: Int) {
    let depths = try directory.numbers(.bitsPerSample) ?? [isJPEG ? 8 : 1]
    let samples = try directory.number(.samplesPerPixel) ?? (isJPEG ? color.samples : 1)
    guard samples >= color.samples, samples <= 32 else {
      throw .badTag(TIFFTag.samplesPerPixel.rawValue, value: samples)
    }
    guard !isJPEG || isPlanar || samples <= 4 else {
      throw .unsupported(tag: TIFFTag.samplesPerPixel.rawValue, value: samples)
    }
    let formats = try directory.numbers(.sampleFormat) ?? []
    let isFloat = formats == [3] && samples == 1 && color != .palette && !isJPEG
    let bits = depths.first ?? 0
    let allowed =
      switch color {
      case .palette: 1...8
      case .yCbCr: 8...8
      default: isFloat ? 32...32 : isJPEG ? 8...8 : 1...16
      }
    guard allowed.contains(bits), depths.prefix(samples).allSatisfy({ $0 == bits }) else {
      throw .unsupported(tag: TIFFTag.bitsPerSample.rawValue, value: bits)
    }
    // The bits of signed integers are read as those of unsigned ones, as in Pillow.
    for format in formats
    where format != 1 && format != 4 && (format != 2 || bits > 8 && bits != 16) && !isFloat {
      throw .unsupported(tag: TIFFTag.sampleFormat.rawValue, value: format)
    }
    return (bits, samples)
  }

  /// The pixels that share their chroma.
  private static func unit(
    _ directory: TIFFDirectory, isPlanar: Bool
  ) throws(TIFFError) -> (width: Int, height: Int) {
    let factors = try directory.numbers(.yCbCrSubsampling) ?? []
    let unit = factors.count > 1 ? (factors[0], factors[1]) : (2, 2)
    let allowed = isPlanar ? [1] : [1, 2, 4]
    guard allowed.contains(unit.0), allowed.contains(unit.1) else {
      throw .unsupported(
        tag: TIFFTag.yCbCrSubsampling.rawValue, value: allowed.contains(unit.0) ? unit.1 : unit.0)
    }
    return unit
  }

  private static func alpha(
    _ directory: TIFFDirectory, _ color: Color, samples: Int
  ) throws(TIFFError) -> Alpha {
    guard [.gray, .invertedGray, .rgb].contains(color), samples > color.samples else {
      return .none
    }
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
