//===--- ImageFormat.swift - image formats by file extension --------------===//

import MartletCodecs
import MartletCommandLine

/// An output format for images.
enum ImageFormat: String {
  case png = ".png"
  case jpeg = ".jpg"
  case ppm = ".ppm"

  /// The format for a path's extension, or `nil` if no format has it.
  init?(path: FilePath) {
    if path.hasEnding(".png") {
      self = .png
    } else if path.hasEnding(".jpg") || path.hasEnding(".jpeg") {
      self = .jpeg
    } else if path.hasEnding(".ppm") {
      self = .ppm
    } else {
      return nil
    }
  }

  /// Encodes an image.
  func encoded(_ image: RGBImage) throws(JPEGError) -> [UInt8] {
    let raster = Raster(
      width: image.width, height: image.height, channels: 3, samples: image.pixels)
    return switch self {
    case .png: PNG.encode(raster)
    case .jpeg: try JPEG.encode(raster)
    case .ppm: PNM.encode(raster)
    }
  }

  private static let readEndings = [
    ".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".ppm",
    ".pgm",
    ".pbm", ".pam",
    ".pnm",
  ]

  /// Whether a file with this name in an input folder is read as an image.
  static func isRead(_ name: FilePath) -> Bool { readEndings.contains(where: name.hasEnding) }
}
