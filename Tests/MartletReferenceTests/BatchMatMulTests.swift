import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct BatchMatMulTests {
  private func product(
    _ left: [Int], _ right: [Int], batch: [Int], adjoint: (Bool, Bool) = (false, false)
  ) -> BatchMatMul {
    BatchMatMul(
      left: Shape(left), right: Shape(right), batch: Shape(batch), isLeftTransposed: adjoint.0,
      isRightTransposed: adjoint.1)
  }

  private func multiply(_ product: BatchMatMul, _ x: [Float], _ w: [Float]) -> [Float] {
    filled(product.batches * product.rows * product.columns, with: .nan) { y in
      withBuffer(x) { x in
        withBuffer(w) { w in
          withBuffer([Float]()) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, product, clampedTo: -Float.infinity...Float.infinity,
              into: y)
          }
        }
      }
    }
  }

  static let adjoints = [(false, false), (false, true), (true, false), (true, true)]

  /// [1 2; 3 4; 5 6] times [1 10 100; 2 20 200], stored in both orders.
  @Test(arguments: adjoints)
  func multipliesMatricesStoredEitherWay(_ adjoint: (Bool, Bool)) {
    let left: [Float] = adjoint.0 ? [1, 3, 5, 2, 4, 6] : [1, 2, 3, 4, 5, 6]
    let right: [Float] = adjoint.1 ? [1, 2, 10, 20, 100, 200] : [1, 10, 100, 2, 20, 200]
    let product = product(
      adjoint.0 ? [2, 3] : [3, 2], adjoint.1 ? [3, 2] : [2, 3], batch: [], adjoint: adjoint)
    #expect(multiply(product, left, right) == [5, 50, 500, 11, 110, 1100, 17, 170, 1700])
  }

  @Test func broadcastsBatchesOverSeveralAxes() {
    // Left [2, 1], right [3]: a result for each pair.
    let product = product([2, 1, 1, 1], [3, 1, 1], batch: [2, 3])
    #expect(product.rightCount == 3)
    #expect(multiply(product, [1, 10], [1, 2, 3]) == [1, 2, 3, 10, 20, 30])
  }

  @Test func appliesTheScaleOfEachRow() {
    let product = product([2, 2, 1], [1, 2], batch: [2])
    let y = filled(8, with: Float.nan) { y in
      withBuffer([1, 2, 3, 4] as [Int16]) { values in
        withBuffer([1, 0.5, 2, 0.25] as [Float]) { scales in
          withBuffer([1, -1] as [Int8]) { w in
            Reference.multiply(
              values: values, scales: scales, by: w, factors: [1, 10], product, into: y)
          }
        }
      }
    }
    #expect(y == [1, -10, 1, -10, 6, -60, 1, -10])
  }

  @Test func transposesEachMatrix() {
    let y = filled(8, with: 0) { y in
      withBuffer([1, 2, 3, 4, 5, 6, 7, 8]) {
        Reference.transpose($0, rows: 1, columns: 4, into: y)
      }
    }
    #expect(y == [1, 2, 3, 4, 5, 6, 7, 8])
    let z = filled(8, with: 0) { y in
      withBuffer([1, 2, 3, 4, 5, 6, 7, 8]) {
        Reference.transpose($0, rows: 2, columns: 2, into: y)
      }
    }
    #expect(z == [1, 3, 2, 4, 5, 7, 6, 8])
  }
}
