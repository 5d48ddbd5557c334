//===--- JPEGEncoder.swift - writing JPEG images --------------------------===//
//
// samples ▶ YCbCr ▶ blocks of 8 x 8 ▶ cosine transform ▶ quantization ▶ Huffman codes
//
// Contract  Baseline, one scan, no subsampling, the standard's Huffman tables. Uses integers only:
//           the same raster and quality give the same file on every machine. An orientation other
//           than 1 is written as EXIF.
// Cost      1,024 multiply-adds per block and component; the file is in memory.
// Source    ITU-T T.81 annexes A, F, K; T.871 (JFIF); quality scale of the Independent JPEG Group
// Checked   Tests/MartletCodecsTests/JPEGEncoderTests.swift
//===----------------------------------------------------------------------===//

extension JPEG {
  /// The maximum side of a JPEG file in pixels.
  static let longestSide = 65_535

  /// Encodes an image as JPEG. Alpha is dropped.
  ///
  /// - Parameters:
  ///   - image: An image with one to four channels.
  ///   - quality: The quality, 1 to 100; other values are clamped.
  /// - Throws: `JPEGError.sideTooLong` if a side exceeds 65,535 pixels.
  /// - Complexity: Linear in the number of pixels.
  public static func encode(
    _ image: Raster, quality: Int = 90
  ) throws(JPEGError) -> [UInt8] {
    guard max(image.width, image.height) <= longestSide else {
      throw .sideTooLong(width: image.width, height: image.height, limit: longestSide)
    }
    var encoder = JPEGEncoder(image, quality: min(max(quality, 1), 100))
    encoder.writeHeaders()
    encoder.writeScan()
    return encoder.file
  }
}

/// Encodes one image.
private struct JPEGEncoder {
  private let image: Raster
  /// Gray, or luminance and two chrominance components.
  private let components: [JPEGEncoderComponent]
  private(set) var file: [UInt8] = []

  init(_ image: Raster, quality: Int) {
    self.image = image
    let luminance = JPEGEncoderComponent(
      .luminance, quality: quality, dc: JPEGHuffmanTable.luminanceDC,
      ac: JPEGHuffmanTable.luminanceAC)
    let chrominance = JPEGEncoderComponent(
      .chrominance, quality: quality, dc: JPEGHuffmanTable.chrominanceDC,
      ac: JPEGHuffmanTable.chrominanceAC)
    components = image.channels < 3 ? [luminance] : [luminance, chrominance, chrominance]
  }

  // MARK: Headers

