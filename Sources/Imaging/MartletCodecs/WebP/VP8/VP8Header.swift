//===--- VP8Header.swift - the header of a key frame ----------------------===//
//
// Contract  Scaling is ignored, as in libwebp. Values outside a table are clamped. Partitions that
//           leave the data are cut off.
// Source    RFC 6386, sections 9.1 to 9.11 and 19.2
//===----------------------------------------------------------------------===//

import MartletBase

/// The loop filter of a macroblock.
struct VP8FilterStrength {
  /// The limits for the differences across an edge inside the macroblock, and between neighbors on
  /// one side. No edge is filtered if `edge` is 0.
  var edge: UInt8 = 0
  var interior: UInt8 = 0
  /// The difference above which only the samples next to the edge change.
  var highVariance: UInt8 = 0

  /// The strength for the edges between macroblocks.
  var outer: Self {
    Self(edge: edge &+ 4, interior: interior, highVariance: highVariance)
  }
}

/// What a frame's header says.
struct VP8Header {
  /// The loop filter (RFC 6386, section 15).
  enum Filter { case none, simple, normal }

  let width, height: Int
  /// The partition with the modes of the macroblocks, after the header.
  var modes: VP8BoolReader
  /// The partitions with coefficients; rows of macroblocks use them in turn.
  private(set) var partitions: [VP8BoolReader] = []
  private(set) var filter = Filter.none
  private(set) var quantizers: [VP8Quantizer] = []
  /// For each segment, the strengths for macroblocks without and with subblock modes.
  private(set) var strengths: [(whole: VP8FilterStrength, split: VP8FilterStrength)] = []
  /// The probabilities of the tree of segments; `nil` if all macroblocks are in segment 0.
  private(set) var segmentTree: [UInt8]?
  /// The probability that a macroblock has coefficients; `nil` if all have.
  private(set) var skipProbability: UInt8?
  private(set) var coefficients: [UInt8] = []
  /// Quantizers and filter levels of the four segments.
  private var segments: (quantizers: [Int], levels: [Int], areAbsolute: Bool)?
  private let file: [UInt8]

  /// The number of bytes before the first partition.
  static let size = 10

  /// The size in the header of the data in `range` (section 9.1).
  static func size(
    _ file: [UInt8], _ range: Range<Int>
  ) throws(WebPError) -> (width: Int, height: Int) {
    let offset = range.lowerBound
    guard range.count >= size, let width = file.uint16(at: offset + 6, .little),
      let height = file.uint16(at: offset + 8, .little)
    else { throw .truncated(offset: offset, count: size, fileSize: file.count) }
    let first = file[offset]
    let isVisibleKeyFrame = first & 1 == 0 && first >> 1 & 7 <= 3 && first & 0x10 != 0
    let startCode: [UInt8] = [0x9D, 0x01, 0x2A]
    guard isVisibleKeyFrame, file[offset + 3..<offset + 6].elementsEqual(startCode),
      width & 0x3FFF > 0, height & 0x3FFF > 0
    else { throw .badFrameHeader(offset: offset) }
    return (width & 0x3FFF, height & 0x3FFF)
  }

  init(_ file: [UInt8], _ range: Range<Int>) throws(WebPError) {
    (width, height) = try Self.size(file, range)
    self.file = file
    let offset = range.lowerBound
    let length = Int(file[offset]) | Int(file[offset + 1]) << 8 | Int(file[offset + 2]) << 16
    let start = offset + Self.size
    guard length >> 5 <= range.upperBound - start else {
      throw .truncated(offset: start, count: length >> 5, fileSize: file.count)
    }
    let end = start + length >> 5
    modes = VP8BoolReader(start..<end)
    // The color space and the type of clamping do not affect the samples.
    _ = modes.number(2, from: file.span)
    readSegments()
    readFilter()
    try readPartitions(end..<range.upperBound)
    readQuantizers()
    // Whether probabilities are kept does not matter for a single frame.
    _ = flag()
    readProbabilities()
    if modes.isOverrun { throw .badFrameHeader(offset: offset) }
  }

  private mutating func flag(_ probability: UInt8 = 128) -> Bool {
    let file = file
    return modes.bit(probability, from: file.span)
  }

