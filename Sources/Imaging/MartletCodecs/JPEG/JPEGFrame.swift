//===--- JPEGFrame.swift - the frame header -------------------------------===//
//
// ITU-T T.81, B.2.2 and A.1.1. A component with sampling factors h and v has ceil(width h / hMax)
// by ceil(height v / vMax) samples. Its memory is padded to whole minimum coded units (8 h by 8 v
// samples each).
//
// Contract  Width, height and their product are checked against the limits before memory is
//           allocated.
// Checked   Tests/MartletCodecsTests/JPEGHeaderTests.swift
//===----------------------------------------------------------------------===//

/// The contents of an SOF segment.
struct JPEGFrame {
  /// The parameters of one component.
  struct Specification {
    let identifier: UInt8
    let horizontal: Int
    let vertical: Int
    let quantizationTable: Int
  }

  let isProgressive: Bool
  let width: Int
  let height: Int
  let specifications: [Specification]
  /// The side of the square of decoded pixels for 8x8 pixels of the file: 8, or less if the image is
  /// reduced to 1/2, 1/4 or 1/8.
  private(set) var blockSide = 8

  /// The maximum sampling factors of all components.
  var horizontalMaximum: Int { specifications.reduce(1) { max($0, $1.horizontal) } }
  var verticalMaximum: Int { specifications.reduce(1) { max($0, $1.vertical) } }

  /// The number of minimum coded units of an interleaved scan, per line and in lines.
  var unitsPerLine: Int { (width + 8 * horizontalMaximum - 1) / (8 * horizontalMaximum) }
  var unitLines: Int { (height + 8 * verticalMaximum - 1) / (8 * verticalMaximum) }

  /// Parses an SOF segment. A height of zero, which a DNL segment replaces, becomes `lines`.
  init(_ segment: JPEGSegment, lines: @autoclosure () -> Int?) throws(JPEGError) {
    var body = segment
    switch body.marker {
    case JPEGMarker.baselineFrame, JPEGMarker.extendedFrame: isProgressive = false
    case JPEGMarker.progressiveFrame: isProgressive = true
    default: throw .unsupportedProcess(marker: body.marker, offset: body.offset)
    }
    let bits = Int(try body.byte())
    guard bits == 8 else { throw .unsupportedPrecision(bits: bits, offset: body.offset) }
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
    guard count == 1 || count == 3 || count == 4 else {
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
      guard !result.contains(where: { $0.identifier == identifier }) else {
        throw .duplicateComponent(identifier: identifier, offset: body.offset)
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
    while blockSide > 1, (min(width, height) * blockSide / 2 + 7) / 8 >= minimumSide {
      blockSide /= 2
    }
  }

  /// The number of columns and rows of the decoded image.
  var decodedWidth: Int { (width * blockSide + 7) / 8 }
  var decodedHeight: Int { (height * blockSide + 7) / 8 }

  /// The side of a component's blocks of samples in the decoded image. In a reduced image, a component
  /// with subsampled columns and rows is reduced less, so that it is not upsampled later.
  func blockSide(of component: Specification) -> Int {
    var side = blockSide
    while side < 8, horizontalMaximum * blockSide % (component.horizontal * side * 2) == 0,
      verticalMaximum * blockSide % (component.vertical * side * 2) == 0
    {
      side *= 2
    }
    return side
  }

  /// The size of a component in samples of the decoded image.
  func decodedSize(of component: Specification) -> (width: Int, height: Int) {
    let side = blockSide(of: component)
    let (columns, rows) = (8 * horizontalMaximum, 8 * verticalMaximum)
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

  /// The bytes of all blocks in memory.
  var blockBytes: Int {
    specifications.reduce(0) {
      $0 + blockCount(of: $1) * JPEGBlocks.blockBytes(side: blockSide(of: $1))
    }
  }

  private func blockCount(of component: Specification) -> Int {
    let (width, height) = size(of: component)
    return (width + 7) / 8 * ((height + 7) / 8)
  }
}
