//===--- OrientationVotes.swift - votes for gradient directions -----------===//
//
// The weight of each sample's vote is the magnitude of its gradient. It is shared linearly by the
// two nearest of 18 directions and bilinearly by the four nearest cells. The samples between the
// centers of four cells form a square; they vote for the same cells and are added together, four
// shares at once.
//
// Contract  The outermost samples of a patch do not vote.
// Order     The samples of a square row by row.
// Cost      About 30 operations per sample.
//===----------------------------------------------------------------------===//

import MartletKernels
import MartletMicrokernels

/// The votes of a row of squares.
struct OrientationVotes {
  /// The side of a square in samples, the same as a cell's.
  private static let side = GradientHistogram.cellSize
  /// For each sample of a square, the shares of the four cells around it: the upper two, then the
  /// lower two.
  private let shares: [SIMD4<Float>] = (0..<(side * side)).map { sample in
    let lower = (Float(sample / side) + 0.5) / Float(side)
    let right = (Float(sample % side) + 0.5) / Float(side)
    return SIMD4(1 - lower, 1 - lower, lower, lower) * SIMD4(1 - right, right, 1 - right, right)
  }

  // A row of samples starts half a square before the patch and ends half a square after it; after
  // the last row there is room for a vector.
  private let stride: Int
  /// The first direction of each sample, and the weights of that direction and of the next one.
  private var directions: [Int32]
  private var first: [Float]
  private var second: [Float]

  /// Allocates buffers for patches of `width` samples.
  init(width: Int) {
    stride = width + OrientationVotes.side
    let capacity = stride * OrientationVotes.side + Patch.slack
    directions = [Int32](repeating: 0, count: capacity)
    first = [Float](repeating: 0, count: capacity)
    second = first
  }

  /// Reads the squares above the cells of row `row`, those around the cells of `columns`.
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

  /// Reads samples of one row.
  private mutating func read(
    _ patch: Patch, _ y: Int, from start: Int, to end: Int, _ offset: Int
  ) {
    patch.samples.withUnsafeBytes { samples in
      directions.withUnsafeMutableBufferPointer { directions in
        first.withUnsafeMutableBufferPointer { first in
          second.withUnsafeMutableBufferPointer { second in
            guard let samples = samples.assumingMemoryBound(to: Float.self).baseAddress,
              let directions = directions.baseAddress, let first = first.baseAddress,
              let second = second.baseAddress
            else { return }
            let place = offset + start
            Microkernels.current.float32Gradients(
              Float32Gradients(
                samples: samples + 4 * (y * patch.width + start), stride: patch.width,
                count: end - start, directions: directions + place, shares: first + place,
                nextShares: second + place))
          }
        }
      }
    }
  }

  /// Adds the votes to the cells above and below, from the one before the first of `columns` to the
  /// one after the last. Each cell has five four-lane vectors of directions, `cellStride` apart.
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
                // The first direction follows the last.
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

  /// Adds the shares of the four cells to each cell.
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
