//===--- OrientationVotes.swift - votes of gradients for directions -------===//
//
// Each sample has a vote as heavy as its gradient is steep, shared linearly by the two nearest of 18
// directions and bilinearly by the four nearest cells. The samples between the middles of four cells
// make a square; they vote for the same cells and are counted together, four shares at once.
//
// Contract  The outermost samples of a patch do not vote.
// Order     The samples of a square by rows.
// Cost      About 30 operations a sample.
// Checked   Tests/MartletTrackingTests/GradientHistogramTests.swift
//===----------------------------------------------------------------------===//

/// The votes of a row of squares.
struct OrientationVotes {
  /// Samples along a side of a square, which is a cell's.
  private static let side = GradientHistogram.cellSize
  /// The shares of the four cells around a square in each of its samples: the upper two, the lower
  /// two.
  private let shares: [SIMD4<Float>] = (0..<(side * side)).map { sample in
    let lower = (Float(sample / side) + 0.5) / Float(side)
    let right = (Float(sample % side) + 0.5) / Float(side)
    return SIMD4(1 - lower, 1 - lower, lower, lower) * SIMD4(1 - right, right, 1 - right, right)
  }

  // A row of samples begins half a square before the patch and ends half a square behind it.
  private let stride: Int
  /// The first direction of each sample, and the weights of that and of the next one.
  private var directions: [Int32]
  private var first: [Float]
  private var second: [Float]

  /// OrientationVotes for patches of `width` samples.
  init(width: Int) {
    stride = width + OrientationVotes.side
    directions = [Int32](repeating: 0, count: stride * OrientationVotes.side)
    first = [Float](repeating: 0, count: stride * OrientationVotes.side)
    second = first
  }

  /// Reads the squares before the row of cells `row`, those around the cells of `columns`.
  mutating func read(_ patch: Patch, row: Int, _ columns: Range<Int>) {
    let half = OrientationVotes.side / 2
    let start = max(columns.lowerBound * OrientationVotes.side - half, 1)
    let end = min(columns.upperBound * OrientationVotes.side + half, patch.width - 1)
    for line in 0..<OrientationVotes.side {
      let y = row * OrientationVotes.side - half + line
      let offset = line * stride
      if y > 0, y < patch.height - 1 {
        read(patch, y, from: start, to: end, offset + half)
        discard(offset..<(offset + half + 1))
        discard((offset + half + patch.width - 1)..<(offset + stride))
      } else {
        discard(offset..<(offset + stride))
      }
    }
  }

  private mutating func discard(_ samples: Range<Int>) {
    for index in samples {
      first[index] = 0
      second[index] = 0
    }
  }

  /// Reads samples of one row, four at a time; the last four may have been read before.
  private mutating func read(
    _ patch: Patch, _ y: Int, from start: Int, to end: Int, _ offset: Int
  ) {
    let width = patch.width
    patch.samples.withUnsafeBufferPointer { samples in
      directions.withUnsafeMutableBytes { directions in
        first.withUnsafeMutableBytes { first in
          second.withUnsafeMutableBytes { second in
            var x = start
            while true {
              let index = y &* width &+ x
              let gradient = Gradient(
                OrientationVotes.differences(samples, index &- 1, index &+ 1),
                OrientationVotes.differences(samples, index &- width, index &+ width))
              // Adding 1.5 · 2²³ leaves the nearest whole number in the last bits.
              let shifted = gradient.direction - 0.5 + 12_582_912
              let share = gradient.direction - (shifted - 12_582_912)
              let number = unsafeBitCast(shifted, to: SIMD4<Int32>.self) & 31
              let place = (offset &+ x) &* 4
              directions.storeBytes(of: number, toByteOffset: place, as: SIMD4<Int32>.self)
              first.storeBytes(
                of: gradient.magnitude * (1 - share), toByteOffset: place, as: SIMD4<Float>.self)
              second.storeBytes(
                of: gradient.magnitude * share, toByteOffset: place, as: SIMD4<Float>.self)
              guard x &+ 4 < end else { break }
              x = min(x &+ 4, end &- 4)
            }
          }
        }
      }
    }
  }

  /// The differences of four samples from four others.
  @inline(__always)
  private static func differences(
    _ samples: UnsafeBufferPointer<SIMD4<Float>>, _ from: Int, _ to: Int
  ) -> Gradient.Channels {
    Gradient.Channels(
      samples[to] - samples[from], samples[to &+ 1] - samples[from &+ 1],
      samples[to &+ 2] - samples[from &+ 2], samples[to &+ 3] - samples[from &+ 3])
  }

  /// Adds the votes to those of the cells above and below, from the one before the first of
  /// `columns` to the one behind the last: five fours of directions each, `cellStride` apart.
  func count(
    _ columns: Range<Int>, upper: UnsafeMutablePointer<SIMD4<Float>>,
    lower: UnsafeMutablePointer<SIMD4<Float>>, cellStride: Int
  ) {
    shares.withUnsafeBufferPointer { shares in
      directions.withUnsafeBufferPointer { directions in
        first.withUnsafeBufferPointer { first in
          second.withUnsafeBufferPointer { second in
            withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 20) { sums in
              for column in columns.lowerBound...columns.upperBound {
                for index in 0..<20 { sums[index] = .zero }
                for sample in 0..<16 {
                  let index =
                    (sample &>> 2) &* stride &+ column &* OrientationVotes.side &+ (sample & 3)
                  let direction = Int(directions[index])
                  sums[direction] += shares[sample] * first[index]
                  sums[direction &+ 1] += shares[sample] * second[index]
                }
                // Behind the last direction comes the first.
                sums[0] += sums[18]
                sums[18] = .zero
                OrientationVotes.add(
                  sums, upper + column &* cellStride, lower + column &* cellStride, cellStride)
              }
            }
          }
        }
      }
    }
  }

  /// Adds the shares of four cells to each.
  @inline(__always)
  private static func add(
    _ sums: UnsafeMutableBufferPointer<SIMD4<Float>>, _ upper: UnsafeMutablePointer<SIMD4<Float>>,
    _ lower: UnsafeMutablePointer<SIMD4<Float>>, _ cellStride: Int
  ) {
    for four in 0..<5 {
      let (a, b) = (sums[4 &* four], sums[4 &* four &+ 1])
      let (c, d) = (sums[4 &* four &+ 2], sums[4 &* four &+ 3])
      upper[four] += SIMD4(a[0], b[0], c[0], d[0])
      upper[four &+ cellStride] += SIMD4(a[1], b[1], c[1], d[1])
      lower[four] += SIMD4(a[2], b[2], c[2], d[2])
      lower[four &+ cellStride] += SIMD4(a[3], b[3], c[3], d[3])
    }
  }
}
