//===--- GradientHistogram.swift - histograms of oriented gradients -------===//
//
// Histograms of oriented gradients in cells of four by four samples: 18 directions, 9 directions
// without sign, and the mean color, 30 channels in two vectors (Dalal and Triggs, 2005; normalized
// by the four blocks around a cell as in Felzenszwalb et al., 2010).
//
// Contract  Each sample votes with its color channel of the steepest gradient. A vote is shared
//           bilinearly by the four nearest cells and linearly by the two nearest directions. The
//           outermost samples have no gradient.
// Order     The votes of each square of samples between the centers of four cells row by row, then
//           the squares row by row; cells and blocks in a fixed order.
// Cost      About 40 operations per sample.
//===----------------------------------------------------------------------===//

/// The channels of one cell. `low`: signed directions 0..<16; `high`: the last two signed
/// directions, the nine unsigned ones, and three colors.
struct Cell {
  var low: SIMD16<Float>
  var high: SIMD16<Float>

  static let zero = Cell(low: .zero, high: .zero)
}

/// A range of rows and columns of cells.
struct CellRange: Equatable {
  var rows: Range<Int>
  var columns: Range<Int>
}

/// Computes the cells of patches of one size.
struct GradientHistogram {
  /// The samples along a cell's side.
  static let cellSize = 4
  /// The four-lane vectors of a cell's votes for 18 directions.
  private static let stride = 5
  /// The largest value of a channel, so that one strong edge does not dominate.
  private static let ceiling: Float = 0.2

  let columns: Int
  let rows: Int
  /// Votes for the 18 directions, cell after cell, with a margin of one cell on each side.
  private var votes: [SIMD4<Float>]
  private var rowVotes: OrientationVotes
  /// The squared length of each cell's unsigned votes.
  private var energies: [Float]
  /// The factor of each block of two by two cells; the first block starts before the first cell.
  private var scales: [Float]
  private(set) var cells: [Cell]

  /// Creates cells for patches of `width` times `height` samples. Both are multiples of the cell's
  /// size, at least two cells.
  init(width: Int, height: Int) {
    columns = width / GradientHistogram.cellSize
    rows = height / GradientHistogram.cellSize
    votes = [SIMD4<Float>](
      repeating: .zero, count: (columns + 2) * (rows + 2) * GradientHistogram.stride)
    rowVotes = OrientationVotes(width: width)
    energies = [Float](repeating: 0, count: columns * rows)
    scales = [Float](repeating: 0, count: (columns + 1) * (rows + 1))
    cells = [Cell](repeating: .zero, count: columns * rows)
  }

  /// All cells.
  private var all: CellRange { CellRange(rows: 0..<rows, columns: 0..<columns) }

  /// Computes `cells` from a patch, or only those of `range`: the others keep their values. The
  /// outermost cells of the range are normalized as if the range's edge were repeated.
  mutating func read(_ patch: Patch, _ range: CellRange? = nil) {
    let range = range ?? all
    vote(patch, range)
    gather(range)
    normalize(range)
    addColors(patch, range)
  }

  private mutating func vote(_ patch: Patch, _ range: CellRange) {
    let stride = GradientHistogram.stride * (columns + 2)
    votes.withUnsafeMutableBufferPointer { votes in
      guard let votes = votes.baseAddress else { return }
      for row in range.rows.lowerBound...(range.rows.upperBound + 1) {
        (votes + row * stride + range.columns.lowerBound * GradientHistogram.stride).update(
          repeating: .zero, count: (range.columns.count + 2) * GradientHistogram.stride)
      }
      for row in range.rows.lowerBound...range.rows.upperBound {
        rowVotes.read(patch, row: row, range.columns)
        rowVotes.count(
          range.columns, upper: votes + row * stride, lower: votes + (row + 1) * stride,
          cellStride: GradientHistogram.stride)
      }
    }
  }

