import MartletTestSupport
import Testing

@testable import MartletReference

@Suite struct TransformTensorTests {
  private func transform(
    _ x: [Float], _ extents: TensorTransform, by matrix: [Float]
  ) -> [Float] {
    filled(extents.outputRows * extents.outputColumns * extents.depth, with: Float.nan) { y in
      withBuffer(x) { x in
        withBuffer(matrix) { Reference.transformTensor(x, by: $0, extents, into: y) }
      }
    }
  }

  /// A matrix with these first two rows.
  private func matrix(_ x: [Float], _ y: [Float]) -> [Float] {
    x + y + [0, 0, 1, 0, 0, 0, 0, 1]
  }

  static let square = TensorTransform(
    inputRows: 2, inputColumns: 2, outputRows: 2, outputColumns: 2, depth: 1)

  @Test func identityKeepsImage() {
    let y = transform(
      [1, 2, 3, 4], TransformTensorTests.square, by: matrix([1, 0, 0, 0], [0, 1, 0, 0]))
    #expect(y == [1, 2, 3, 4])
  }

  @Test func halfPixelShiftBlendsTwo() {
    let y = transform(
      [1, 2, 3, 4], TransformTensorTests.square, by: matrix([1, 0, 0, 0.5], [0, 1, 0, 0]))
    // The right column would need pixels beyond the last center.
    #expect(y == [1.5, 0, 3.5, 0])
  }

  @Test func halvingAveragesFourPixels() {
    let extents = TensorTransform(
      inputRows: 2, inputColumns: 2, outputRows: 1, outputColumns: 1, depth: 2)
    let y = transform(
      [1, 10, 2, 20, 3, 30, 6, 60], extents, by: matrix([2, 0, 0, 0], [0, 2, 0, 0]))
    #expect(y == [3, 30])
  }

  @Test func quarterTurnSwapsAxes() {
    let y = transform(
      [1, 2, 3, 4], TransformTensorTests.square, by: matrix([0, 1, 0, 0], [1, 0, 0, 0]))
    #expect(y == [1, 3, 2, 4])
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e30, -1] as [Float])
  func positionsOutsideAreZero(_ shift: Float) {
    let y = transform(
      [1, 2, 3, 4], TransformTensorTests.square, by: matrix([1, 0, 0, shift], [0, 1, 0, shift]))
    #expect(y[0] == 0)
    #expect(y[1] == 0)
  }
}
