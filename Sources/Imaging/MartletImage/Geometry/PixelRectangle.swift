//===--- PixelRectangle.swift - a rectangle of whole pixels ---------------===//
//
// Contract  Columns x ..< x + width and rows y ..< y + height. Sums are checked, so nothing
//           overflows.
//===----------------------------------------------------------------------===//

/// A rectangle of whole pixels, for crops.
public struct PixelRectangle: Equatable, Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// A rectangle with its top left pixel at (`x`, `y`).
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Every pixel that `box` touches inside an image of `size`; `nil` if there is none.
  public init?(covering box: Box, in size: ImageSize) {
    let inside = box.clipped(toWidth: Float(size.width), height: Float(size.height))
    guard !inside.isEmpty else { return nil }
    // Clipped values are in 0...side, so the conversions cannot trap; they round down.
    let left = Int(inside.x)
    let top = Int(inside.y)
    let right = min(size.width, ceiling(inside.maxX))
    let bottom = min(size.height, ceiling(inside.maxY))
    guard right > left, bottom > top else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The same rectangle as a box.
  public var box: Box {
    Box(x: Float(x), y: Float(y), width: Float(width), height: Float(height))
  }

  /// Whether the rectangle is not empty and lies in an image of `size`.
  package func isInside(_ size: ImageSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }

  /// The part inside an image of `size`; `nil` if there is none.
  public func clipped(to size: ImageSize) -> PixelRectangle? {
    guard let columns = PixelRectangle.clip(x, width, to: size.width),
      let rows = PixelRectangle.clip(y, height, to: size.height)
    else { return nil }
    return PixelRectangle(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  private static func clip(_ start: Int, _ count: Int, to limit: Int) -> Range<Int>? {
    guard count > 0, start < limit else { return nil }
    let (end, overflow) = start.addingReportingOverflow(count)
    let last = overflow ? limit : min(end, limit)
    let first = max(0, start)
    return first < last ? first..<last : nil
  }
}

/// The smallest integer that is at least `value`, which must not be negative.
private func ceiling(_ value: Float) -> Int {
  let floor = Int(value)
  return Float(floor) < value ? floor + 1 : floor
}
