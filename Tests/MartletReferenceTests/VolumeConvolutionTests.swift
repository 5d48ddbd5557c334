import MartletTestSupport
import Testing

@testable import MartletReference

@testable import MartletBase

@Suite struct VolumeConvolutionTests {
  private func axis(
    _ input: Int, _ filter: Int, stride: Int = 1, dilation: Int = 1, isSame: Bool = false
  ) throws -> WindowAxis {
    try #require(
      WindowAxis(
        input: input, filter: filter, stride: stride, dilation: dilation, isSame: isSame))
  }

  private func convolve<Layer: WeightedSums>(
    _ layer: Layer, _ x: [Float], _ w: [Float], count: Int
  ) -> [Float] {
    filled(count, with: .nan) { y in
      withBuffer(x) { x in
        withBuffer(w) { w in
          withBuffer([Float]()) { bias in
            Reference.convolve(
              x, filter: w, bias: bias, layer, clampedTo: -1000...1000, into: y)
          }
        }
      }
    }
  }

  /// A 2x2x2 volume with a filter of the same size and two output channels.
  @Test func channelsAreInnermost() throws {
    let window = VolumeWindow(
      batches: 1, planes: try axis(2, 2), rows: try axis(2, 2), columns: try axis(2, 2))
    let layer = VolumeConvolution(window: window, inputDepth: 1, outputDepth: 2)
    let w = (0..<16).map { $0 % 2 == 0 ? Float($0 / 2) : 1 }
    #expect(convolve(layer, [1, 2, 3, 4, 5, 6, 7, 8], w, count: 2) == [168, 36])
  }

  /// Along one axis: SAME padding with stride 2 and dilation 2 is excluded from the sums.
  @Test func excludesThePadding() throws {
    let window = VolumeWindow(
      batches: 1, planes: try axis(5, 3, stride: 2, dilation: 2, isSame: true),
      rows: try axis(1, 1), columns: try axis(1, 1))
    let layer = VolumeConvolution(window: window, inputDepth: 1, outputDepth: 1)
    #expect(convolve(layer, [1, 2, 3, 4, 5], [100, 10, 1], count: 3) == [13, 135, 350])
  }

  /// The transpose sums what a convolution with the same window reads.
  @Test func transposeIsTheAdjointOfTheConvolution() throws {
    let window = VolumeWindow(
      batches: 1, planes: try axis(1, 1), rows: try axis(1, 1),
      columns: try axis(5, 3, stride: 2))
    let layer = TransposeVolumeConvolution(window: window, inputDepth: 1, outputDepth: 1)
    #expect(convolve(layer, [1, 2], [1, 10, 100], count: 5) == [1, 10, 102, 20, 200])
  }
}
