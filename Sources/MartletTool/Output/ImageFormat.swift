//===--- ImageFormat.swift - image files by the ends of their names -------===//
//
// Checked   Tests/MartletToolTests/ImageFormatTests.swift
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine

/// A format in which images are written.
enum ImageFormat: String {
  case png = ".png"
  case jpeg = ".jpg"
  case ppm = ".ppm"

  /// The format that a path's end names, or `nil` if none is written under it.
  init?(path: String) {
    let name = path.lowercased()
    switch name {
    case _ where name.hasSuffix(".png"): self = .png
    case _ where name.hasSuffix(".jpg") || name.hasSuffix(".jpeg"): self = .jpeg
    case _ where name.hasSuffix(".ppm"): self = .ppm
    default: return nil
    }
  }

  /// The file of an image.
  func encoded(_ picture: RGBImage) throws(JPEGError) -> [UInt8] {
    let raster = Raster(
      width: picture.width, height: picture.height, channels: 3, samples: picture.pixels)
    return switch self {
    case .png: PNG.encode(raster)
    case .jpeg: try JPEG.encode(raster)
    case .ppm: PNM.encode(raster)
    }
  }

  private static let readEndings = [
    ".jpg", ".jpeg", ".png", ".bmp", ".ppm", ".pgm", ".pbm", ".pam", ".pnm",
  ]

  /// Whether a file of this name is taken for an image where a whole folder is given.
  static func isRead(_ name: String) -> Bool {
    let name = name.lowercased()
    return readEndings.contains { name.hasSuffix($0) }
  }
}
