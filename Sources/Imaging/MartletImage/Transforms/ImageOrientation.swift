//===--- ImageOrientation.swift - orientation of stored images ------------===//
//
// The eight values of the EXIF orientation tag (0x0112), with the names of
// `CGImagePropertyOrientation`. Each gives the sides at which the stored image's first row and
// first column appear.
//
// Every orientation is a combination of three steps: swap columns and rows, mirror the stored
// columns, mirror the stored rows. Pixels, points and boxes all use these three flags, so they
// cannot disagree.
//
// Contract  Mapping to upright and back returns the same pixel; for points and boxes it is exact up
//           to the float rounding of side − x.
//===----------------------------------------------------------------------===//

/// The EXIF orientation of a stored image; raw values are EXIF's.
public enum ImageOrientation: Int, CaseIterable, Sendable {
  /// Stored upright: first row on top, first column left.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Rotated by 180 degrees.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// First row left, first column on top: columns and rows are swapped.
  case leftMirrored = 5
  /// First row right, first column on top: a clockwise quarter turn makes it upright.
  case right = 6
  /// First row right, first column at the bottom.
  case rightMirrored = 7
  /// First row left, first column at the bottom: a counterclockwise quarter turn makes it upright.
  case left = 8

  /// Whether columns and rows, and so width and height, are swapped.
  public var swapsAxes: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// Whether stored columns run opposite to the upright direction that they map to.
  var mirrorsStoredColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// Whether stored rows run opposite to the upright direction that they map to.
  var mirrorsStoredRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }

  /// The orientation that reverses this one.
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
  /// The upright size of an image stored with `size`, or the stored size of an upright one.
  public func upright(_ size: ImageSize) -> ImageSize {
    swapsAxes ? ImageSize(width: size.height, height: size.width) : size
  }

  /// Maps a point of an image stored with `size` to the upright image.
  public func upright(_ point: Point, storedSize size: ImageSize) -> Point {
    let x = mirrorsStoredColumns ? Float(size.width) - point.x : point.x
    let y = mirrorsStoredRows ? Float(size.height) - point.y : point.y
    return swapsAxes ? Point(x: y, y: x) : Point(x: x, y: y)
  }

  /// Maps a point of the upright image to the image stored with `size`.
  public func stored(_ point: Point, storedSize size: ImageSize) -> Point {
    let x = swapsAxes ? point.y : point.x
    let y = swapsAxes ? point.x : point.y
    return Point(
      x: mirrorsStoredColumns ? Float(size.width) - x : x,
      y: mirrorsStoredRows ? Float(size.height) - y : y)
  }

  /// Maps a box of an image stored with `size` to the upright image.
  public func upright(_ box: Box, storedSize size: ImageSize) -> Box {
    let x = mirrorsStoredColumns ? Float(size.width) - box.maxX : box.x
    let y = mirrorsStoredRows ? Float(size.height) - box.maxY : box.y
    return swapsAxes
      ? Box(x: y, y: x, width: box.height, height: box.width)
      : Box(x: x, y: y, width: box.width, height: box.height)
  }

  /// Maps a box of the upright image to the image stored with `size`.
  public func stored(_ box: Box, storedSize size: ImageSize) -> Box {
    let turned =
      swapsAxes ? Box(x: box.y, y: box.x, width: box.height, height: box.width) : box
    return Box(
      x: mirrorsStoredColumns ? Float(size.width) - turned.maxX : turned.x,
      y: mirrorsStoredRows ? Float(size.height) - turned.maxY : turned.y,
      width: turned.width, height: turned.height)
  }
}