  /// Moves the votes into lanes and computes their energy.
  private mutating func gather(_ range: CellRange) {
    votes.withUnsafeBufferPointer { votes in
      cells.withUnsafeMutableBufferPointer { cells in
        for row in range.rows {
          for column in range.columns {
            let start = ((row &+ 1) &* (columns &+ 2) &+ column &+ 1) &* GradientHistogram.stride
            let (a, b, c) = (votes[start], votes[start &+ 1], votes[start &+ 2])
            let (d, e) = (votes[start &+ 3], votes[start &+ 4])
            // Opposite directions are nine apart.
            let first = a + SIMD4(c[1], c[2], c[3], d[0])
            let second = b + SIMD4(d[1], d[2], d[3], e[0])
            let last = c[0] + e[1]
            let index = row &* columns &+ column
            cells[index].low = SIMD16(
              lowHalf: SIMD8(lowHalf: a, highHalf: b), highHalf: SIMD8(lowHalf: c, highHalf: d))
            cells[index].high = SIMD16(
              lowHalf: SIMD8(
                lowHalf: SIMD4(e[0], e[1], first[0], first[1]),
                highHalf: SIMD4(first[2], first[3], second[0], second[1])),
              highHalf: SIMD8(
                lowHalf: SIMD4(second[2], second[3], last, 0), highHalf: .zero))
            energies[index] = (first * first + second * second).sum() + last * last
          }
        }
      }
    }
  }

  /// Divides each cell by the lengths of the four blocks of two by two cells that contain it, clips
  /// large values, and halves the sum of the four results.
  private mutating func normalize(_ range: CellRange) {
    for row in range.rows.lowerBound...range.rows.upperBound {
      for column in range.columns.lowerBound...range.columns.upperBound {
        let energy = energyOfBlock(row - 1, column - 1, range)
        scales[row * (columns + 1) + column] = 1 / (energy + 0.1).squareRoot()
      }
    }
    scales.withUnsafeBufferPointer { scales in
      cells.withUnsafeMutableBufferPointer { cells in
        for row in range.rows {
          for column in range.columns {
            let index = row &* columns &+ column
            let block = row &* (columns &+ 1) &+ column
            let four = SIMD4(
              scales[block], scales[block &+ 1], scales[block &+ columns &+ 1],
              scales[block &+ columns &+ 2])
            cells[index].low = GradientHistogram.normalized(cells[index].low, four)
            cells[index].high = GradientHistogram.normalized(cells[index].high, four)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func normalized(
    _ values: SIMD16<Float>, _ scales: SIMD4<Float>
  ) -> SIMD16<Float> {
    let ceiling = SIMD16<Float>(repeating: GradientHistogram.ceiling)
    var sum = SIMD16<Float>.zero
    for block in 0..<4 {
      let scaled = values * scales[block]
      sum += scaled.replacing(with: ceiling, where: scaled .> ceiling)
    }
    return sum * 0.5
  }

  /// The energy of the block whose first cell is (`row`, `column`); cells outside repeat the edge.
  private func energyOfBlock(_ row: Int, _ column: Int, _ range: CellRange) -> Float {
    let upper = max(row, range.rows.lowerBound) * columns
    let lower = min(row + 1, range.rows.upperBound - 1) * columns
    let left = max(column, range.columns.lowerBound)
    let right = min(column + 1, range.columns.upperBound - 1)
    return energies[upper + left] + energies[upper + right] + energies[lower + left]
      + energies[lower + right]
  }

  /// Stores the mean color of each cell, -0.5...0.5.
  private mutating func addColors(_ patch: Patch, _ range: CellRange) {
    let size = GradientHistogram.cellSize
    patch.samples.withUnsafeBufferPointer { samples in
      cells.withUnsafeMutableBufferPointer { cells in
        for row in range.rows {
          for column in range.columns {
            var sum = SIMD4<Float>.zero
            for y in 0..<size {
              let start = (row &* size &+ y) &* patch.width &+ column &* size
              sum +=
                (samples[start] + samples[start &+ 1])
                + (samples[start &+ 2] + samples[start &+ 3])
            }
            let mean = sum / Float(size * size * 255) - 0.5
            let index = row &* columns &+ column
            cells[index].high[11] = mean[0]
            cells[index].high[12] = mean[1]
            cells[index].high[13] = mean[2]
          }
        }
      }
    }
  }
}
