//===--- Concealment.swift - making regions unrecognizable ----------------===//
//
// A region is divided into two by two cells, and each keeps only its mean color. Between their centers
// colors change evenly, in visible squares or smoothly. Detectors find hardly more faces in this than under
// filled regions; of eight by eight colors they found most faces again. Filled regions keep nothing.
//
// Contract  New pixels depend on the mean colors of the cells alone. A region of any size keeps as few,
//           so that large ones show no more than small ones. The regions are rectangles, a quarter wider
//           than their boxes at each edge. Colors are those of the image before any region is concealed.
// Cost      One read of the region's pixels, and 64 patches, or 4,096 for a blurred region.
//===----------------------------------------------------------------------===//

/// How a region is made unrecognizable.
@nonexhaustive
public enum Concealment: String, Sendable, Hashable, CaseIterable {
  /// A smooth transition between two by two colors.
  case blur
  /// A mosaic of the same colors.
  case pixels
  /// A black rectangle, which keeps nothing.
  case fill
}

extension Concealment {
  /// The cells along a side.
  fileprivate static var cellCount: Int { 2 }
  /// The margin at each edge, as a share of the side.
  private static var margin: Float { 1 / 4 }

  /// The patches along a cell's side.
  fileprivate var stepCount: Int { self == .blur ? 32 : 4 }

  /// The region that is concealed for a box, if it is inside an image of this size.
  static func region(around box: Box, in size: ImageSize) -> PixelRectangle? {
    let visible = box.clipped(toWidth: Float(size.width), height: Float(size.height))
    return PixelRectangle(covering: visible.expanded(by: 1 + 2 * margin), in: size)
  }

  /// The edges of `count` parts of equal length, at least one pixel each.
  fileprivate static func edges(from start: Int, length: Int, count: Int) -> [Int] {
    (0...count).map { start + length * $0 / count }
  }

  /// The number of cells along the sides of a region.
  fileprivate static func cells(_ region: PixelRectangle) -> (columns: Int, rows: Int) {
    (min(region.width, cellCount), min(region.height, cellCount))
  }
}

extension Canvas {
  /// Conceals the regions of boxes.
  ///
  /// - Parameter image: The image before, at any size with the canvas's aspect ratio.
  package mutating func conceal(_ boxes: [Box], as style: Concealment, of image: RGBImage) {
    for box in boxes {
      guard let region = Concealment.region(around: box, in: size) else { continue }
      switch style {
      case .fill:
        paint(
          ColoredRectangle(
            columns: region.x..<region.x + region.width, rows: region.y..<region.y + region.height,
            color: .init(red: 0, green: 0, blue: 0)))
      case .pixels, .blur:
        let means = CellMeans(of: image, in: region, canvas: size)
        paint(means, over: region, steps: style.stepCount)
      }
    }
  }

  /// Paints cells of `steps` by `steps` patches, whose colors change from the center of one cell to
  /// that of the next.
  private mutating func paint(_ means: CellMeans, over region: PixelRectangle, steps: Int) {
    let columns = Concealment.edges(
      from: region.x, length: region.width, count: min(means.columns * steps, region.width))
    let rows = Concealment.edges(
      from: region.y, length: region.height, count: min(means.rows * steps, region.height))
    for (row, (top, bottom)) in zip(rows, rows.dropFirst()).enumerated() {
      let y = (Float(row) + 0.5) * Float(means.rows) / Float(rows.count - 1) - 0.5
      for (column, (left, right)) in zip(columns, columns.dropFirst()).enumerated() {
        let x = (Float(column) + 0.5) * Float(means.columns) / Float(columns.count - 1) - 0.5
        paint(
          ColoredRectangle(
            columns: left..<right, rows: top..<bottom, color: means.color(x: x, y: y)))
      }
    }
  }
}

/// The mean colors of a region's cells.
private struct CellMeans {
  let columns, rows: Int
  /// By rows.
  private var means: [SIMD4<Float>] = []

  /// The means of a region of a canvas, read from an image of the same aspect ratio.
  init(of image: RGBImage, in region: PixelRectangle, canvas: ImageSize) {
    (columns, rows) = Concealment.cells(region)
    func pixels(_ edges: [Int], _ side: Int, _ whole: Int) -> [Range<Int>] {
      zip(edges, edges.dropFirst()).map { start, end in
        let first = min(start * side / whole, side - 1)
        return first..<max(min(end * side / whole, side), first + 1)
      }
    }
    let across = pixels(
      Concealment.edges(from: region.x, length: region.width, count: columns), image.width,
      canvas.width)
    let down = pixels(
      Concealment.edges(from: region.y, length: region.height, count: rows), image.height,
      canvas.height)
    for rows in down {
      for columns in across { means.append(image.mean(columns, rows)) }
    }
  }

  /// The color between the centers of cells, which have whole coordinates.
  func color(x: Float, y: Float) -> RGBImage.Color {
    let (x, y) = (min(max(x, 0), Float(columns - 1)), min(max(y, 0), Float(rows - 1)))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    let (across, down) = (x - Float(left), y - Float(top))
    func row(_ row: Int) -> SIMD4<Float> {
      means[row * columns + left] * (1 - across) + means[row * columns + right] * across
    }
    let mean = row(top) * (1 - down) + row(bottom) * down
    return RGBImage.Color(
      red: UInt8(mean[0].rounded()), green: UInt8(mean[1].rounded()),
      blue: UInt8(mean[2].rounded()))
  }
}

extension RGBImage {
  /// The mean color of a part of the image.
  fileprivate func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> SIMD4<Float> {
    var sums = SIMD4<UInt64>.zero
    for row in rows {
      for column in columns {
        let color = self[column, row]
        sums &+= SIMD4(UInt64(color.red), UInt64(color.green), UInt64(color.blue), 0)
      }
    }
    return SIMD4<Float>(sums) / Float(columns.count * rows.count)
  }
}
