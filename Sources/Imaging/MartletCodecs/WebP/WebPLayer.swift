//===--- WebPLayer.swift - an image on a canvas ---------------------------===//
//
// Contract  The layer is inside the canvas. Samples outside it, and those of rows that are missing,
//           are zeros.
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits
import struct MartletImage.ImageSize

/// A coded image and its place on a canvas.
struct WebPLayer {
  private let image: WebPImage
  let x, y, width, height: Int
  let hasAlpha: Bool
  var size: ImageSize { ImageSize(width: width, height: height) }

  /// The image of a frame, or the only one of a canvas. Throws if it has another size than these.
  init(
    _ file: [UInt8], _ image: WebPImage, _ frame: WebPFrame?,
    canvas: (width: Int, height: Int)?
  ) throws(WebPError) {
    self.image = image
    if image.isLossless {
      (width, height, hasAlpha) = try VP8LDecoder.header(file, image.data)
    } else {
      (width, height) = try VP8Header.size(file, image.data)
      hasAlpha = image.alpha != nil
    }
    (x, y) = frame.map { ($0.x, $0.y) } ?? (0, 0)
    guard let expected = frame.map({ ($0.width, $0.height) }) ?? canvas else { return }
    guard (width, height) == expected else {
      throw .sizeMismatch(
        width: width, height: height, expectedWidth: expected.0, expectedHeight: expected.1)
    }
  }

  /// The samples of the canvas, reduced by `factor`. Missing rows are damage.
  func decode(
    _ file: [UInt8], on canvas: ImageSize, channels: Int, factor: Int = 1, _ limits: ImageLimits,
    _ work: DecodingWork, _ damage: inout Damage<WebPError>
  ) throws(WebPError) -> [UInt8] {
    // A layer that does not cover the canvas is reduced after it was decoded.
    let rowFactor = canvas == size ? factor : 1
    let result = RowReducer.size(canvas, factor: rowFactor)
    var memory = try WebPMemory(
      width: result.width, height: result.height, channels: channels, limits)
    work.allow(samples: 8 * Int64(size.pixelCount) + 4 * Int64(canvas.pixelCount))
    let rowBytes = canvas.width * channels
    try memory.reserve(RowReducer.workingBytes(canvas, channels: channels, factor: factor))
    let reducer = rowFactor > 1 ? RowReducer(canvas, channels: channels, factor: factor) : nil
    let count = reducer == nil ? canvas.height * rowBytes : rowBytes
    var (failure, rows) = (WebPError?.none, 0)
    // Without an error all samples have been written.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: count) { samples, written in
      guard let base = samples.baseAddress else { return }
      if canvas != size { unsafe base.initialize(repeating: 0, count: count) }
      let target = unsafe WebPTarget(
        pixels: base + (y * rowBytes + x * channels), rowBytes: rowBytes, width: width,
        height: height, channels: channels, reducer: reducer)
      do throws(WebPError) {
        rows =
          image.isLossless
          ? try decodeLossless(file, to: target, memory, work)
          : try decodeLossy(file, to: target, &memory, work)
        for y in rows..<height where reducer == nil {
          unsafe (target.pixels + y * rowBytes).initialize(repeating: 0, count: width * channels)
        }
        reducer?.finish()
        written = reducer == nil ? count : 0
      } catch { failure = error }
    }
    if let failure { throw failure }
    if rows < height {
      guard rows > 0 else { throw .missingRows(rows: rows, height: height) }
      try damage.report(.missingRows(rows: rows, height: height))
    }
    if let reducer { return reducer.samples }
    return RowReducer.reduced(samples, of: canvas, channels: channels, by: factor)
  }

  private func decodeLossy(
    _ file: [UInt8], to target: WebPTarget, _ memory: inout WebPMemory, _ work: DecodingWork
  ) throws(WebPError) -> Int {
    var alpha: WebPAlpha?
    if let range = image.alpha {
      alpha = try WebPAlpha(
        file, range, width: target.width, height: target.height, &memory, work)
    }
    let decoder = try VP8Decoder(file, image.data, &memory)
    return try decoder.decode(alpha: alpha?.samples, to: target, work)
  }

  private func decodeLossless(
    _ file: [UInt8], to target: WebPTarget, _ memory: WebPMemory, _ work: DecodingWork
  ) throws(WebPError) -> Int {
    let start = image.data.lowerBound + VP8LDecoder.headerSize
    var decoder = VP8LDecoder(file, start..<image.data.upperBound, memory, work)
    return unsafe try decoder.decode(width: target.width, height: target.height) { y, line in
      // From alpha in the highest byte to alpha in the last.
      for x in 0..<target.width {
        let pixel = unsafe line[x]
        unsafe line[x] = pixel.byteSwapped &>> 8 | pixel & 0xFF00_0000
      }
      unsafe target.store(line, y)
    }
  }
}
