//===--- TIFF.swift - reading TIFF images ---------------------------------===//
//
// directory (TIFFDirectory) ▶ layout (TIFFLayout) ▶ strips and tiles (TIFFSegments) ▶ samples
// (TIFFSamples)
//
// Contract  The first image of classic TIFF and BigTIFF files: gray, RGB, palette and CMYK of 1 to
//           16 bits, YCbCr of 8, gray floating-point numbers of 32, in one or several planes, not
//           compressed or with PackBits, LZW, Deflate or JPEG (compression 7). Other kinds are
//           rejected with a command that converts them. Samples are those of Pillow and libtiff;
//           grays of 16 bits, which Pillow does not scale, keep the high byte. Missing rows are black
//           or the first color, with a warning.
//           An image that is reduced equals the full one, averaged (RowReducer).
// Cost      The samples and one segment are in memory at once; of a reduced image in tiles, also a full
//           row of them.
// Source    TIFF 6.0 (Adobe, 1992)
//===----------------------------------------------------------------------===//

import MartletBase
public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits

/// The decoder of TIFF images.
public enum TIFF {
  /// Decodes the first image of a TIFF file.
  ///
  /// Gray images have one channel, all others three; alpha adds one. CMYK is converted to RGB
  /// without a color profile.
  ///
  /// With `minimumSide`, a large image is reduced by averaging squares of 2, 4 or 8 pixels a side:
  /// the largest squares that leave at least that many columns and rows.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage is an error. If not, missing rows are black or the
  ///     first color of the palette, and the raster has a warning.
  ///   - minimumSide: The least number of columns and rows of a reduced image; `nil` to decode the
  ///     full size.
  ///   - workers: Their check can stop the decoder, which uses one thread.
  /// - Throws: ``TIFFError`` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws(TIFFError) -> Raster {
    try decode(
      bytes,
      DecodingOptions(bytes, limits, isStrict: isStrict, minimumSide: minimumSide, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(TIFFError) -> Raster {
    var damage = Damage<TIFFError>(isStrict: options.isStrict)
    let directory = try TIFFDirectory(bytes, &damage)
    let layout = try TIFFLayout(directory, &damage)
    let factor = RowReducer.factor(of: layout.size, minimumSide: options.minimumSide)
    let size = RowReducer.size(layout.size, factor: factor)
    let channels = layout.channels
    let band = factor > 1 && layout.isTiled ? layout.width * layout.bandHeight * channels : 0
    let copies =
      (layout.isReversed ? bytes.count : 0)
      + (layout.compression == .deflate ? min(bytes.count, Inflate.inputBytes) : 0)
    let reduction = RowReducer.workingBytes(layout.size, channels: channels, factor: factor)
    var limits = options.limits
    // JPEG data get the rest of the memory.
    limits.fileByteCount = Int(
      try Limits.check(
        width: size.width, height: size.height, channels: channels,
        working: layout.workingBytes + Int64(band + reduction) + Int64(copies), limits,
        TIFFError.memory))
    let work = options.work
    work.allow(samples: Int64(size.pixelCount) * Int64(channels))
    work.allow(samples: layout.storedBytes)
    var segments = try TIFFSegments(directory, layout, limits, work, &damage)
    let reducer =
      factor > 1 ? RowReducer(layout.size, channels: channels, factor: factor) : nil
    let converter = TIFFSamples(layout, directory)
    let samples = try samples(layout, converter, &segments, reducer, work, &damage)
    guard segments.isAnyDecoded else { throw .missingData(segment: 0, count: 0, expected: 1) }
    var raster = Raster(
      width: size.width, height: size.height, channels: channels, samples: samples,
      orientation: layout.orientation, warnings: damage.warnings)
    raster.fullSize = layout.size
    let profile = directory.data(.colorProfile)
    raster.colorProfile = profile.isEmpty ? nil : Array(profile)
    return raster
  }

  /// The work of a row of a segment, beside its samples.
  private static let rowSteps = 128

  private static func samples(
    _ layout: TIFFLayout, _ converter: TIFFSamples, _ segments: inout TIFFSegments,
    _ reducer: RowReducer?, _ work: DecodingWork, _ damage: inout Damage<TIFFError>
  ) throws(TIFFError) -> [UInt8] {
    let (width, channels) = (layout.width, layout.channels)
    let rowBytes = width * channels
    // Of a reduced image, only a row of pixels or of tiles is kept.
    let lines = reducer == nil ? layout.height : layout.isTiled ? layout.bandHeight : 1
    var samples = [UInt8](repeating: 0, count: lines * rowBytes)
    var converter = converter
    var planes = [[UInt8]](repeating: [], count: layout.planes)
    let count = min(layout.columns * layout.rows, segments.count)
    for index in 0..<count {
      let x = index % layout.columns * layout.segmentWidth
      let y = index / layout.columns * layout.segmentHeight
      let height = min(layout.segmentHeight, layout.height - y)
      // Rows of a tile below the image are not decoded.
      let size = layout.byteCount(rows: height)
      for plane in 0..<layout.planes {
        if planes[plane].count != size {
          try work.charge(size, TIFFError.stopped)
          planes[plane] = [UInt8](repeating: 0, count: size)
        }
        let segment = plane * layout.columns * layout.rows + index
        try segments.decode(segment, to: &planes[plane], &damage)
      }
      let columns = min(layout.segmentWidth, width - x)
      let isLast = index == count - 1
      for line in 0..<height {
        try work.charge(Self.rowSteps + columns * channels, TIFFError.stopped)
        let row = (y + line) % lines * rowBytes
        var pixels = samples.mutableSpan
        converter.convert(
          planes, line: line, count: columns, to: &pixels, row + x * channels)
        guard let reducer, x + columns == width || isLast else { continue }
        // Tiles after the last one are missing.
        for place in row + (x + columns) * channels..<row + rowBytes { samples[place] = 0 }
        reducer.add(samples.span.extracting(row..<row + rowBytes))
      }
    }
    reducer?.finish()
    return reducer?.samples ?? samples
  }
}

extension ImageCodec {
  static let tiff = ImageCodec(
    name: "TIFF",
    matches: {
      // A Canon raw image begins like TIFF, but its TIFF image is a preview.
      ($0.starts(with: "II".utf8) || $0.starts(with: "MM".utf8))
        && !$0.dropFirst(8).starts(with: "CR".utf8)
    },
    error: ImageFileError.tiff, decode: TIFF.decode(_:_:))
}
