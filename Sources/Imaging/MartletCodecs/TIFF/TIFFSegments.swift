//===--- TIFFSegments.swift - decompression of strips and tiles -----------===//
//
// Contract  Rows that a damaged segment lacks are black, or the first color of the palette. Bytes
//           after the last row are ignored.
// Cost      One copy of a segment of JPEG data. Segments may share bytes; all of their work counts.
// Source    TIFF 6.0 sections 9 and 13; Adobe Photoshop TIFF Technical Notes (Deflate, JPEG)
//===----------------------------------------------------------------------===//

import MartletBase
import struct MartletImage.ImageLimits

/// Decompresses the segments of an image.
struct TIFFSegments {
  /// The work of a segment, and that of an image of JPEG data, beside its bytes.
  private static let segmentSteps = 1 << 10
  private static let jpegSteps = 1 << 12

  private let bytes: [UInt8]
  private let layout: TIFFLayout
  private let limits: ImageLimits
  private let work: DecodingWork
  private let offsets, counts: [Int]
  private let jpegTables: JPEGTables
  private var lzw = LZWDecoder<HighestBitFirst>(rootBits: 8, isEarly: true)
  /// Whether any segment has data.
  private(set) var isAnyDecoded = false

  init(
    _ directory: TIFFDirectory, _ layout: TIFFLayout, _ limits: ImageLimits, _ work: DecodingWork,
    _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) {
    bytes = directory.bytes
    (self.layout, self.limits, self.work) = (layout, limits, work)
    jpegTables = try Self.tables(directory, layout, &damage)
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

  /// The tables before all segments of JPEG data.
  private static func tables(
    _ directory: TIFFDirectory, _ layout: TIFFLayout, _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) -> JPEGTables {
    let data = Array(directory.data(.jpegTables))
    guard layout.compression == .jpeg, !data.isEmpty else { return JPEGTables() }
    do throws(JPEGError) { return try JPEGTables(data) } catch {
      try damage.report(.jpeg(segment: 0, error))
      return JPEGTables()
    }
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
    try work.charge(Self.segmentSteps + range.count + output.count, TIFFError.stopped)
    var data = layout.isReversed && layout.compression != .jpeg ? Self.reversed(bytes[range]) : []
    let isInFile = data.isEmpty
    if isInFile { data = bytes }
    let source = isInFile ? range : data.indices
    let (produced, failure) = decode(data, source, segment: index, to: &output)
    try work.check(TIFFError.stopped)
    if case .jpeg(_, .memory(let excess)) = failure { throw .memory(excess) }
    isAnyDecoded = isAnyDecoded || produced > 0
    // Only whole rows count, and missing ones are zeros of the result.
    layout.fillBlack(&output, from: produced / layout.rowBytes * layout.rowBytes, segment: index)
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
    case .deflate: return inflate(data, range, segment, to: &output)
    case .jpeg: return decodeJPEG(data[range], segment, to: &output)
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
        let result = unsafe decoder.decode(data.span, range, to: output, work)
        return (result.count, result.end == .badCode)
      }
      let result = unsafe lzw.decode(data.span, range, to: output, work)
      return (result.count, result.end == .badCode)
    }
    return (count, isBad ? .badCode(segment: segment, count: count) : nil)
  }

  private func inflate(
    _ data: [UInt8], _ range: Range<Int>, _ segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    do throws(InflateError) {
      let inflater = try Inflate(
        data, [range], count: output.count, isWhole: false, capacity: output.count, work)
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

  /// The colors are those of the tags, whatever the markers say.
  private func decodeJPEG(
    _ data: ArraySlice<UInt8>, _ segment: Int, to output: inout [UInt8]
  ) -> (count: Int, failure: TIFFError?) {
    guard work.charge(Self.jpegSteps) else { return (0, nil) }
    var limits = limits
    limits.fileByteCount += data.count
    var decoder = JPEGDecoder(
      Array(data), start: 0, limits: limits, tables: jpegTables, isYCbCr: layout.isYCbCr,
      work: work)
    do throws(JPEGError) {
      let (frame, color) = try decoder.readHeader()
      // The last strip may be as high as the others, as in libtiff.
      guard frame.width == layout.segmentWidth, frame.height <= layout.segmentHeight,
        color.channels == layout.planeSamples
      else {
        let size = (frame.width, frame.height, color.channels)
        return (
          0, .badSegmentSize(segment: segment, width: size.0, height: size.1, samples: size.2)
        )
      }
      let image = try decoder.image(frame, color)
      let count = min(image.raster.samples.count, output.count)
      output.replaceSubrange(0..<count, with: image.raster.samples.prefix(count))
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
