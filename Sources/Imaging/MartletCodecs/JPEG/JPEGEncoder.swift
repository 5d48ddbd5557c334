//===--- JPEGEncoder.swift - writing JPEG images --------------------------===//
//
// samples ▶ YCbCr ▶ blocks of 8 x 8 ▶ cosine transform ▶ quantization ▶ Huffman codes
// Microkernels convert rows of pixels and transform groups of blocks.
//
// Contract  Baseline, one scan, no subsampling, the standard's Huffman tables. Uses integers only:
//           the same raster and quality give the same file on every machine. An orientation other
//           than 1 is written as EXIF.
// Cost      Linear in the number of pixels; the file is in memory, and the samples and codes of one row
//           of blocks.
// Source    ITU-T T.81 annexes A, F, K; T.871 (JFIF); quality scale of the Independent JPEG Group
//===----------------------------------------------------------------------===//

import MartletBase

extension JPEG {
  /// The maximum side of a JPEG file in pixels.
  static let longestSide = 65_535

  /// Encodes an image as JPEG. Alpha is dropped.
  ///
  /// - Parameters:
  ///   - image: An image with one to four channels.
  ///   - quality: The quality, 1 to 100; other values are clamped.
  /// - Throws: `JPEGError.sideTooLong` if a side exceeds 65,535 pixels.
  /// - Complexity: Linear in the number of pixels.
  public static func encode(
    _ image: Raster, quality: Int = 90
  ) throws(JPEGError) -> [UInt8] {
    guard max(image.width, image.height) <= longestSide else {
      throw .sideTooLong(width: image.width, height: image.height, limit: longestSide)
    }
    var encoder = JPEGEncoder(image, quality: min(max(quality, 1), 100))
    encoder.writeScan()
    return encoder.file
  }
}

/// Encodes one image.
private struct JPEGEncoder {
  private let image: Raster
  /// Gray, or luminance and two chrominance components.
  private let components: [JPEGEncoderComponent]
  private(set) var file: [UInt8]

  init(_ image: Raster, quality: Int) {
    self.image = image
    let order = JPEGColumnOrder()
    let luminance = JPEGEncoderComponent(
      .luminance, JPEGStandardDivisors.luminance.scaled(toQuality: quality), order: order)
    let chrominance = JPEGEncoderComponent(
      .chrominance, JPEGStandardDivisors.chrominance.scaled(toQuality: quality), order: order)
    components = image.channels < 3 ? [luminance] : [luminance, chrominance, chrominance]
    file =
      JPEGEncoderHeaders(
        width: image.width, height: image.height, orientation: image.orientation,
        components: components
      ).bytes
  }

  mutating func writeScan() {
    let planes = JPEGPlanes(image, components: components.count)
    var predictions = SIMD4<Int32>.zero
    var waiting = JPEGWaitingBits()
    // The last row also ends the scan.
    let room = (planes.across * components.count + 1) * JPEGWaitingBits.largestBlock
    let codes = Arena(byteCount: room)
    // The writer stays within `room`: it writes no more than that many bytes for each block.
    let start = unsafe codes.base.assumingMemoryBound(to: UInt8.self)
    for top in stride(from: 0, to: image.height, by: 8) {
      planes.fill(image, top: top)
      var writer = unsafe JPEGBitWriter(start, after: waiting)
      unsafe writeRow(planes, &predictions, to: &writer)
      if top + 8 >= image.height { unsafe writer.finish() }
      waiting = unsafe writer.waiting
      unsafe file += UnsafeBufferPointer(start: start, count: writer.count)
    }
    file += [0xFF, JPEGMarker.endOfImage]
  }

  /// Writes a row of blocks: those of all components at a place, then those of the next place.
  private func writeRow(
    _ planes: JPEGPlanes, _ predictions: inout SIMD4<Int32>, to writer: inout JPEGBitWriter
  ) {
    // A local copy, which stays in registers.
    var local = unsafe writer
    defer { unsafe writer = unsafe local }
    let luminance = unsafe components[0].encoder
    let chrominance = unsafe components[components.count - 1].encoder
    for first in stride(from: 0, to: planes.across, by: JPEGPlanes.groupSize) {
      let count = min(JPEGPlanes.groupSize, planes.across - first)
      for (index, component) in components.enumerated() {
        planes.transform(index, first, count, component)
      }
      let (y, cb, cr) = unsafe (planes.block(0, 0), planes.block(1, 0), planes.block(2, 0))
      for block in 0..<count {
        unsafe luminance.write(y + 64 &* block, &predictions[0], to: &local)
        guard components.count > 1 else { continue }
        unsafe chrominance.write(cb + 64 &* block, &predictions[1], to: &local)
        unsafe chrominance.write(cr + 64 &* block, &predictions[2], to: &local)
      }
    }
  }
}
