//===--- JPEGFrame.swift - the frame header -------------------------------===//
//
// ITU-T T.81, B.2.2 and A.1.1. A component with sampling factors h and v has ceil(width h / hMax)
// by ceil(height v / vMax) samples. Its memory is padded to whole minimum coded units (8 h by 8 v
// samples each).
//
// Contract  Width, height and their product are checked against the limits before memory is
//           allocated.
//===----------------------------------------------------------------------===//

import struct MartletImage.ImageSize

/// The contents of an SOF segment.
struct JPEGFrame {
  /// The parameters of one component.
  struct Specification {
    let identifier: UInt8
    let horizontal: Int
    let vertical: Int
    let quantizationTable: Int
  }

  /// The markers of the supported processes.
  private static let processes = [
    JPEGMarker.baselineFrame, JPEGMarker.extendedFrame, JPEGMarker.progressiveFrame,
  ]
  /// The side of a block of samples in the file.
  static let codedSide = 8

  let isProgressive: Bool
  let width: Int
  let height: Int
  let specifications: [Specification]
  /// The side of the square of decoded pixels for a block of the file: `codedSide`, or less if the
  /// image is reduced to 1/2, 1/4 or 1/8.
  private(set) var blockSide = codedSide

  /// The maximum sampling factors of all components.
  var horizontalMaximum: Int { specifications.reduce(1) { max($0, $1.horizontal) } }
  var verticalMaximum: Int { specifications.reduce(1) { max($0, $1.vertical) } }

  /// The number of minimum coded units of an interleaved scan, per line and in lines.
  var unitsPerLine: Int {
    (width + Self.codedSide * horizontalMaximum - 1) / (Self.codedSide * horizontalMaximum)
  }
  var unitLines: Int {
    (height + Self.codedSide * verticalMaximum - 1) / (Self.codedSide * verticalMaximum)
  }

  /// Parses an SOF segment. A height of zero, which a DNL segment replaces, becomes `lines`.
  init(_ segment: JPEGSegment, lines: @autoclosure () -> Int?) throws(JPEGError) {
    var body = segment
    guard Self.processes.contains(body.marker) else {
      throw .unsupportedProcess(marker: body.marker, offset: body.offset)
    }
    isProgressive = body.marker == JPEGMarker.progressiveFrame
    let precision = Int(try body.byte())
    guard precision == 8 else {
      throw .unsupportedPrecision(bits: precision, offset: body.offset)
    }
    let statedHeight = try body.word()
    height = statedHeight == 0 ? lines() ?? 0 : statedHeight
    width = try body.word()
    guard width > 0, height > 0 else {
      throw .emptyImage(width: width, height: height, offset: body.offset)
    }
    guard Limits.allow(width: width, height: height) else {
      throw .tooManyPixels(width: width, height: height, limit: Limits.pixels)
    }
    specifications = try Self.specifications(&body)
    try body.requireEnd()
  }

  private static func specifications(
    _ body: inout JPEGSegment
  ) throws(JPEGError) -> [Specification] {
    let count = Int(try body.byte())
    guard 1...4 ~= count else {
      throw .unsupportedComponentCount(count, offset: body.offset)
    }
    var result: [Specification] = []
    for index in 0..<count {
      let identifier = try body.byte()
      let factors = Int(try body.byte())
      let table = Int(try body.byte())
      guard 1...4 ~= factors >> 4, 1...4 ~= factors & 15 else {
        throw .badSamplingFactor(
          component: index, horizontal: factors >> 4, vertical: factors & 15, offset: body.offset)
      }
      guard table < 4 else {
        throw .badTableIndex(marker: body.marker, index: table, offset: body.offset)
      }
      result.append(
        Specification(
          identifier: identifier, horizontal: factors >> 4, vertical: factors & 15,
          quantizationTable: table))
    }
    return result
  }

  /// Reduces the decoded image as far as both sides keep at least `minimumSide` pixels.
  mutating func reduce(to minimumSide: Int) {
    let size = ImageSize(width: width, height: height)
    blockSide = Self.codedSide / RowReducer.factor(of: size, minimumSide: minimumSide)
  }

  /// The number of columns and rows of the decoded image.
  var decodedWidth: Int { (width * blockSide + Self.codedSide - 1) / Self.codedSide }
  var decodedHeight: Int { (height * blockSide + Self.codedSide - 1) / Self.codedSide }

  /// The side of a component's blocks of samples in the decoded image. In a reduced image, a component
  /// with subsampled columns and rows is reduced less, so that it is not upsampled later.
  func blockSide(of component: Specification) -> Int {
    var side = blockSide
    while side < Self.codedSide,
      horizontalMaximum * blockSide % (component.horizontal * side * 2) == 0,
      verticalMaximum * blockSide % (component.vertical * side * 2) == 0
    {
      side *= 2
    }
    return side
  }

  /// The size of a component in samples of the decoded image.
  func decodedSize(of component: Specification) -> (width: Int, height: Int) {
    let side = blockSide(of: component)
    let (columns, rows) = (Self.codedSide * horizontalMaximum, Self.codedSide * verticalMaximum)
    return (
      (width * component.horizontal * side + columns - 1) / columns,
      (height * component.vertical * side + rows - 1) / rows
    )
  }

  /// The size of a component in samples of the file.
  func size(of component: Specification) -> (width: Int, height: Int) {
    (
      (width * component.horizontal + horizontalMaximum - 1) / horizontalMaximum,
      (height * component.vertical + verticalMaximum - 1) / verticalMaximum
    )
  }

  /// The size of a component in blocks.
  func blockCounts(of component: Specification) -> (columns: Int, rows: Int) {
    let (width, height) = size(of: component)
    return (
      (width + Self.codedSide - 1) / Self.codedSide, (height + Self.codedSide - 1) / Self.codedSide
    )
  }

  /// The bytes of all blocks in memory.
  var blockBytes: Int {
    specifications.reduce(0) {
      let (columns, rows) = blockCounts(of: $1)
      return $0 + columns * rows * JPEGBlocks.blockBytes(side: blockSide(of: $1))
    }
  }

  /// The number of samples of all components in the file.
  var sampleCount: Int64 {
    specifications.reduce(0) {
      let (width, height) = size(of: $1)
      return $0 + Int64(width) * Int64(height)
    }
  }
}
