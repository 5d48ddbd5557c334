//===--- PNGHeader.swift - the IHDR chunk ---------------------------------===//
//
// Source    PNG (third edition) section 11.2.1
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageSize

/// The contents of the IHDR chunk.
struct PNGHeader {
  /// The meaning of a pixel's samples.
  enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    /// The number of samples per pixel in the file.
    var samples: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// Whether the standard allows samples of this many bits.
    func allows(bitDepth: UInt8) -> Bool {
      switch self {
      case .gray: [1, 2, 4, 8, 16].contains(bitDepth)
      case .palette: [1, 2, 4, 8].contains(bitDepth)
      case .rgb, .grayAlpha, .rgba: [8, 16].contains(bitDepth)
      }
    }
  }

  let width: Int
  let height: Int
  var size: ImageSize { ImageSize(width: width, height: height) }
  let bitDepth: Int
  let colorType: ColorType
  /// 0 for none, 1 for Adam7; other values are unknown and handled as Adam7.
  let interlaceMethod: UInt8

  /// The size of the chunk's content in bytes.
  static let byteCount = 13

  /// Parses the chunk whose content begins at `offset`, all inside `bytes`.
  init(_ bytes: [UInt8], at offset: Int) throws(PNGError) {
    let width = bytes.uint32(at: offset, .big) ?? 0
    let height = bytes.uint32(at: offset + 4, .big) ?? 0
    guard let columns = Int(exactly: width), let rows = Int(exactly: height),
      Limits.allow(width: columns, height: rows)
    else { throw .badSize(width: width, height: height) }
    let (bitDepth, color) = (bytes[offset + 8], bytes[offset + 9])
    guard let colorType = ColorType(rawValue: color), colorType.allows(bitDepth: bitDepth) else {
      throw .badFormat(colorType: color, bitDepth: bitDepth)
    }
    let (compression, filter) = (bytes[offset + 10], bytes[offset + 11])
    let interlace = bytes[offset + 12]
    guard compression == 0, filter == 0 else {
      throw .unknownMethod(compression: compression, filter: filter, interlace: interlace)
    }
    (self.width, self.height) = (columns, rows)
    (self.bitDepth, self.colorType) = (Int(bitDepth), colorType)
    interlaceMethod = interlace
  }

  var isInterlaced: Bool { interlaceMethod != 0 }

  /// The error if the interlace method is not in the standard; otherwise `nil`.
  var unknownInterlace: PNGError? {
    interlaceMethod > 1
      ? .unknownMethod(compression: 0, filter: 0, interlace: interlaceMethod) : nil
  }

  /// The number of bits of a pixel.
  var bitsPerPixel: Int { bitDepth * colorType.samples }

  /// The number of bytes of a row of `width` pixels, without its filter type.
  func rowBytes(width: Int) -> Int {
    // The number of bits may not fit into 32 bits.
    width / 8 * bitsPerPixel + (width % 8 * bitsPerPixel + 7) / 8
  }
}
