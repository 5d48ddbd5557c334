//===--- TIFFSegments.swift - decompression of strips and tiles -----------===//
//
// Contract  Rows that a damaged segment lacks are black, or the first color of the palette. Bytes
//           after the last row are ignored.
// Cost      One copy of a compressed segment for Deflate and JPEG.
// Source    TIFF 6.0 sections 9 and 13; Adobe Photoshop TIFF Technical Notes (Deflate, JPEG)
// Checked   Tests/MartletCodecsTests/TIFFTests.swift
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// Decompresses the segments of an image.
struct TIFFSegments {
  private let bytes: [UInt8]
  private let layout: TIFFLayout
  private let limits: ImageLimits
  private let offsets, counts: [Int]
  private let jpegTables: [UInt8]
  private var lzw = LZWDecoder<HighestBitFirst>(rootBits: 8, isEarly: true)
  /// How many more bytes all segments together may have.
  private var budget: Int
  /// Whether any segment has data.
  private(set) var isAnyDecoded = false

  init(
    _ directory: TIFFDirectory, _ layout: TIFFLayout, _ limits: ImageLimits,
    _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) {
    bytes = directory.bytes
    (self.layout, self.limits) = (layout, limits)
    budget = 4 * bytes.count
    jpegTables = Array(directory.data(.jpegTables))
    if let start = layout.fileOffset {
      (offsets, counts) = ([start], [])
      return
    }
    // Some writers store tiles under the tags of strips.
    let isStrip = try directory.number(.tileOffsets) == nil
    let place: TIFFTag = isStrip ? .stripOffsets : .tileOffsets
    guard let offsets = try directory.numbers(place, limit: layout.segments) else {
      throw .missingTag(place.rawValue)
    }
    let expected = layout.segments
    if offsets.count < expected {
      try damage.report(.missingSegments(count: offsets.count, expected: expected))
    }
    self.offsets = offsets
    let size: TIFFTag = isStrip ? .stripByteCounts : .tileByteCounts
    counts = try directory.numbers(size, limit: layout.segments) ?? []
  }

  /// The number of segments with an offset.
  var count: Int { offsets.count }

  /// The bytes of a segment in the file, which hold `size` bytes of rows. Without compression, the
  /// stated count is ignored, as in Pillow.
  private func range(_ index: Int, size: Int) -> Range<Int> {
    let start = min(offsets[index], bytes.count)
    let rest = bytes.count - start
    if layout.compression == .none { return start..<start + min(size, rest) }
    if index < counts.count, counts[index] > 0 { return start..<start + min(counts[index], rest) }
    let next = index + 1 < offsets.count ? offsets[index + 1] : bytes.count
    return start..<start + (next > start ? min(next - start, rest) : rest)
  }

  /// Decodes segment `index` to `output`, whose size is that of its rows. A segment without an
  /// offset is zeros.
  mutating func decode(
    _ index: Int, to output: inout [UInt8], _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) {
    let range = index < offsets.count ? range(index, size: output.count) : 0..<0
    budget -= range.count
    guard budget >= 0 else { throw .overlappingSegments(segment: index) }
    var data = layout.isReversed && layout.compression != .jpeg ? Self.reversed(bytes[range]) : []
    let isInFile = data.isEmpty
    if isInFile { data = bytes }
    let source = isInFile ? range : data.indices
    let (produced, failure) = decode(data, source, segment: index, to: &output)
    isAnyDecoded = isAnyDecoded || produced > 0
    // Only whole rows count, and missing ones are zeros of the result.
    for place in produced / layout.rowBytes * layout.rowBytes..<output.count {
      output[place] = layout.black(at: place, segment: index)
    }
    if let failure {
      try damage.report(failure)
    } else if produced < output.count {
      try damage.report(
        .missingData(segment: index, count: produced, expected: output.count))
    }
  }

