//===--- BitMask.swift - marked pixels and the regions that they make -----===//
//
// Contract  Neighbours of a pixel are the eight around it. Components come by their first pixel in
//           rows from the top.
// Cost      A few operations a pixel.
// Checked   Tests/MartletTrackingTests/BitMaskTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A picture of marks.
struct BitMask: Equatable {
  let width: Int
  let height: Int
  private var marks: [Bool]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    marks = [Bool](repeating: false, count: width * height)
  }

  subscript(x: Int, y: Int) -> Bool {
    get { marks[y * width + x] }
    set { marks[y * width + x] = newValue }
  }

  /// Marks gaps of up to twice the radius: what is marked grows by the radius along each axis, beyond
  /// the picture's edges too, then it shrinks again.
  mutating func close(radius: Int) {
    var wide = BitMask(width: width + 2 * radius, height: height + 2 * radius)
    for y in 0..<height {
      for x in 0..<width where self[x, y] { wide[x + radius, y + radius] = true }
    }
    wide.spread(true, by: radius)
    wide.spread(false, by: radius)
    for y in 0..<height {
      for x in 0..<width { self[x, y] = wide[x + radius, y + radius] }
    }
  }

  private mutating func spread(_ mark: Bool, by radius: Int) {
    for y in 0..<height { spread(mark, by: radius, from: y * width, stride: 1, count: width) }
    for x in 0..<width { spread(mark, by: radius, from: x, stride: width, count: height) }
  }

  /// Along one line: each run of `mark` grows by the radius at both ends. Outside nothing is marked.
  private mutating func spread(
    _ mark: Bool, by radius: Int, from start: Int, stride: Int, count: Int
  ) {
    var line = [Bool](repeating: !mark, count: count)
    var reach = mark ? -1 : radius - 1
    for index in 0..<count {
      if marks[start + index * stride] == mark { reach = index + radius }
      if index <= reach { line[index] = mark }
    }
    reach = mark ? count : count - radius
    for index in (0..<count).reversed() {
      if marks[start + index * stride] == mark { reach = index - radius }
      if index >= reach { line[index] = mark }
    }
    for index in 0..<count { marks[start + index * stride] = line[index] }
  }

  /// A region of neighbouring marks.
  struct Component: Equatable {
    var box: Box
    /// How many pixels are marked.
    var count: Int
  }

  /// The regions of neighbouring marks.
  func components() -> [Component] {
    var rest = marks
    var components: [Component] = []
    var open: [Int] = []
    for start in rest.indices where rest[start] {
      var (left, right, top, bottom) = (width, 0, height, 0)
      var count = 0
      rest[start] = false
      open.append(start)
      while let index = open.popLast() {
        let (x, y) = (index % width, index / width)
        count += 1
        left = min(left, x)
        right = max(right, x)
        top = min(top, y)
        bottom = max(bottom, y)
        for row in max(y - 1, 0)...min(y + 1, height - 1) {
          for column in max(x - 1, 0)...min(x + 1, width - 1) where rest[row * width + column] {
            rest[row * width + column] = false
            open.append(row * width + column)
          }
        }
      }
      components.append(
        Component(
          box: Box(
            minX: Float(left), minY: Float(top), maxX: Float(right + 1), maxY: Float(bottom + 1)),
          count: count))
    }
    return components
  }
}
