//===--- JPEGImage.swift - a JPEG file as pixels --------------------------===//
//
// Bytes become markers and segments (JPEGReader), these a frame, tables and
// scans (JPEGFrame, JPEGQuantization, JPEGHuffmanTable, JPEGScan); the scans'
// bits become coefficients (JPEGScanDecoder, JPEGSequentialCoder,
// JPEGProgressiveCoders), these samples (JPEGInverseDCT), rows of the picture's
// width (JPEGUpsampling) and colours (JPEGColor).
//
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// A picture decoded from a JPEG file.
///
/// Decodes baseline, extended (8-bit) and progressive Huffman-coded JPEG in gray, YCbCr, RGB, CMYK
/// and YCCK with any sampling factors; the samples are those of libjpeg-turbo's accurate decoder.
public struct JPEGImage: Equatable, Sendable {
  /// The size as stored, before ``orientation`` is applied.
  public let width: Int
  /// The size as stored, before ``orientation`` is applied.
  public let height: Int
  /// Channels of a pixel: 1 (gray) or 3 (red, green, blue).
  public let channels: Int
  /// Rows from the top, pixels from the left, channels side by side; no padding.
  public let pixels: [UInt8]
  /// The Exif orientation, 1 to 8; 1 where the file states none.
  public let orientation: Int
  /// How many restart intervals were damaged and left as they were, gray or less detailed;
  /// 0 for a sound file.
  public let damagedIntervals: Int
  /// How many bytes the picture took, from the start-of-image marker to the end-of-image marker.
  /// A film of JPEG frames goes on there.
  public let encodedByteCount: Int

  /// Decodes the picture at the start of `bytes`.
  ///
  /// - Throws: ``JPEGError``, which says where the file is at fault.
  /// - Complexity: O(bytes x scans + pixels).
  public init(decoding bytes: [UInt8], limits: JPEGLimits = JPEGLimits()) throws(JPEGError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JPEGError) in
      try JPEGImage(decoding: buffer, limits: limits)
    }
  }

  /// Decodes the picture at the start of `bytes`.
  ///
  /// - Throws: ``JPEGError``, which says where the file is at fault.
  /// - Complexity: O(bytes x scans + pixels).
  public init(
    decoding bytes: UnsafeBufferPointer<UInt8>, limits: JPEGLimits = JPEGLimits()
  ) throws(JPEGError) {
    var decoder = JPEGDecoder(bytes, limits: limits)
    let frame = try decoder.decode()
    let color = decoder.color(of: frame)
    width = frame.width
    height = frame.height
    channels = color.channels
    orientation = decoder.orientation ?? 1
    damagedIntervals = decoder.damagedIntervals
    encodedByteCount = decoder.position
    pixels = Self.pixels(frame, decoder.components, color)
  }

  /// Puts the components' samples together.
  private static func pixels(
    _ frame: JPEGFrame, _ components: [JPEGComponent], _ color: JPEGColor
  ) -> [UInt8] {
    let upsamplers = components.map { JPEGUpsampler($0, frame) }
    let rowSize = frame.width * color.channels
    return Array(unsafeUninitializedCapacity: rowSize * frame.height) { pixels, count in
      guard let base = pixels.baseAddress else { return }
      for y in 0..<frame.height {
        color.convert(
          JPEGRows(upsamplers, y), width: frame.width, to: base + y * rowSize)
      }
      count = rowSize * frame.height
    }
  }
}

extension JPEGRows {
  /// The picture's row `y`.
  fileprivate init(_ upsamplers: [JPEGUpsampler], _ y: Int) {
    first = upsamplers[0].samples(y)
    second = upsamplers.count > 1 ? upsamplers[1].samples(y) : first
    third = upsamplers.count > 2 ? upsamplers[2].samples(y) : first
    fourth = upsamplers.count > 3 ? upsamplers[3].samples(y) : first
  }
}
