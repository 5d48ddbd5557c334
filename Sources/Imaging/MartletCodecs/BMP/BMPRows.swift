//===--- BMPRows.swift - rows to samples ----------------------------------===//

/// Converts rows of indices or pixels to samples.
struct BMPRows {
  private let width, bitDepth, channels: Int
  /// Red, green and blue for each of 256 indices.
  private let colors: [UInt8]
  private let masks: [BMPMask]

  init(_ header: BMPHeader, channels: Int) {
    width = header.width
    bitDepth = header.bitDepth
    self.channels = channels
    var colors = [UInt8](repeating: 0, count: 256 * 3)
    for (index, color) in header.palette.enumerated() {
      (colors[index * 3], colors[index * 3 + 1]) = (color.red, color.green)
      colors[index * 3 + 2] = color.blue
    }
    self.colors = colors
    let usual: [UInt32] =
      bitDepth == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF_0000, 0x00_FF00, 0x00_00FF]
    masks = (header.masks.isEmpty ? usual : header.masks).prefix(channels).map { BMPMask($0) }
  }

  /// Converts the row at offset `source`; writes to `samples` from `target` on.
  func read(_ bytes: [UInt8], at source: Int, into samples: inout [UInt8], _ target: Int) {
    switch bitDepth {
    case 16, 32: readPixels(bytes, at: source, into: &samples, target)
    case 24:
      for x in 0..<width {
        let (pixel, place) = (source + x * 3, target + x * 3)
        samples[place] = bytes[pixel + 2]
        samples[place + 1] = bytes[pixel + 1]
        samples[place + 2] = bytes[pixel]
      }
    default: lookUp(bytes, at: source, bits: bitDepth, into: &samples, target)
    }
  }

  /// Looks up a row of indices of 1, 2, 4 or 8 bits; the first is in the highest bits.
  func lookUp(
    _ bytes: [UInt8], at source: Int, bits: Int, into samples: inout [UInt8], _ target: Int
  ) {
    let mask = 1 << bits - 1
    for x in 0..<width {
      let bit = x * bits
      let index = Int(bytes[source + bit >> 3]) >> (8 - bits - bit & 7) & mask
      for channel in 0..<3 { samples[target + x * 3 + channel] = colors[index * 3 + channel] }
    }
  }

  private func readPixels(
    _ bytes: [UInt8], at source: Int, into samples: inout [UInt8], _ target: Int
  ) {
    let size = bitDepth / 8
    for x in 0..<width {
      var pixel: UInt32 = 0
      for byte in 0..<size {
        pixel |= UInt32(bytes[source + x * size + byte]) << UInt32(byte * 8)
      }
      for (channel, mask) in masks.enumerated() {
        samples[target + x * channels + channel] = mask.value(of: pixel)
      }
    }
  }
}
