//===--- VP8LDecoder.swift - lossless images ------------------------------===//
//
// header ▶ transforms ▶ prefix codes (VP8LCodes) ▶ pixels (VP8LPixels) ▶ inverse transforms
// (VP8LTransform, VP8LPredictor), row by row
//
// Contract  Data that end early give the rows before the end. Any other damage is an error.
// Cost      In memory: four bytes per pixel, the tables of the prefix codes, and a few rows.
// Source    RFC 9649, sections 3 to 6
//===----------------------------------------------------------------------===//

import MartletBase

/// Decodes a lossless image, or lossless alpha data.
struct VP8LDecoder {
  let file: [UInt8]
  var reader: VP8LBitReader
  private var memory: WebPMemory
  let work: DecodingWork
  private var transforms: [VP8LTransform] = []

  /// A decoder of the data in `range`, which must be inside the file.
  init(_ file: [UInt8], _ range: Range<Int>, _ memory: WebPMemory, _ work: DecodingWork) {
    self.work = work
    self.file = file
    reader = VP8LBitReader(range)
    self.memory = memory
  }

  /// The size and use of alpha in the header at `offset` (RFC 9649, section 3.4).
  static func header(
    _ file: [UInt8], _ range: Range<Int>
  ) throws(WebPError) -> (width: Int, height: Int, hasAlpha: Bool) {
    let offset = range.lowerBound
    guard range.count >= headerSize, let bits = file.uint32(at: offset + 1, .little) else {
      throw .truncated(offset: offset, count: headerSize, fileSize: file.count)
    }
    guard file[offset] == 0x2F, bits >> 29 == 0 else { throw .badLosslessHeader(offset: offset) }
    let (width, height) = (Int(bits & 0x3FFF) + 1, Int(bits >> 14 & 0x3FFF) + 1)
    return (width, height, bits >> 28 & 1 == 1)
  }

  /// The number of bytes before the transforms.
  static let headerSize = 5

  /// Decodes the image of the given size and passes each row to `body`: its number and its pixels,
  /// alpha in the highest byte, then red, green and blue.
  ///
  /// - Returns: The number of rows; less than `height` if the data end early.
  mutating func decode(
    width: Int, height: Int, _ body: (Int, UnsafeMutablePointer<UInt32>) -> Void
  ) throws(WebPError) -> Int {
    let codedWidth = try readTransforms(width: width, height: height)
    let codes = try readCodes(width: codedWidth, height: height, isMain: true)
    try checkHeader()
    try reserve(4 * (codedWidth * height + 3 * width))
    let pixels = UnmanagedMemory<UInt32>(zeros: codedWidth * height)
    defer { unsafe pixels.deallocate() }
    let count = try readPixels(width: codedWidth, height: height, codes, to: pixels)
    let rows = VP8LRows(transforms, width: width)
    defer { unsafe rows.deallocate() }
    for y in 0..<count / codedWidth {
      try work.charge(4 * width, WebPError.stopped)
      // The row is inside the pixels, and the memory of the result has `width` pixels.
      unsafe body(y, rows.row(y, pixels.base + y * codedWidth, count: codedWidth))
    }
    return count / codedWidth
  }

  /// Reads an image without transforms: the data of a transform, or the groups of tiles.
  mutating func readImage(width: Int, height: Int) throws(WebPError) -> [UInt32] {
    let codes = try readCodes(width: width, height: height, isMain: false)
    try checkHeader()
    try reserve(8 * width * height)
    let pixels = UnmanagedMemory<UInt32>(zeros: width * height)
    defer { unsafe pixels.deallocate() }
    let count = try readPixels(width: width, height: height, codes, to: pixels)
    guard count == width * height else { throw .unfinishedHeader }
    return (0..<count).map { pixels[$0] }
  }

  /// Reads the transforms and returns the width of the coded image (RFC 9649, section 4).
  private mutating func readTransforms(width: Int, height: Int) throws(WebPError) -> Int {
    var width = width
    var kinds: [Int] = []
    while bits(1) == 1 {
      let number = bits(2)
      try checkHeader()
      guard !kinds.contains(number), let kind = VP8LTransform.Kind(rawValue: number) else {
        throw .repeatedTransform(number)
      }
      kinds.append(number)
      var transform = VP8LTransform(kind: kind, width: width)
      switch kind {
      case .subtractGreen: break
      case .predictor, .color:
        transform.bits = 2 + bits(3)
        transform.data = try readImage(
          width: transform.tileColumns, height: Self.tileCount(height, transform.bits))
      case .palette:
        let count = bits(8) + 1
        transform.bits = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3
        transform.setPalette(try readImage(width: count, height: 1))
        width = Self.tileCount(width, transform.bits)
      }
      transforms.append(transform)
    }
    return width
  }

  /// The next `size` bits, 0 to 32, as a number.
  mutating func bits(_ size: Int) -> Int {
    let file = file
    return reader.number(size, from: file.span)
  }

  /// The next symbol of a code in `tables`.
  mutating func symbol(_ code: VP8LPrefixCode, _ tables: VP8LTables) -> Int {
    let file = file
    reader.refill(from: file.span)
    // The code is one of the tables.
    return unsafe tables.entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return 0 }
      return unsafe reader.symbol(code, base)
    }
  }

  /// Throws if more bits were read than the data have.
  func checkHeader() throws(WebPError) {
    if reader.isOverrun { throw .unfinishedHeader }
  }

  /// Counts memory toward the limit.
  mutating func reserve(_ count: Int) throws(WebPError) { try memory.reserve(count) }
}
