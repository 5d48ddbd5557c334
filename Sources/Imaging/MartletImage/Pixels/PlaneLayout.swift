//===--- PlaneLayout.swift - layout of a plane ----------------------------===//
//
// Contract  All arithmetic on distances from the caller is checked for overflow.
//===----------------------------------------------------------------------===//

/// The offset of a plane's first byte and the distance between its rows in bytes.
struct PlaneLayout: Equatable, Sendable {
  var offset: Int
  var bytesPerRow: Int

  /// The layouts of planes that follow each other without a gap in a buffer of `count` bytes.
  static func contiguous(
    size: ImageSize, format: PixelFormat, bytesPerRow: Int?, count: Int
  ) throws(ImageError) -> [PlaneLayout] {
    try size.validate()
    var layouts: [PlaneLayout] = []
    var offset = 0
    for plane in 0..<format.planeCount {
      let tight = format.bytesPerRow(ofPlane: plane, width: size.width)
      let layout = PlaneLayout(
        offset: offset,
        bytesPerRow: bytesPerRow.map { format.bytesPerRow(ofPlane: plane, luma: $0) } ?? tight)
      try layout.validate(plane: plane, count: count, size: size, format: format)
      layouts.append(layout)
      // If another plane follows, the last row's padding is part of the buffer, too.
      offset =
        PlaneLayout.end(
          offset, layout.bytesPerRow, rows: format.rowCount(ofPlane: plane, height: size.height),
          lastRow: layout.bytesPerRow) ?? .max
    }
    return layouts
  }

  /// Throws unless the buffer's `count` bytes hold all rows of the plane.
  func validate(
    plane: Int, count: Int, size: ImageSize, format: PixelFormat
  ) throws(ImageError) {
    let row = format.bytesPerRow(ofPlane: plane, width: size.width)
    guard bytesPerRow >= row else {
      throw .rowTooShort(plane: plane, bytesPerRow: bytesPerRow, needed: row)
    }
    let rows = format.rowCount(ofPlane: plane, height: size.height)
    let needed = PlaneLayout.end(offset, bytesPerRow, rows: rows, lastRow: row)
    guard let needed, count >= needed else {
      throw .tooFewBytes(plane: plane, count: count, needed: needed ?? .max)
    }
  }

  /// The offset behind `rows` rows that are `bytesPerRow` apart, of which the last one has `lastRow`
  /// bytes; nil if it exceeds the integer type.
  static func end<Count: FixedWidthInteger>(
    _ offset: Count, _ bytesPerRow: Count, rows: Count, lastRow: Count
  ) -> Count? {
    guard let others = Area.samples(bytesPerRow, rows - 1) else { return nil }
    let (start, isTooLarge) = offset.addingReportingOverflow(others)
    let (end, isTooLong) = start.addingReportingOverflow(lastRow)
    return isTooLarge || isTooLong ? nil : end
  }
}

extension PixelFormat {
  /// The row distance of `plane` if the rows of the first plane are `luma` bytes apart.
  fileprivate func bytesPerRow(ofPlane plane: Int, luma: Int) -> Int {
    switch self {
    case .i420 where plane > 0: luma / 2 + luma % 2
    default: luma
    }
  }
}