  private mutating func number(_ size: Int) -> Int {
    let file = file
    return modes.number(size, from: file.span)
  }

  /// A flag and, if it is set, a number of `size` bits and its sign; 0 otherwise.
  private mutating func optionalNumber(_ size: Int) -> Int {
    guard flag() else { return 0 }
    let magnitude = number(size)
    return flag() ? -magnitude : magnitude
  }

  /// Section 9.3.
  private mutating func readSegments() {
    guard flag() else { return }
    let hasMap = flag()
    var (quantizers, levels, areAbsolute) = ([0, 0, 0, 0], [0, 0, 0, 0], true)
    if flag() {
      areAbsolute = flag()
      for index in 0..<4 { quantizers[index] = optionalNumber(7) }
      for index in 0..<4 { levels[index] = optionalNumber(6) }
    }
    segments = (quantizers, levels, areAbsolute)
    guard hasMap else { return }
    var tree: [UInt8] = []
    for _ in 0..<3 { tree.append(flag() ? UInt8(number(8)) : 255) }
    segmentTree = tree
  }

  /// Sections 9.4 and 9.6.
  private mutating func readFilter() {
    let isSimple = flag()
    let level = number(6)
    let sharpness = number(3)
    var (reference, mode) = (0, 0)
    let hasDeltas = flag()
    if hasDeltas, flag() {
      // Of each four, only the first applies to key frames.
      reference = optionalNumber(6)
      for _ in 1..<4 { _ = optionalNumber(6) }
      mode = optionalNumber(6)
      for _ in 1..<4 { _ = optionalNumber(6) }
    }
    filter = level == 0 ? .none : isSimple ? .simple : .normal
    for segment in 0..<4 {
      var base = level
      if let segments { base = segments.levels[segment] + (segments.areAbsolute ? 0 : level) }
      strengths.append(
        (
          whole: Self.strength(base + reference, sharpness),
          split: Self.strength(base + reference + mode, sharpness)
        ))
    }
  }

  /// Section 15.2 to 15.4.
  private static func strength(_ level: Int, _ sharpness: Int) -> VP8FilterStrength {
    let level = min(max(level, 0), 63)
    guard level > 0 else { return VP8FilterStrength() }
    var interior = level
    if sharpness > 0 {
      interior = min(interior >> (sharpness > 4 ? 2 : 1), 9 - sharpness)
    }
    interior = max(interior, 1)
    return VP8FilterStrength(
      edge: UInt8(2 * level + interior), interior: UInt8(interior),
      highVariance: level >= 40 ? 2 : level >= 15 ? 1 : 0)
  }

  /// Section 9.5. The sizes of all partitions but the last are before the first.
  private mutating func readPartitions(_ range: Range<Int>) throws(WebPError) {
    let count = 1 << number(2)
    var start = range.lowerBound + 3 * (count - 1)
    guard start < range.upperBound else {
      throw .truncated(
        offset: range.lowerBound, count: 3 * (count - 1) + 1, fileSize: file.count)
    }
    for index in 0..<count - 1 {
      let place = range.lowerBound + 3 * index
      let size = Int(file[place]) | Int(file[place + 1]) << 8 | Int(file[place + 2]) << 16
      let end = start + min(size, range.upperBound - start)
      partitions.append(VP8BoolReader(start..<end))
      start = end
    }
    guard start < range.upperBound else {
      throw .truncated(offset: start, count: 1, fileSize: file.count)
    }
    partitions.append(VP8BoolReader(start..<range.upperBound))
  }

  /// Section 9.6.
  private mutating func readQuantizers() {
    let base = number(7)
    var deltas: [Int] = []
    for _ in 0..<5 { deltas.append(optionalNumber(4)) }
    for segment in 0..<4 {
      var index = base
      if let segments { index = segments.quantizers[segment] + (segments.areAbsolute ? 0 : base) }
      quantizers.append(VP8Quantizer(index, deltas))
    }
  }

  /// Sections 13.4 and 9.11.
  private mutating func readProbabilities() {
    coefficients = VP8Probabilities.coefficients
    for index in coefficients.indices where flag(VP8Probabilities.updates[index]) {
      coefficients[index] = UInt8(number(8))
    }
    if flag() { skipProbability = UInt8(number(8)) }
  }
}
