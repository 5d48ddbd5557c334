//===--- JPEGEncoder.swift - writing JPEG images --------------------------===//
//
// samples ▶ YCbCr ▶ blocks of 8 x 8 ▶ cosine transform ▶ quantization ▶ Huffman codes
//
// Contract  Baseline, one scan, no subsampling, the standard's Huffman tables. Uses integers only:
//           the same raster and quality give the same file on every machine. An orientation other
//           than 1 is written as EXIF.
// Cost      Linear in the number of pixels; the file is in memory, and the codes of one row of blocks.
// Source    ITU-T T.81 annexes A, F, K; T.871 (JFIF); quality scale of the Independent JPEG Group
// Checked   Tests/MartletCodecsTests/JPEGEncoderTests.swift
//===----------------------------------------------------------------------===//

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
    encoder.writeHeaders()
    encoder.writeScan()
    return encoder.file
  }
}

/// Encodes one image.
private struct JPEGEncoder {
  private let image: Raster
  /// Gray, or luminance and two chrominance components.
  private let components: [JPEGEncoderComponent]
  private(set) var file: [UInt8] = []

  init(_ image: Raster, quality: Int) {
    self.image = image
    let luminance = JPEGEncoderComponent(
      .luminance, quality: quality, dc: JPEGHuffmanTable.luminanceDC,
      ac: JPEGHuffmanTable.luminanceAC)
    let chrominance = JPEGEncoderComponent(
      .chrominance, quality: quality, dc: JPEGHuffmanTable.chrominanceDC,
      ac: JPEGHuffmanTable.chrominanceAC)
    components = image.channels < 3 ? [luminance] : [luminance, chrominance, chrominance]
  }

  // MARK: Headers

  mutating func writeHeaders() {
    file += [0xFF, JPEGMarker.startOfImage]
    segment(JPEGMarker.application0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    if image.orientation != 1 {
      segment(
        JPEGMarker.application1,
        Array("Exif\0\0".utf8) + EXIF.block(orientation: image.orientation))
    }
    let tables = components.prefix(2)
    for (index, component) in tables.enumerated() {
      let values = JPEGZigzag.natural.map { UInt8(component.divisors[Int($0)]) }
      segment(JPEGMarker.quantizationTables, [UInt8(index)] + values)
    }
    var frame = [8] + bigEndian(image.height) + bigEndian(image.width)
    frame.append(UInt8(components.count))
    var scan = [UInt8(components.count)]
    for index in components.indices {
      let table = UInt8(min(index, 1))
      frame += [UInt8(index + 1), 0x11, table]
      scan += [UInt8(index + 1), table << 4 | table]
    }
    segment(JPEGMarker.baselineFrame, frame)
    for (index, component) in tables.enumerated() {
      segment(JPEGMarker.huffmanTables, [UInt8(index)] + component.dc.definition.bytes)
      segment(JPEGMarker.huffmanTables, [UInt8(0x10 + index)] + component.ac.definition.bytes)
    }
    segment(JPEGMarker.startOfScan, scan + [0, 63, 0])
  }

  private mutating func segment(_ marker: UInt8, _ body: [UInt8]) {
    file += [0xFF, marker] + bigEndian(body.count + 2) + body
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  // MARK: The scan

  mutating func writeScan() {
    var predictions = InlineArray<3, Int32>(repeating: 0)
    var waiting = JPEGWaitingBits()
    let across = (image.width + 7) / 8
    // The last row also ends the scan.
    let room = (across * components.count + 1) * JPEGWaitingBits.largestBlock
    for top in stride(from: 0, to: image.height, by: 8) {
      let isLast = top + 8 >= image.height
      // The writer stays within `room`: it writes no more than that many bytes for each block.
      file += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        var writer = unsafe JPEGBitWriter(start, after: waiting)
        for block in 0..<across {
          unsafe write(left: 8 * block, top: top, &predictions, to: &writer)
        }
        if isLast { unsafe writer.finish() }
        waiting = unsafe writer.waiting
        count = unsafe writer.count
      }
    }
    file += [0xFF, JPEGMarker.endOfImage]
  }

  /// Writes the blocks of all components at a place of the image.
  private func write(
    left: Int, top: Int, _ predictions: inout InlineArray<3, Int32>, to writer: inout JPEGBitWriter
  ) {
    var planes = InlineArray<3, JPEGBlockRows>(repeating: JPEGBlockRows())
    fill(&planes, left: left, top: top)
    for index in components.indices {
      planes[index].transform()
      unsafe components[index].write(&planes[index], &predictions[index], to: &writer)
    }
  }

  /// Fills each component's samples of a block, minus 128. Beyond the image's edge, the last column
  /// and row are repeated.
  @inline(__always)
  private func fill(_ planes: inout InlineArray<3, JPEGBlockRows>, left: Int, top: Int) {
    let (channels, last) = (image.channels, image.width - 1)
    // Rows and columns are clamped to the image, so every index is inside the samples.
    unsafe image.samples.withUnsafeBufferPointer { samples in
      for row in 0..<8 {
        let line = min(top + row, image.height - 1) * image.width
        var (red, green, blue) = (SIMD8<Int32>(), SIMD8<Int32>(), SIMD8<Int32>())
        for column in 0..<8 {
          let pixel = (line &+ min(left &+ column, last)) &* channels
          red[column] = Int32(unsafe samples[pixel])
          guard channels >= 3 else { continue }
          green[column] = Int32(unsafe samples[pixel &+ 1])
          blue[column] = Int32(unsafe samples[pixel &+ 2])
        }
        guard channels >= 3 else {
          planes[0].rows[row] = red &- 128
          continue
        }
        // The factors of T.871 in units of 1/65536, rounded to nearest.
        let half: Int32 = 1 << 15
        let luma = 19_595 &* red &+ 38_470 &* green &+ 7_471 &* blue
        let chromaBlue = half &* blue &- 11_059 &* red &- 21_709 &* green
        let chromaRed = half &* red &- 27_439 &* green &- 5_329 &* blue
        let most = SIMD8<Int32>(repeating: 127)
        planes[0].rows[row] = (luma &+ half) &>> 16 &- 128
        planes[1].rows[row] = pointwiseMin((chromaBlue &+ half) &>> 16, most)
        planes[2].rows[row] = pointwiseMin((chromaRed &+ half) &>> 16, most)
      }
    }
  }
}
