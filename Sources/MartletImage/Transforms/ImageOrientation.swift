//===--- ImageOrientation.swift - orientation of stored images ------------===//
//
// The eight values of the EXIF orientation tag (0x0112), under the names of
// `CGImagePropertyOrientation`: each says where the stored image's first row and
// first column are seen.
//
// Every orientation is one of: exchange columns and rows or not, then mirror stored
// columns or not, then mirror stored rows or not. Pixels, points and boxes all use
// these three answers, so they cannot disagree.
//
// Contract  Mapping upright and back returns the same pixel; points and boxes return
//           up to float rounding of side − x.
// Checked   Tests/MartletImageTests/ImageOrientationTests.swift, against Pillow
//===----------------------------------------------------------------------===//

/// How a stored image must be turned to be seen upright; raw values are EXIF's.
public enum ImageOrientation: Int, CaseIterable, Sendable {
  /// Stored upright: first row on top, first column left.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by a half.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// First row left, first column on top: columns and rows exchanged.
  case leftMirrored = 5
  /// First row right, first column on top: a quarter turn clockwise makes it upright.
  case right = 6
  /// First row right, first column at the bottom.
  case rightMirrored = 7
  /// First row left, first column at the bottom: a quarter turn anticlockwise makes it upright.
  case left = 8

  /// Whether upright columns are stored rows, so that width and height change places.
  public var swapsAxes: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// Whether stored columns run against the upright direction that they map to.
  var mirrorsStoredColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// Whether stored rows run against the upright direction that they map to.
  var mirrorsStoredRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }

  /// The orientation that undoes this one.
  public var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}

// MARK: - Geometry

extension ImageOrientation {
  /// The upright size of an image stored with `size`, or the other way round.
  public func upright(_ size: ImageSize) -> ImageSize {
    swapsAxes ? ImageSize(width: size.height, height: size.width) : size
  }

  /// Where a point of an image stored with `size` is seen upright.
  public func upright(_ point: Point, storedSize size: ImageSize) -> Point {
    let x = mirrorsStoredColumns ? Float(size.width) - point.x : point.x
    let y = mirrorsStoredRows ? Float(size.height) - point.y : point.y
    return swapsAxes ? Point(x: y, y: x) : Point(x: x, y: y)
  }

  /// Where a point of the upright image lies in the image stored with `size`.
  public func stored(_ point: Point, storedSize size: ImageSize) -> Point {
    let x = swapsAxes ? point.y : point.x
    let y = swapsAxes ? point.x : point.y
    return Point(
      x: mirrorsStoredColumns ? Float(size.width) - x : x,
      y: mirrorsStoredRows ? Float(size.height) - y : y)
  }

  /// Where a box of an image stored with `size` is seen upright.
  public func upright(_ box: Box, storedSize size: ImageSize) -> Box {
    let x = mirrorsStoredColumns ? Float(size.width) - box.maxX : box.x
    let y = mirrorsStoredRows ? Float(size.height) - box.maxY : box.y
    return swapsAxes
      ? Box(x: y, y: x, width: box.height, height: box.width)
      : Box(x: x, y: y, width: box.width, height: box.height)
  }

  /// Where a box of the upright image lies in the image stored with `size`.
  public func stored(_ box: Box, storedSize size: ImageSize) -> Box {
    let turned =
      swapsAxes ? Box(x: box.y, y: box.x, width: box.height, height: box.width) : box
    return Box(
      x: mirrorsStoredColumns ? Float(size.width) - turned.maxX : turned.x,
      y: mirrorsStoredRows ? Float(size.height) - turned.maxY : turned.y,
      width: turned.width, height: turned.height)
  }
}
