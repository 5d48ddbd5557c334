//===--- JPEG.swift - reading JPEG pictures -------------------------------===//
//
// bytes ▶ markers and segments (JPEGReader) ▶ frame, tables and scans (JPEGFrame,
// JPEGQuantization, JPEGHuffmanTable, JPEGScan) ▶ coefficients (JPEGScanDecoder,
// JPEGSequentialCoder, JPEGProgressiveCoders) ▶ samples (JPEGInverseDCT) ▶ rows of
// the picture's width (JPEGUpsampling) ▶ colours (JPEGColor,
// JPEGColorConverter)
//
// Contract  Baseline, extended (8 bits) and progressive Huffman-coded pictures in
//           gray, YCbCr, RGB, CMYK and YCCK, with any sampling factors. Where
//           libjpeg-turbo reads the file too, its accurate decoder's samples.
// Cost      The components' samples and the picture are in memory at once, and
//           the coefficients (2 bytes each) of a progressive picture.
// Source    ITU-T T.81; T.871 (JFIF); Adobe Technical Note 5116
// Checked   Tests/MartletCodecsTests/JPEGDecodingTests.swift
//===----------------------------------------------------------------------===//

/// The Joint Photographic Experts Group's pictures.
public enum JPEG {
  /// Decodes a JPEG file.
  ///
  /// Gray pictures have one channel, all others three: red, green and blue. The samples are those
  /// of libjpeg-turbo's accurate decoder; ink is turned into light without a colour profile.
  ///
  /// - Throws: ``JPEGError``, which says where the file is damaged, cut off or over a limit.
  /// - Complexity: Linear in the number of pixels and, for a progressive picture, of its scans.
  public static func decode(_ bytes: [UInt8]) throws(JPEGError) -> Raster {
    let picture = try decodeFrame(of: bytes, at: 0)
    if let damage = picture.damage { throw damage }
    return picture.raster
  }

  /// Decodes the picture that begins at `offset`: a frame of a film of JPEG pictures.
  ///
  /// Unlike `decode`, passes over damage that restart markers bound.
  ///
  /// - Throws: ``JPEGError``, whose offsets count from the start of `bytes`.
  package static func decodeFrame(
    of bytes: [UInt8], at offset: Int
  ) throws(JPEGError) -> JPEGPicture {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JPEGError) in
      var decoder = JPEGDecoder(buffer, start: offset)
      let frame = try decoder.decode()
      return JPEGPicture(
        raster: raster(frame, decoder), end: decoder.position, damage: decoder.damage)
    }
  }

  /// Puts the components' samples together.
  private static func raster(_ frame: JPEGFrame, _ decoder: JPEGDecoder) -> Raster {
    let color = decoder.color(of: frame)
    let upsamplers = decoder.components.map { JPEGUpsampler($0, frame) }
    let converter = JPEGColorConverter(color, width: frame.width)
    let rowSize = frame.width * color.channels
    let samples = [UInt8](unsafeUninitializedCapacity: rowSize * frame.height) { samples, count in
      guard let base = samples.baseAddress else { return }
      for y in 0..<frame.height {
        converter.convert(JPEGRows(upsamplers, y), to: base + y * rowSize)
      }
      count = rowSize * frame.height
    }
    return Raster(
      width: frame.width, height: frame.height, channels: color.channels, samples: samples,
      orientation: decoder.orientation ?? 1)
  }
}

/// One picture among others.
package struct JPEGPicture: Equatable, Sendable {
  /// The picture.
  package let raster: Raster
  /// The place after the picture's last byte.
  package let end: Int
  /// The first damage between restart markers: gray or less detailed there.
  package let damage: JPEGError?
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