  mutating func writeHeaders() {
    file += [0xFF, JPEGMarker.startOfImage]
    segment(JPEGMarker.application0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    if image.orientation != 1 {
      segment(
        JPEGMarker.application1,
        Array("Exif\0\0".utf8) + EXIF.block(orientation: image.orientation))
    }
    let tables = components.prefix(2)
    for (index, component) in tables.enumerated() {
      let values = JPEGZigzag.natural.map { UInt8(component.divisors[Int($0)]) }
      segment(JPEGMarker.quantizationTables, [UInt8(index)] + values)
    }
    var frame = [8] + bigEndian(image.height) + bigEndian(image.width)
    frame.append(UInt8(components.count))
    var scan = [UInt8(components.count)]
    for index in components.indices {
      let table = UInt8(min(index, 1))
      frame += [UInt8(index + 1), 0x11, table]
      scan += [UInt8(index + 1), table << 4 | table]
    }
    segment(JPEGMarker.baselineFrame, frame)
    for (index, component) in tables.enumerated() {
      segment(JPEGMarker.huffmanTables, [UInt8(index)] + component.dc.definition.bytes)
      segment(JPEGMarker.huffmanTables, [UInt8(0x10 + index)] + component.ac.definition.bytes)
    }
    segment(JPEGMarker.startOfScan, scan + [0, 63, 0])
  }

  private mutating func segment(_ marker: UInt8, _ body: [UInt8]) {
    file += [0xFF, marker] + bigEndian(body.count + 2) + body
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  // MARK: The scan

  mutating func writeScan() {
    var bits = JPEGBitWriter()
    var planes = [Int32](repeating: 0, count: 64 * components.count)
    var coefficients = [Int32](repeating: 0, count: 64)
    var predictions = [Int32](repeating: 0, count: components.count)
    for top in stride(from: 0, to: image.height, by: 8) {
      for left in stride(from: 0, to: image.width, by: 8) {
        fill(&planes, left: left, top: top)
        for (index, component) in components.enumerated() {
          JPEGForwardDCT.transform(planes[64 * index..<64 * index + 64], to: &coefficients)
          component.quantize(&coefficients)
          component.write(coefficients, prediction: predictions[index], to: &bits)
          predictions[index] = coefficients[0]
        }
      }
    }
    file += bits.finish() + [0xFF, JPEGMarker.endOfImage]
  }

  /// Fills each component's 64 samples of a block, minus 128. Beyond the image's edge, the last
  /// column and row are repeated.
  private func fill(_ planes: inout [Int32], left: Int, top: Int) {
    for place in 0..<64 {
      let row = min(top + place >> 3, image.height - 1)
      let column = min(left + place & 7, image.width - 1)
      let pixel = (row * image.width + column) * image.channels
      let red = Int32(image.samples[pixel])
      guard image.channels >= 3 else {
        planes[place] = red - 128
        continue
      }
      let green = Int32(image.samples[pixel + 1])
      let blue = Int32(image.samples[pixel + 2])
      // The factors of T.871 in units of 1/65536, rounded to nearest.
      let half: Int32 = 1 << 15
      planes[place] = (19_595 * red + 38_470 * green + 7_471 * blue + half) >> 16 - 128
      planes[64 + place] = min((half * blue - 11_059 * red - 21_709 * green + half) >> 16, 127)
      planes[128 + place] = min((half * red - 27_439 * green - 5_329 * blue + half) >> 16, 127)
    }
  }
}

/// The tables that encode one component.
private struct JPEGEncoderComponent {
  /// The quantization table in natural order.
  let divisors: [Int32]
  let dc: JPEGEncoderCodes
  let ac: JPEGEncoderCodes

  init(
    _ table: JPEGStandardDivisors, quality: Int, dc: JPEGHuffmanTable.Definition,
    ac: JPEGHuffmanTable.Definition
  ) {
    let percent = Int32(quality < 50 ? 5000 / quality : 200 - 2 * quality)
    divisors = table.values.map { min(max((Int32($0) * percent + 50) / 100, 1), 255) }
    self.dc = JPEGEncoderCodes(dc)
    self.ac = JPEGEncoderCodes(ac)
  }

  /// Divides each coefficient by its divisor, rounded to nearest.
  func quantize(_ coefficients: inout [Int32]) {
    for place in 0..<64 {
      let (value, divisor) = (coefficients[place], divisors[place])
      // Baseline has ten bits for AC coefficients, and eleven for the DC difference.
      let magnitude = min((abs(value) + divisor / 2) / divisor, 1023)
      coefficients[place] = value < 0 ? -magnitude : magnitude
    }
  }

  /// Writes a block (T.81, F.1.2): the difference to the previous block's DC coefficient, then runs
  /// of zeros, each with the coefficient after it.
  func write(_ coefficients: [Int32], prediction: Int32, to bits: inout JPEGBitWriter) {
    append(coefficients[0] - prediction, run: 0, dc, to: &bits)
    var zeros = 0
    for natural in JPEGZigzag.natural.dropFirst() {
      let value = coefficients[Int(natural)]
      if value == 0 {
        zeros += 1
        continue
      }
      while zeros > 15 {
        bits.append(ac[0xF0])
        zeros -= 16
      }
      append(value, run: zeros, ac, to: &bits)
      zeros = 0
    }
    if zeros > 0 { bits.append(ac[0]) }
  }

  /// Writes a symbol and the bits of the value, whose number is in the symbol.
  private func append(
    _ value: Int32, run: Int, _ codes: JPEGEncoderCodes, to bits: inout JPEGBitWriter
  ) {
    let size = 32 - abs(value).leadingZeroBitCount
    bits.append(codes[run << 4 | size])
    bits.append((bits: UInt32(bitPattern: value < 0 ? value - 1 : value), count: size))
  }
}

/// The codes of a Huffman table, indexed by symbol.
private struct JPEGEncoderCodes {
  let definition: JPEGHuffmanTable.Definition
  private var codes = [(bits: UInt32, count: Int)](repeating: (0, 0), count: 256)

  /// Assigns the codes (T.81, C.2). Codes of one length are consecutive; the first code of a length
  /// is twice the code after the last one of the previous length.
  init(_ definition: JPEGHuffmanTable.Definition) {
    self.definition = definition
    var code: UInt32 = 0
    var symbols = definition.symbols[...]
    for (index, count) in definition.lengths.enumerated() {
      for symbol in symbols.prefix(count) {
        codes[Int(symbol)] = (code, index + 1)
        code += 1
      }
      symbols = symbols.dropFirst(count)
      code <<= 1
    }
  }

  subscript(symbol: Int) -> (bits: UInt32, count: Int) { codes[symbol] }
}

/// Writes bits, the highest first, with a zero byte stuffed after each 0xFF.
private struct JPEGBitWriter {
  private var bytes: [UInt8] = []
  private var waiting: UInt64 = 0
  private var count = 0

  /// Appends the lowest `count` bits, at most 16.
  mutating func append(_ code: (bits: UInt32, count: Int)) {
    let mask = UInt64(1) << UInt64(code.count) - 1
    waiting = waiting << UInt64(code.count) | UInt64(code.bits) & mask
    count += code.count
    while count >= 8 {
      count -= 8
      let byte = UInt8(truncatingIfNeeded: waiting >> UInt64(count))
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
  }

  /// All bytes; the last one is filled up with ones.
  mutating func finish() -> [UInt8] {
    if count > 0 { append((bits: 0xFF, count: 8 - count)) }
    return bytes
  }
}

/// The quantization tables K.1 and K.2 of T.81, in natural order.
private struct JPEGStandardDivisors {
  let values: [UInt8]

  static let luminance = JPEGStandardDivisors(values: [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ])
  static let chrominance = JPEGStandardDivisors(values: [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  ])
}
