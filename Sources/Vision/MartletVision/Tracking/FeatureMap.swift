//===--- FeatureMap.swift - feature map of the localizer ------------------===//
//
// The features that the localizer computes for each cell of a frame, as a summed-area table: the mean
// over any box takes four look-ups per channel.
//
// Contract  Sums are exact integers. Zero point and scale of the features do not matter, because
//           descriptors are centered and have unit length.
// Cost      Two additions per feature; the table is reused for the next frame.
//===----------------------------------------------------------------------===//

internal import MartletImage

/// The features of a frame.
package struct FeatureMap: Sendable {
  private var columns = 0
  private var rows = 0
  private(set) var channels = 0
  /// The sums of the features above and to the left of each corner of a cell.
  private var sums: [Int32] = []

  package init() {}

  /// Reads a network's output of shape [1, rows, columns, channels] and type int8.
  mutating func read(_ features: ImageModel.Reals) -> Bool {
    let shape = features.shape
    guard features.type == .int8, shape.rank == 4, shape[0] == 1 else {
      self = FeatureMap()
      return false
    }
    return features.withUnsafeBytes {
      read($0, rows: shape[1], columns: shape[2], channels: shape[3])
    }
  }

  /// Reads the features of `rows` times `columns` cells with `channels` bytes each.
  ///
  /// - Returns: `false` if there are no features or the number of bytes is wrong; the map is empty
  ///   then.
  package mutating func read(
    _ features: UnsafeRawBufferPointer, rows: Int, columns: Int, channels: Int
  ) -> Bool {
    guard rows > 0, columns > 0, channels > 0, features.count == rows * columns * channels else {
      self = FeatureMap()
      return false
    }
    (self.rows, self.columns, self.channels) = (rows, columns, channels)
    let count = (rows + 1) * (columns + 1) * channels
    if sums.count != count { sums = [Int32](repeating: 0, count: count) }
    let width = (columns + 1) * channels
    sums.withUnsafeMutableBufferPointer { sums in
      for row in 0..<rows {
        var source = row * columns * channels
        var target = (row + 1) * width + channels
        // The sum of a row up to a cell is the sum up to the cell before and this cell.
        for _ in 0..<columns {
          for channel in target..<(target + channels) {
            sums[channel] =
              sums[channel - channels] &+ sums[channel - width] &- sums[channel - width - channels]
              &+ Int32(Int8(bitPattern: features[source]))
            source += 1
          }
          target += channels
        }
      }
    }
    return true
  }

  /// Calls `body` with each channel and its mean over the cells of `box` minus the mean over all
  /// cells, times the number of cells of `box`.
  func forEachMean(of box: Box, in size: ImageSize, _ body: (_ channel: Int, Float) -> Void) {
    let across = FeatureMap.cells(box.x, box.maxX, side: size.width, count: columns)
    let down = FeatureMap.cells(box.y, box.maxY, side: size.height, count: rows)
    func corner(_ row: Int, _ column: Int) -> Int { (row * (columns + 1) + column) * channels }
    let (upper, lower) = (down.lowerBound, down.upperBound)
    let (left, right) = (across.lowerBound, across.upperBound)
    let all = corner(rows, columns)
    let share = Float(across.count * down.count) / Float(rows * columns)
    for channel in 0..<channels {
      let sum =
        sums[corner(lower, right) + channel] &- sums[corner(upper, right) + channel]
        &- sums[corner(lower, left) + channel] &+ sums[corner(upper, left) + channel]
      body(channel, Float(sum) - share * Float(sums[all + channel]))
    }
  }

  /// The cells that a range of pixels covers: at least one.
  private static func cells(_ start: Float, _ end: Float, side: Int, count: Int) -> Range<Int> {
    func cell(_ position: Float) -> Int {
      // In this order the result is a number even if the position is none.
      Int(min(max(0, position / Float(side) * Float(count)), Float(count)).rounded())
    }
    let first = min(cell(start), count - 1)
    return first..<max(cell(end), first + 1)
  }
}
