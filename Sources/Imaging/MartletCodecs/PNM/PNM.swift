//===--- PNM.swift - reading and writing PBM, PGM, PPM and PAM ------------===//
//
// Contract  All seven formats, samples up to 65535. A sample v of maximum m becomes (v * 255 + m /
//           2) / m, the nearest of 256 levels. Of a file with several images, the first one is
//           read. With a warning, missing rows at the end of a binary file are black, samples over
//           the maximum have full brightness, and other characters than digits are skipped.
// Cost      One pass.
// Source    Netpbm: pbm(5), pgm(5), ppm(5), pam(5)
//===----------------------------------------------------------------------===//

public import struct MartletBase.Workers
public import struct MartletImage.ImageLimits

/// The codec of Netpbm's portable anymap formats.
public enum PNM {
  /// Decodes a PBM, PGM, PPM or PAM file: one channel for bits and gray, three for RGB, and the
  /// file's depth (1 to 4) for PAM.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: The maximum size and memory of the image.
  ///   - isStrict: Whether missing rows at the end of a binary file, samples over the maximum and
  ///     other characters between the numbers of a text file are errors. If not, the rows are black,
  ///     the samples have full brightness, the characters are skipped, and the raster has a warning.
  ///   - workers: Their check can stop the decoder, which uses one thread.
  /// - Throws: `PNMError` with the position of the damage, or if decoding needs more memory than
  ///   `limits` allow.
  /// - Complexity: Linear in the number of pixels.
  public static func decode(
    _ bytes: [UInt8], limits: ImageLimits = .init(), isStrict: Bool = false,
    workers: Workers = .serial
  ) throws(PNMError) -> Raster {
    try decode(bytes, DecodingOptions(bytes, limits, isStrict: isStrict, workers))
  }

  static func decode(
    _ bytes: [UInt8], _ options: DecodingOptions
  ) throws(PNMError) -> Raster {
    let work = options.work
    var damage = Damage<PNMError>(isStrict: options.isStrict)
    let header = try PNMHeader(bytes)
    try Limits.check(
      width: header.width, height: header.height, channels: header.channels, options.limits,
      PNMError.memory)
    let samples: [UInt8] =
      switch header.storage {
      case .textBits: try textBits(bytes, header, work, &damage)
      case .packedBits: try packedBits(bytes, header, work, &damage)
      case .text: try text(bytes, header, work, &damage)
      case .bytes: try binary(bytes, header, work, &damage)
      }
    let missing = header.width * header.height * header.channels - samples.count
    return Raster(
      width: header.width, height: header.height, channels: header.channels,
      samples: missing == 0 ? samples : samples + [UInt8](repeating: 0, count: missing),
      warnings: damage.warnings)
  }

  /// Encodes an image: as PGM if it is gray, PPM if RGB, PAM if it has alpha. The formats have no
  /// orientation; it is dropped.
  ///
  /// - Complexity: Linear in the number of pixels.
  public static func encode(_ image: Raster) -> [UInt8] {
    header(width: image.width, height: image.height, channels: image.channels) + image.samples
  }

  /// The bytes before the samples of an image.
  package static func header(width: Int, height: Int, channels: Int) -> [UInt8] {
    let header =
      switch channels {
      case 1: "P5\n\(width) \(height)\n255\n"
      case 3: "P6\n\(width) \(height)\n255\n"
      default:
        "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(channels)\nMAXVAL 255\nTUPLTYPE "
          + (channels == 2 ? "GRAYSCALE_ALPHA" : "RGB_ALPHA") + "\nENDHDR\n"
      }
    return Array(header.utf8)
  }

  /// The samples after which the work is counted.
  private static let stepSamples = 1 << 12

