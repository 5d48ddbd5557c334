//===--- WebPLayer.swift - an image on a canvas ---------------------------===//
//
// Contract  The layer is inside the canvas. Samples outside it, and those of rows that are missing,
//           are zeros.
// Checked   Tests/MartletCodecsTests/WebPTests.swift
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageLimits

/// A coded image and its place on a canvas.
struct WebPLayer {
  private let image: WebPImage
  let x, y, width, height: Int
  let hasAlpha: Bool

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

  /// The samples of the canvas. Missing rows are damage.
  func decode(
    _ file: [UInt8], on canvas: (width: Int, height: Int), channels: Int, _ limits: ImageLimits,
    _ damage: inout Damage<WebPError>
  ) throws(WebPError) -> [UInt8] {
    var memory = try WebPMemory(
      width: canvas.width, height: canvas.height, channels: channels, limits)
    let rowBytes = canvas.width * channels
    let count = canvas.height * rowBytes
    var (failure, rows) = (WebPError?.none, 0)
    // Without an error all samples have been written.
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: count) { samples, written in
      guard let base = samples.baseAddress else { return }
      if canvas != (width, height) { unsafe base.initialize(repeating: 0, count: count) }
      let target = unsafe WebPTarget(
        pixels: base + (y * rowBytes + x * channels), rowBytes: rowBytes, width: width,
        height: height, channels: channels)
      do throws(WebPError) {
        rows =
          image.isLossless
          ? try decodeLossless(file, to: target, memory)
          : try decodeLossy(file, to: target, &memory)
        for y in rows..<height {
          unsafe (target.pixels + y * rowBytes).initialize(repeating: 0, count: width * channels)
        }
        written = count
      } catch { failure = error }
    }
    if let failure { throw failure }
    if rows < height {
      guard rows > 0 else { throw .missingRows(rows: rows, height: height) }
      try damage.report(.missingRows(rows: rows, height: height))
    }
    return samples
  }

  private func decodeLossy(
    _ file: [UInt8], to target: WebPTarget, _ memory: inout WebPMemory
  ) throws(WebPError) -> Int {
    var alpha: WebPAlpha?
    if let range = image.alpha {
      alpha = try WebPAlpha(file, range, width: target.width, height: target.height, &memory)
    }
    let decoder = try VP8Decoder(file, image.data, &memory)
    return decoder.decode(alpha: alpha?.samples, to: target)
  }

  private func decodeLossless(
    _ file: [UInt8], to target: WebPTarget, _ memory: WebPMemory
  ) throws(WebPError) -> Int {
    let start = image.data.lowerBound + VP8LDecoder.headerSize
    var decoder = VP8LDecoder(file, start..<image.data.upperBound, memory)
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