  /// Decodes the bytes in `range`; returns the number of bytes written.
  private mutating func decode(
    _ data: [UInt8], _ range: Range<Int>, segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    switch layout.compression {
    case .none:
      let count = min(range.count, output.count)
      output.replaceSubrange(0..<count, with: data[range.lowerBound..<range.lowerBound + count])
      return (count, nil)
    case .packBits:
      let count = unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe PackBits.decode(data.span, range, to: output)
      }
      return (count, nil)
    case .lzw: return decodeLZW(data, range, segment, to: &output)
    case .deflate: return inflate(data[range], segment, to: &output)
    case .jpeg: return decodeJPEG(data[range], segment, to: &output)
    case .fax(let scheme):
      var decoder = CCITTFax(scheme, width: layout.segmentWidth, data, range)
      return (decoder.decode(to: &output, rowBytes: layout.rowBytes), nil)
    }
  }

  private mutating func decodeLZW(
    _ data: [UInt8], _ range: Range<Int>, _ segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    // Before TIFF 5.0 the lowest bit was the first: the clear code begins with a byte of zeros.
    let isOld =
      range.count > 1 && data[range.lowerBound] == 0 && data[range.lowerBound + 1] & 1 == 1
    let (count, isBad) = unsafe output.withUnsafeMutableBufferPointer { output in
      if isOld {
        var decoder = LZWDecoder<LowestBitFirst>(rootBits: 8)
        let result = unsafe decoder.decode(data.span, range, to: output)
        return (result.count, result.end == .badCode)
      }
      let result = unsafe lzw.decode(data.span, range, to: output)
      return (result.count, result.end == .badCode)
    }
    return (count, isBad ? .badCode(segment: segment, count: count) : nil)
  }

  private func inflate(
    _ data: ArraySlice<UInt8>, _ segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    do throws(InflateError) {
      let inflater = try Inflate(Array(data), count: output.count, isWhole: false)
      var failure: InflateError?
      do throws(InflateError) {
        _ = try inflater.inflate(until: output.count)
        try inflater.end()
      } catch { failure = error }
      let count = inflater.salvage()
      // At least `count` bytes have been produced.
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe output.baseAddress?.update(from: inflater.output, count: count)
      }
      switch failure {
      case .tooLong, .truncated, .tooShort:
        // More rows than needed, no checksum, or missing data, which the caller reports.
        return (count, nil)
      default: return (count, failure.map { .deflate(segment: segment, $0) })
      }
    } catch { return (0, .deflate(segment: segment, error)) }
  }

  /// The tables, without their end marker, precede the segment, without its start marker. A marker
  /// of Adobe states whether colors are transformed.
  private func decodeJPEG(
    _ data: ArraySlice<UInt8>, _ segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    let transform: UInt8 = layout.isYCbCr ? 1 : 0
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xEE, 0, 14]
    file += "Adobe".utf8
    file += [0, 100, 0, 0, 0, 0, transform]
    file += jpegTables.dropFirst(2).dropLast(2)
    file += data.dropFirst(2)
    do throws(JPEGError) {
      let image = try JPEG.decodeFrame(of: file, at: 0, limits: limits, keepsInks: true)
      let raster = image.raster
      guard raster.channels == layout.planeSamples, raster.width == layout.segmentWidth else {
        return (0, .missingData(segment: segment, count: 0, expected: output.count))
      }
      let count = min(raster.samples.count, output.count)
      output.replaceSubrange(0..<count, with: raster.samples.prefix(count))
      return (count, image.damage.map { .jpeg(segment: segment, $0) })
    } catch { return (0, .jpeg(segment: segment, error)) }
  }

  /// Bytes with the order of their bits reversed.
  private static func reversed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { byte in
      let halves: UInt8 = byte << 4 | byte >> 4
      let pairs: UInt8 = (halves & 0x33) << 2 | (halves & 0xCC) >> 2
      return (pairs & 0x55) << 1 | (pairs & 0xAA) >> 1
    }
  }
}
