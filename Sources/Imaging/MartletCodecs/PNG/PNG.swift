//===--- PNG.swift - reading PNG images -----------------------------------===//
//
// chunks ▶ inflate (Inflate) ▶ undo the row filters (PNGRestorer, PNGFilter) ▶ samples
//
// Contract  Every color type, bit depth and interlacing of the standard. Samples are exact; of
//           16-bit samples only the high byte is kept. Gamma and color profiles are not applied. Of
//           an animation, the still image is read.
//           An image that is reduced equals the full one, averaged (RowReducer).
// Cost      In memory: the samples, about a mebibyte and a few rows; `ImageLimits.memory` limits
//           them. An interlaced image is reduced after it was decoded. Each band is restored while the
//           next one is inflated.
// Source    PNG (third edition), W3C
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits

/// The PNG codec.
///
/// ```swift
/// let raster = try PNG.decode(bytes, isStrict: true)
/// try Data(PNG.encode(raster)).write(to: URL(filePath: "copy.png"))
/// ```
public enum PNG {
  /// Decodes a PNG file.
  ///
  /// Gray images have one channel, images with a palette three; an alpha channel or transparent
  /// colors add one. Of samples of 16 bits, the high 8 bits are kept.
  ///
  /// Damage that the decoder recovers from becomes a warning of the raster. Missing rows at the end
  /// are zeros: black, or the first color of the palette.
  ///
  /// With `minimumSide`, a large image is reduced by averaging squares of 2, 4 or 8 pixels a side:
  /// the largest squares that leave at least that many columns and rows.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage is an error.
  ///   - minimumSide: The least number of columns and rows of a reduced image; `nil` to decode the
  ///     full size.
  ///   - workers: The decoder's threads, which do not affect the samples. Their check can stop it.
  /// - Throws: `PNGError` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    minimumSide: Int? = nil, workers: Workers = .serial
  ) throws(PNGError) -> Raster {
    try decode(
      bytes,
      DecodingOptions(bytes, limits, isStrict: isStrict, minimumSide: minimumSide, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(PNGError) -> Raster {
    var damage = PNGDamage(isStrict: options.isStrict)
    let chunks = try PNGChunks(bytes, options.work, &damage)
    let reader = PNGSamples(chunks)
    let factor = RowReducer.factor(of: chunks.header.size, minimumSide: options.minimumSide)
    let samples = try samples(of: chunks, reader, factor: factor, options, &damage)
    let size = RowReducer.size(chunks.header.size, factor: factor)
    var raster = Raster(
      width: size.width, height: size.height, channels: reader.channels, samples: samples,
      orientation: chunks.orientation, warnings: damage.warnings)
    raster.fullSize = chunks.header.size
    raster.colorProfile = chunks.colorProfile(options.work)
    try options.work.check(PNGError.stopped)
    return raster
  }

  /// Decodes like `decode`, but strictly and at the file's bit depth: 16-bit samples are two bytes,
  /// the high one first.
  package static func decodeExactly(
    _ bytes: [UInt8]
  ) throws(PNGError) -> (samples: [UInt8], channels: Int) {
    let options = DecodingOptions(bytes, .init(), isStrict: true, .serial)
    var damage = PNGDamage(isStrict: true)
    let chunks = try PNGChunks(bytes, options.work, &damage)
    let reader = PNGSamples(chunks, isExact: true)
    return (try samples(of: chunks, reader, factor: 1, options, &damage), reader.channels)
  }

  /// The number of bytes that are inflated while those before them are restored.
  private static let bandBytes = 1 << 17

  /// The bytes that are inflated in one step at most.
  private static let stepBytes = bandBytes + Inflate.overrun

  /// The samples of the image reduced by `factor`, 1 for all of them.
  private static func samples(
    of chunks: PNGChunks, _ reader: PNGSamples, factor: Int, _ options: DecodingOptions,
    _ damage: inout PNGDamage
  ) throws(PNGError) -> [UInt8] {
    let header = chunks.header
    let count = PNGRestorer.filteredCount(header)
    // Two steps may not be restored, and neither may the beginning of a row. Half of the output is
    // dropped at a time.
    let row = header.rowBytes(width: header.width)
    let capacity = min(count, 4 * (2 * stepBytes + row))
    let channels = reader.pixelBytes
    // An interlaced image is reduced after it was decoded.
    let rowFactor = header.isInterlaced ? 1 : factor
    let size = RowReducer.size(header.size, factor: rowFactor)
    let working =
      capacity + 3 * row + min(chunks.file.count, Inflate.inputBytes)
      + RowReducer.workingBytes(header.size, channels: channels, factor: factor)
    try Limits.check(
      width: size.width, height: size.height, channels: channels, working: Int64(working),
      options.limits, PNGError.memory)
    let work = options.work
    work.allow(samples: Int64(count))
    work.allow(samples: Int64(header.width) * Int64(header.height) * Int64(channels))
    let inflater: Inflate
    do throws(InflateError) {
      inflater = try Inflate(
        chunks.file, chunks.imageData, count: count, isWhole: damage.isStrict,
        capacity: capacity, work)
    } catch { throw .imageData(error) }
    let reducer =
      rowFactor > 1 ? RowReducer(header.size, channels: channels, factor: factor) : nil
    var failure: PNGError?
    let sampleCount = header.width * (reducer == nil ? header.height : 1) * channels
    // The restorer's memory is that of its image. Without an error it has written all samples.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: sampleCount) { samples, written in
      guard let base = samples.baseAddress else { return }
      var restorer = unsafe PNGRestorer(
        header, reader, from: inflater.output, to: base, reducer)
      do throws(PNGError) {
        try restore(with: &restorer, while: inflater, work, &damage)
        written = reducer == nil ? sampleCount : 0
      } catch { failure = error }
    }
    if let failure { throw failure }
    if let reducer { return reducer.samples }
    return RowReducer.reduced(samples, of: header.size, channels: channels, by: factor)
  }

  /// Restores each band while the next one is inflated.
  private static func restore(
    with restorer: inout PNGRestorer, while inflater: Inflate, _ work: DecodingWork,
    _ damage: inout PNGDamage
  ) throws(PNGError) {
    var inflation: InflateError?
    var (done, isEnded) = (0, false)
    while !isEnded {
      let ready = done
      work.workers.perform(2) { part in
        if part == 0 {
          do throws(InflateError) {
            if ready < inflater.count {
              done = try inflater.inflate(until: ready + bandBytes)
            } else {
              try inflater.end()
            }
          } catch { inflation = error }
        } else {
          restorer.restore(until: ready)
        }
      }
      isEnded = ready == inflater.count || inflation != nil
      if !isEnded { done -= restorer.drop(from: inflater, room: stepBytes) }
    }
    try work.check(PNGError.stopped)
    if let inflation { try complete(&restorer, inflater, inflation, &damage) }
    if let badFilter = restorer.badFilter { try damage.report(badFilter) }
  }

  /// Continues after inflation stopped with `error`, if all data are present, or if they end early
  /// after at least one row.
  private static func complete(
    _ restorer: inout PNGRestorer, _ inflater: Inflate, _ error: InflateError,
    _ damage: inout PNGDamage
  ) throws(PNGError) {
    try damage.report(.imageData(error))
    let produced = inflater.salvage()
    guard produced == inflater.count || error.isEarlyEnd else { throw .imageData(error) }
    restorer.restore(until: produced)
    guard !restorer.isAtStart else { throw .imageData(error) }
    restorer.complete()
  }
}

extension ImageCodec {
  static let png = ImageCodec(
    name: "PNG", matches: { $0[0] == 0x89 && $0[1] == UInt8(ascii: "P") },
    error: ImageFileError.png, decode: PNG.decode(_:_:))
}
