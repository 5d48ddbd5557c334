//===--- GradientHistogram.swift - what a patch's edges look like ---------===//
//
// Histograms of oriented gradients in cells of four by four samples: 18 directions, 9 directions
// without sign, and the mean colour, 30 channels in two vectors of lanes. (Dalal and Triggs, 2005;
// normalised by the four blocks around a cell as by Felzenszwalb et al., 2010.)
//
// Contract  Each sample votes with its colour channel of steepest gradient, shared bilinearly by
//           the four nearest cells and linearly by the two nearest directions; the outermost
//           samples have no gradient.
// Order     Samples by rows; cells and blocks in a fixed order.
// Cost      About 40 operations a sample.
// Checked   Tests/MartletTrackingTests/GradientHistogramTests.swift
//===----------------------------------------------------------------------===//

/// The channels of one cell: signed directions 0..<16 in `low`; in `high` the last two, the nine
/// unsigned ones, and three of colour.
struct Cell {
  var low: SIMD16<Float>
  var high: SIMD16<Float>

  static let zero = Cell(low: .zero, high: .zero)
}

/// Computes the cells of patches of one size.
struct GradientHistogram {
  /// Samples along a cell's side.
  static let cellSize = 4
  private static let directions = 18
  /// No channel says more than this, so that one strong edge does not drown the others.
  private static let ceiling: Float = 0.2

  let columns: Int
  let rows: Int
  /// Votes for the 18 directions, cell after cell, with a margin of a cell on each side.
  private var votes: [Float]
  /// The squared length of each cell's votes without sign.
  private var energies: [Float]
  private(set) var cells: [Cell]

  /// Cells for patches of `width` times `height` samples, both multiples of the cell's size.
  init(width: Int, height: Int) {
    columns = width / GradientHistogram.cellSize
    rows = height / GradientHistogram.cellSize
    votes = [Float](
      repeating: 0, count: (columns + 2) * (rows + 2) * GradientHistogram.directions)
    energies = [Float](repeating: 0, count: columns * rows)
    cells = [Cell](repeating: .zero, count: columns * rows)
  }

  /// Computes `cells` from a patch.
  mutating func read(_ patch: Patch) {
    vote(patch)
    gather()
    normalize()
    addColors(patch)
  }

  private mutating func vote(_ patch: Patch) {
    let width = patch.width
    let stride = columns + 2
    votes.withUnsafeMutableBufferPointer { votes in
      votes.update(repeating: 0)
      patch.samples.withUnsafeBufferPointer { samples in
        for y in 1..<(patch.height - 1) {
          let (upper, lowerShare) = GradientHistogram.cell(of: y)
          for x in 1..<(width - 1) {
            let index = y &* width &+ x
            let gradient = Gradient(
              samples[index &+ 1] - samples[index &- 1],
              samples[index &+ width] - samples[index &- width])
            let (left, rightShare) = GradientHistogram.cell(of: x)
            let first = Int(gradient.direction)
            let ballot = Ballot(
              first: first, second: first == 17 ? 0 : first &+ 1,
              share: gradient.direction - Float(first))
            let cell = upper &* stride &+ left
            let top = gradient.magnitude * (1 - lowerShare)
            let bottom = gradient.magnitude * lowerShare
            ballot.cast(top * (1 - rightShare), cell, votes)
            ballot.cast(top * rightShare, cell &+ 1, votes)
            ballot.cast(bottom * (1 - rightShare), cell &+ stride, votes)
            ballot.cast(bottom * rightShare, cell &+ stride &+ 1, votes)
          }
        }
      }
    }
  }

  /// The cell before a sample's middle, counted from the margin, and the next one's share.
  @inline(__always)
  private static func cell(of sample: Int) -> (cell: Int, share: Float) {
    let position = (Float(sample) + 0.5) / Float(cellSize) + 0.5
    let cell = Int(position)
    return (cell, position - Float(cell))
  }

  /// The two directions that a sample votes for.
  private struct Ballot {
    let first: Int
    let second: Int
    /// The second's share.
    let share: Float

    @inline(__always)
    func cast(_ weight: Float, _ cell: Int, _ votes: UnsafeMutableBufferPointer<Float>) {
      let start = cell &* directions
      votes[start &+ first] += weight * (1 - share)
      votes[start &+ second] += weight * share
    }
  }

  /// Moves the votes into lanes, and measures them.
  private mutating func gather() {
    for row in 0..<rows {
      for column in 0..<columns {
        let start = ((row + 1) * (columns + 2) + column + 1) * GradientHistogram.directions
        var cell = Cell.zero
        for direction in 0..<16 { cell.low[direction] = votes[start + direction] }
        cell.high[0] = votes[start + 16]
        cell.high[1] = votes[start + 17]
        var energy: Float = 0
        for direction in 0..<9 {
          let both = votes[start + direction] + votes[start + direction + 9]
          cell.high[2 + direction] = both
          energy += both * both
        }
        cells[row * columns + column] = cell
        energies[row * columns + column] = energy
      }
    }
  }

  /// Divides each cell by the length of each of the four blocks of two by two cells that it belongs
  /// to, cuts off peaks, and adds the four.
  private mutating func normalize() {
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * columns + column
        let cell = cells[index]
        var sum = Cell.zero
        for (above, before) in [(-1, -1), (-1, 0), (0, -1), (0, 0)] {
          let scale = 1 / (energyOfBlock(row + above, column + before) + 0.1).squareRoot()
          let low = cell.low * scale
          let high = cell.high * scale
          let ceiling = SIMD16<Float>(repeating: GradientHistogram.ceiling)
          sum.low += low.replacing(with: ceiling, where: low .> ceiling)
          sum.high += high.replacing(with: ceiling, where: high .> ceiling)
        }
        cells[index] = Cell(low: sum.low * 0.5, high: sum.high * 0.5)
      }
    }
  }

  /// The block whose first cell is (`row`, `column`); cells outside repeat the edge.
  private func energyOfBlock(_ row: Int, _ column: Int) -> Float {
    let upper = max(row, 0) * columns
    let lower = min(row + 1, rows - 1) * columns
    let left = max(column, 0)
    let right = min(column + 1, columns - 1)
    return energies[upper + left] + energies[upper + right] + energies[lower + left]
      + energies[lower + right]
  }

  /// The mean colour of each cell, -0.5...0.5.
  private mutating func addColors(_ patch: Patch) {
    let size = GradientHistogram.cellSize
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = SIMD4<Float>.zero
        for y in 0..<size {
          for x in 0..<size {
            sum += patch.samples[(row * size + y) * patch.width + column * size + x]
          }
        }
        let mean = sum / Float(size * size * 255) - 0.5
        for channel in 0..<3 { cells[row * columns + column].high[11 + channel] = mean[channel] }
      }
    }
  }
}
