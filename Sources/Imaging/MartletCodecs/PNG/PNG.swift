//===--- PNG.swift - reading PNG images -----------------------------------===//
//
// chunks ▶ inflate (Inflate) ▶ undo the row filters (PNGRestorer, PNGFilter) ▶ samples
//
// Contract  Every color type, bit depth and interlacing of the standard. Samples are exact; of
//           16-bit samples only the high byte is kept. Gamma and color profiles are not applied. Of
//           an animation, the still image is read.
// Cost      The inflated rows and the samples are in memory at once: about twice the image;
//           `ImageLimits.memory` limits them. Each band is restored while the next one is inflated.
// Source    PNG (third edition), W3C
// Checked   Tests/MartletCodecsTests/PNGDecoderTests.swift,
//           Tests/MartletCodecsTests/PNGDamageTests.swift
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits

/// The PNG codec.
public enum PNG {
  /// Decodes a PNG file.
  ///
  /// Gray images have one channel, images with a palette three; an alpha channel or transparent
  /// colors add one. Of samples of 16 bits, the high 8 bits are kept.
  ///
  /// Damage that the decoder recovers from becomes a warning of the raster. Missing rows at the end
  /// are zeros: black, or the first color of the palette.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether any damage is an error.
  ///   - workers: The decoder's threads. They do not affect the samples.
  /// - Throws: `PNGError` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(PNGError) -> Raster {
    var damage = PNGDamage(isStrict: isStrict)
    let chunks = try PNGChunks(bytes, &damage)
    let reader = PNGSamples(chunks, isReduced: true)
    let samples = try samples(of: chunks, reader, limits, workers, &damage)
    var raster = Raster(
      width: chunks.header.width, height: chunks.header.height, channels: reader.channels,
      samples: samples, orientation: chunks.orientation, warnings: damage.warnings)
    raster.colorProfile = chunks.colorProfile
    return raster
  }

  /// Decodes like `decode`, but strictly and at the file's bit depth: 16-bit samples are two bytes,
  /// the high one first.
  package static func decodeExactly(
    _ bytes: [UInt8]
  ) throws(PNGError) -> (samples: [UInt8], channels: Int) {
    var damage = PNGDamage(isStrict: true)
    let chunks = try PNGChunks(bytes, &damage)
    let reader = PNGSamples(chunks, isReduced: false)
    return (try samples(of: chunks, reader, .init(), .serial, &damage), reader.channels)
  }

  /// The number of bytes that are inflated while those before them are restored.
  private static let bandBytes = 1 << 17

  private static func samples(
    of chunks: PNGChunks, _ reader: PNGSamples, _ limits: ImageLimits, _ workers: Workers,
    _ damage: inout PNGDamage
  ) throws(PNGError) -> [UInt8] {
    let header = chunks.header
    let count = PNGPass.all(of: header).reduce(0) {
      $0 + $1.height * (1 + header.rowBytes(width: $1.width))
    }
    do throws(MemoryExcess) {
      try Limits.check(
        width: header.width, height: header.height, channels: reader.pixelBytes,
        working: Int64(count), limits)
    } catch { throw .memory(error) }
    var inflater: Inflate
    do throws(InflateError) {
      inflater = try Inflate(chunks.imageData, count: count, isWhole: damage.isStrict)
    } catch { throw .imageData(error) }
    var failure: PNGError?
    let sampleCount = header.width * header.height * reader.pixelBytes
    // The restorer's memory is that of its image. Without an error it has written all samples.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: sampleCount) { samples, written in
      guard let base = samples.baseAddress else { return }
      var restorer = unsafe PNGRestorer(header, reader, from: inflater.output, to: base)
      do throws(PNGError) {
        try restore(with: &restorer, while: &inflater, count: count, workers, &damage)
        written = sampleCount
      } catch { failure = error }
    }
    if let failure { throw failure }
    return samples
  }

  /// Restores each band while the next one is inflated.
  private static func restore(
    with restorer: inout PNGRestorer, while inflater: inout Inflate, count: Int,
    _ workers: Workers, _ damage: inout PNGDamage
  ) throws(PNGError) {
    var inflation: InflateError?
    var (done, isEnded) = (0, false)
    while !isEnded {
      let ready = done
      workers.perform(2) { part in
        if part == 0 {
          do throws(InflateError) {
            if ready < count {
              done = try inflater.inflate(until: ready + bandBytes)
            } else {
              try inflater.end()
            }
          } catch { inflation = error }
        } else {
          restorer.restore(until: ready)
        }
      }
      isEnded = ready == count || inflation != nil
    }
    if let inflation { try complete(&restorer, &inflater, count: count, inflation, &damage) }
    if let badFilter = restorer.badFilter { try damage.report(badFilter) }
  }

  /// Continues after inflation stopped with `error`, if all data are present, or if they end early
  /// after at least one row.
  private static func complete(
    _ restorer: inout PNGRestorer, _ inflater: inout Inflate, count: Int, _ error: InflateError,
    _ damage: inout PNGDamage
  ) throws(PNGError) {
    try damage.report(.imageData(error))
    let produced = inflater.salvage()
    guard produced == count || error.isEarlyEnd else { throw .imageData(error) }
    restorer.restore(until: produced)
    let rest = restorer.position
    guard rest > 0 else { throw .imageData(error) }
    inflater.clear(from: rest)
    restorer.complete(count: count)
  }
}

extension ImageCodec {
  static let png = ImageCodec(
    name: "PNG", matches: { $0[0] == 0x89 && $0[1] == UInt8(ascii: "P") }
  ) { bytes, options throws(ImageFileError) in
    do throws(PNGError) {
      return try PNG.decode(
        bytes, limits: options.limits, isStrict: options.isStrict, workers: options.workers)
    } catch { throw .png(error) }
  }
}
