//===--- BitMask.swift - binary mask and its components -------------------===//
//
// Contract  A pixel has eight neighbors. Components are sorted by their first pixel, row by row
//           from the top.
// Cost      A few operations per pixel.
// Checked   Tests/MartletVisionTests/Tracking/BitMaskTests.swift
//===----------------------------------------------------------------------===//

internal import MartletImage

/// A binary image.
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

  /// Closes gaps of up to twice the radius: dilates by the radius along each axis, also beyond the
  /// image's edges, then erodes.
  mutating func close(radius: Int) {
    // A window starts at its pixel, so dilation and erosion each shift the mask left and up by the
    // radius.
    let margin = 2 * radius
    let (columns, rows) = (width + margin, height + margin)
    var wide = [UInt8](repeating: 0, count: columns * rows + BitMask.slack)
    for y in 0..<height {
      for x in 0..<width where marks[y * width + x] {
        wide[(y + margin) * columns + x + margin] = 1
      }
    }
    for step in [1, columns] { BitMask.combine(&wide, margin + 1, step: step) { $0 | $1 } }
    for step in [1, columns] { BitMask.combine(&wide, margin + 1, step: step) { $0 & $1 } }
    for y in 0..<height {
      for x in 0..<width { marks[y * width + x] = wide[y * columns + x] != 0 }
    }
  }

  /// The number of bytes that vectors may access after the last one.
  private static let slack = 15

  /// Replaces each byte by the combination of itself and the next ones, `step` apart: `count`
  /// bytes, or fewer at the end.
  @inline(__always)
  private static func combine(
    _ bytes: inout [UInt8], _ count: Int, step: Int,
    _ function: (SIMD16<UInt8>, SIMD16<UInt8>) -> SIMD16<UInt8>
  ) {
    bytes.withUnsafeMutableBytes { bytes in
      var length = 1
      while length < count {
        // Two adjacent or overlapping windows make a longer one.
        let distance = min(length, count - length) * step
        for index in stride(from: 0, to: bytes.count - slack - distance, by: 16) {
          let first = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
          let next = bytes.loadUnaligned(fromByteOffset: index + distance, as: SIMD16<UInt8>.self)
          bytes.storeBytes(of: function(first, next), toByteOffset: index, as: SIMD16<UInt8>.self)
        }
        length += min(length, count - length)
      }
    }
  }

  /// A region of neighboring marks.
  struct Component: Equatable {
    var box: Box
    /// The number of marked pixels.
    var count: Int
  }

  /// The connected components.
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
