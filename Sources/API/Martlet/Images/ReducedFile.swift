//===--- ReducedFile.swift - a large file reduced for detection -----------===//
//
// Contract  Detectors use the reduced pixels. The full ones are decoded when they are requested.
// Cost      The file's bytes and the reduced pixels stay in memory. Each access to `pixels` decodes.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletVision

/// A file whose image was decoded at a part of its size.
struct ReducedFile: Sendable, Equatable {
  /// The reduced image as stored.
  let image: RGBImage
  /// The size of the full image as stored.
  let size: ImageSize
  private let bytes: [UInt8]
  private let limits: ImageLimits
  private let convertsColors: Bool
  private let workers: Workers

  /// The image of `file`, which was decoded from `bytes`; `nil` if it was not reduced.
  init?(
    _ file: ImageFile, _ bytes: [UInt8], _ limits: ImageLimits, convertsColors: Bool,
    _ workers: Workers
  ) {
    guard file.image.size != file.fullSize else { return nil }
    (image, size) = (file.image, file.fullSize)
    (self.bytes, self.limits, self.workers) = (bytes, limits, workers)
    self.convertsColors = convertsColors
  }

  var byteCount: Int { bytes.count + image.pixels.count }

  /// The full image as stored. If it exceeds the memory limit, the reduced one is enlarged.
  var pixels: RGBImage {
    let file = try? ImageFile(
      decoding: bytes, limits: limits, convertsColors: convertsColors, workers: workers)
    if let file { return file.image }
    let bounds = Box(x: 0, y: 0, width: Float(image.width), height: Float(image.height))
    return (try? image.resized(from: bounds, to: size)) ?? image
  }

  static func == (a: ReducedFile, b: ReducedFile) -> Bool {
    a.bytes == b.bytes && a.convertsColors == b.convertsColors
  }
}
