import Foundation
import MartletBase
import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct RealFourierTransformTests {
  private func transform(
    _ image: [Float], rows: Int, columns: Int, height: Int, width: Int
  ) -> [ComplexNumber] {
    let transform = RealFourierTransform(height: height, width: width)
    let nothing = ComplexNumber(.nan, .nan)
    return filled(height * transform.columns, with: nothing) { y in
      withBuffer(image) { image in
        withBuffer([Double](repeating: .nan, count: height * transform.scratchCount.row)) { plane in
          withBuffer([Double](repeating: .nan, count: transform.scratchCount.line)) { line in
            transform(image, rows: rows, columns: columns, plane: plane, line: line, into: y)
          }
        }
      }
    }
  }

  /// The sum from the definition, with the cropped or padded image.
  private func sums(
    _ image: [Float], rows: Int, columns: Int, height: Int, width: Int
  ) -> [(Double, Double)] {
    (0..<height).flatMap { u in
      (0...width / 2).map { v in
        var (real, imaginary) = (0.0, 0.0)
        for r in 0..<min(rows, height) {
          for c in 0..<min(columns, width) {
            let turn = Double(u * r) / Double(height) + Double(v * c) / Double(width)
            real += Double(image[r * columns + c]) * cos(-2 * .pi * turn)
            imaginary += Double(image[r * columns + c]) * sin(-2 * .pi * turn)
          }
        }
        return (real, imaginary)
      }
    }
  }

  struct Case: Sendable {
    let rows: Int
    let columns: Int
    let height: Int
    let width: Int
  }

  @Test(arguments: [
    Case(rows: 8, columns: 8, height: 8, width: 8), Case(rows: 3, columns: 5, height: 4, width: 16),
    Case(rows: 9, columns: 9, height: 2, width: 4), Case(rows: 5, columns: 5, height: 32, width: 2),
    Case(rows: 3, columns: 2, height: 1, width: 1), Case(rows: 2, columns: 3, height: 1, width: 2),
    Case(rows: 2, columns: 3, height: 2, width: 1), Case(rows: 0, columns: 0, height: 4, width: 4),
  ])
  func equalsTheSumOfTheDefinition(_ test: Case) {
    let image = (0..<test.rows * test.columns).map { Float(($0 * 37) % 19) - 9 }
    let found = transform(
      image, rows: test.rows, columns: test.columns, height: test.height, width: test.width)
    let expected = sums(
      image, rows: test.rows, columns: test.columns, height: test.height, width: test.width)
    #expect(found.count == expected.count)
    for (a, b) in zip(found, expected) {
      #expect(abs(Double(a.real) - b.0) < 1e-4)
      #expect(abs(Double(a.imaginary) - b.1) < 1e-4)
    }
  }
}