  /// The samples of a plain PBM, which have at least one byte each.
  private static func textBits(
    _ bytes: [UInt8], _ header: PNMHeader, _ work: DecodingWork,
    _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> [UInt8] {
    let count = header.width * header.height
    try check(bytes, from: header.dataOffset, hold: count)
    var scanner = PNMScanner(bytes, at: header.dataOffset)
    var samples: [UInt8] = []
    samples.reserveCapacity(count)
    for index in 0..<count {
      if index % stepSamples == 0 { try work.charge(stepSamples, PNMError.stopped) }
      try skipToDigit(&scanner, &damage)
      let offset = scanner.offset
      let digit = try scanner.digit()
      if digit > 1 { try damage.report(.sampleTooLarge(offset: offset, value: digit, maximum: 1)) }
      samples.append(digit == 0 ? 255 : 0)
    }
    return samples
  }

  private static func packedBits(
    _ bytes: [UInt8], _ header: PNMHeader, _ work: DecodingWork,
    _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> [UInt8] {
    let rowBytes = (header.width + 7) / 8
    let rows = try storedRows(bytes, header, rowBytes: rowBytes, &damage)
    var samples: [UInt8] = []
    samples.reserveCapacity(header.width * header.height)
    for y in 0..<rows {
      try work.charge(header.width, PNMError.stopped)
      let row = header.dataOffset + y * rowBytes
      for x in 0..<header.width {
        samples.append(bytes[row + x >> 3] << UInt8(x & 7) & 0x80 == 0 ? 255 : 0)
      }
    }
    return samples
  }

  /// The samples of a plain PGM or PPM, which have at least two bytes each, except the last.
  private static func text(
    _ bytes: [UInt8], _ header: PNMHeader, _ work: DecodingWork,
    _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> [UInt8] {
    let count = header.width * header.height * header.channels
    try check(bytes, from: header.dataOffset, hold: count * 2 - 1)
    let levels = levels(header.maximum)
    var scanner = PNMScanner(bytes, at: header.dataOffset)
    var samples: [UInt8] = []
    samples.reserveCapacity(count)
    for index in 0..<count {
      if index % stepSamples == 0 { try work.charge(stepSamples, PNMError.stopped) }
      try skipToDigit(&scanner, &damage)
      let offset = scanner.offset
      let value = try scanner.number()
      samples.append(levels[try bounded(value, at: offset, header, &damage)])
    }
    return samples
  }

  private static func binary(
    _ bytes: [UInt8], _ header: PNMHeader, _ work: DecodingWork,
    _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> [UInt8] {
    let (start, size) = (header.dataOffset, header.sampleBytes)
    let rowCount = header.width * header.channels
    let count = try storedRows(bytes, header, rowBytes: rowCount * size, &damage) * rowCount
    if header.maximum == 255 {
      try work.charge(count, PNMError.stopped)
      return Array(bytes[start..<start + count])
    }
    let levels = levels(header.maximum)
    var samples: [UInt8] = []
    samples.reserveCapacity(count)
    for index in 0..<count {
      if index % stepSamples == 0 { try work.charge(stepSamples, PNMError.stopped) }
      let offset = start + index * size
      let value = size == 1 ? Int(bytes[offset]) : Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      samples.append(levels[try bounded(value, at: offset, header, &damage)])
    }
    return samples
  }

  /// The sample, or the maximum if it exceeds it.
  private static func bounded(
    _ value: Int, at offset: Int, _ header: PNMHeader, _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> Int {
    guard value > header.maximum else { return value }
    try damage.report(
      .sampleTooLarge(offset: offset, value: value, maximum: header.maximum))
    return header.maximum
  }

  private static func skipToDigit(
    _ scanner: inout PNMScanner, _ damage: inout Damage<PNMError>
  ) throws(PNMError) {
    if let offset = scanner.skipToDigit() { try damage.report(.badNumber(offset: offset)) }
  }

  /// The 8-bit level of each sample value from 0 to `maximum`.
  private static func levels(_ maximum: Int) -> [UInt8] {
    (0...maximum).map { UInt8(($0 * 255 + maximum / 2) / maximum) }
  }

  /// The number of whole rows in a binary file: at least one.
  private static func storedRows(
    _ bytes: [UInt8], _ header: PNMHeader, rowBytes: Int, _ damage: inout Damage<PNMError>
  ) throws(PNMError) -> Int {
    let (offset, size) = (header.dataOffset, rowBytes * header.height)
    let available = bytes.count - offset
    guard available < size else { return header.height }
    let truncation = PNMError.truncated(offset: offset, count: size, fileSize: bytes.count)
    guard available >= rowBytes else { throw truncation }
    try damage.report(truncation)
    return available / rowBytes
  }

  private static func check(
    _ bytes: [UInt8], from offset: Int, hold size: Int
  ) throws(PNMError) {
    guard bytes.count - offset >= size else {
      throw .truncated(offset: offset, count: size, fileSize: bytes.count)
    }
  }
}

extension ImageCodec {
  static let pnm = ImageCodec(
    name: "PNM",
    matches: {
      $0[0] == UInt8(ascii: "P") && (UInt8(ascii: "1")...UInt8(ascii: "7")).contains($0[1])
    },
    error: ImageFileError.pnm, decode: PNM.decode(_:_:))
}
