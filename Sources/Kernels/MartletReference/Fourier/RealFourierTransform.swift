//===--- RealFourierTransform.swift - Fourier transform of real images ----===//
//
// Y[u, v] = Σ over r, c of x[r, c] · exp(-2πi (u r / height + v c / width)), v ≤ width / 2
//
// Contract  Extents are powers of two. Images are cropped or zero-padded to them. The omitted half,
//           v > width / 2, is the complex conjugate of the stored one.
// Order     Rows, then columns, radix 2, in double precision; parts are rounded to single once.
// Cost      height · width · (log height + log width).
//===----------------------------------------------------------------------===//

import MartletBase

/// A two-dimensional transform of fixed extents.
package struct RealFourierTransform: Sendable {
  package let height: Int
  package let width: Int
  /// exp(-2πi k / n) for k below n / 2, where n is the larger extent; pairs of real and imaginary
  /// parts.
  private let roots: [Double]

  /// The number of elements of `roots` for these extents.
  package static func rootCount(height: Int, width: Int) -> Int { max(height, width) }

  /// - Precondition: Both extents are powers of two.
  package init(height: Int, width: Int) {
    self.height = height
    self.width = width
    roots = RealFourierTransform.roots(of: max(height, width))
  }

  /// The number of columns of a result.
  package var columns: Int { width / 2 + 1 }
  /// The number of elements of scratch memory for each row, and for one row or column.
  package var scratchCount: (row: Int, line: Int) { (2 * columns, 2 * max(height, width)) }

  /// The first half of the `n`th roots of one. A root between two others is their sum, normalized
  /// to length one.
  private static func roots(of n: Int) -> [Double] {
    var half: [Double] = [1, 0]
    var count = 2
    while count < n {
      var finer: [Double] = []
      finer.reserveCapacity(2 * half.count)
      for i in stride(from: 0, to: half.count, by: 2) {
        // The root after the last is -1; the one between 1 and -1 is -i.
        let isLast = i + 2 == half.count
        let next = isLast ? (-1.0, 0.0) : (half[i + 2], half[i + 3])
        let (x, y) = count == 2 ? (0, -1) : (half[i] + next.0, half[i + 1] + next.1)
        let length = (x * x + y * y).squareRoot()
        finer += [half[i], half[i + 1], x / length, y / length]
      }
      half = finer
      count *= 2
    }
    return half
  }

  /// Transforms one image of `rows` by `columns`; `plane` and `line` are scratch memory.
  package func callAsFunction(
    _ image: UnsafeMutableBufferPointer<Float>, rows: Int, columns inputColumns: Int,
    plane: UnsafeMutableBufferPointer<Double>, line: UnsafeMutableBufferPointer<Double>,
    into output: UnsafeMutableBufferPointer<ComplexNumber>
  ) {
    for row in 0..<height {
      for i in 0..<2 * width { line[i] = 0 }
      if row < rows {
        for column in 0..<min(width, inputColumns) {
          line[2 * column] = Double(image[row * inputColumns + column])
        }
        transform(line, count: width)
      }
      for i in 0..<2 * columns { plane[row * 2 * columns + i] = line[i] }
    }
    for column in 0..<columns {
      for row in 0..<height {
        line[2 * row] = plane[(row * columns + column) * 2]
        line[2 * row + 1] = plane[(row * columns + column) * 2 + 1]
      }
      transform(line, count: height)
      for row in 0..<height {
        output[row * columns + column] = ComplexNumber(
          Float(line[2 * row]), Float(line[2 * row + 1]))
      }
    }
  }

  /// Transforms `count` complex numbers in place, a power of two that is at most the larger extent.
  func transform(_ x: UnsafeMutableBufferPointer<Double>, count: Int) {
    reverseBits(x, count: count)
    var length = 2
    while length <= count {
      let step = max(height, width) / length
      for start in stride(from: 0, to: count, by: length) {
        for k in 0..<length / 2 {
          let (c, s) = (roots[2 * k * step], roots[2 * k * step + 1])
          let low = 2 * (start + k)
          let high = low + length
          let real = x[high] * c - x[high + 1] * s
          let imaginary = x[high] * s + x[high + 1] * c
          (x[high], x[high + 1]) = (x[low] - real, x[low + 1] - imaginary)
          x[low] += real
          x[low + 1] += imaginary
        }
      }
      length *= 2
    }
  }

  /// Permutes the numbers by bit-reversed index.
  private func reverseBits(_ x: UnsafeMutableBufferPointer<Double>, count: Int) {
    var reversed = 0
    for i in 0..<count {
      if i < reversed {
        x.swapAt(2 * i, 2 * reversed)
        x.swapAt(2 * i + 1, 2 * reversed + 1)
      }
      var bit = count / 2
      while bit > 0, reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
    }
  }
}
