import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct TransposeConvolutionTests {
  /// The definition: each input pixel adds the weighted filter to the output.
  @Test(arguments: [
    (3, 2, 2, 6, true), (2, 3, 2, 5, false), (4, 3, 1, 4, true), (2, 1, 2, 4, true),
  ])
  func addsTheFilterAtEachPixel(
    _ c: (input: Int, filter: Int, stride: Int, output: Int, same: Bool)
  ) throws {
    let axis = try #require(
      WindowAxis(input: c.output, filter: c.filter, stride: c.stride, isSame: c.same))
    let convolution = TransposeConvolution(
      window: SlidingWindow(batches: 1, rows: axis, columns: axis), inputRows: c.input,
      inputColumns: c.input, inputDepth: 1, outputDepth: 1)
    let x = (0..<c.input * c.input).map { Float($0 + 1) }
    let w = (0..<c.filter * c.filter).map { Float(1 << $0) }
    var expected = [Float](repeating: 0, count: c.output * c.output)
    for row in 0..<c.input {
      for column in 0..<c.input {
        for tapRow in 0..<c.filter {
          for tapColumn in 0..<c.filter {
            let y = row * c.stride - axis.border + tapRow
            let z = column * c.stride - axis.border + tapColumn
            guard (0..<c.output).contains(y), (0..<c.output).contains(z) else { continue }
            expected[y * c.output + z] +=
              x[row * c.input + column] * w[tapRow * c.filter + tapColumn]
          }
        }
      }
    }
    let y = filled(expected.count, with: Float.nan) { y in
      withBuffer(x) { x in
        withBuffer(w) { w in
          withBuffer([Float]()) {
            Reference.convolve(
              x, filter: w, bias: $0, convolution, clampedTo: -1e9...1e9, into: y)
          }
        }
      }
    }
    #expect(y == expected)
  }
}
