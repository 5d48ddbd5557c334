@testable import MartletModel
import Testing

@testable import MartletInference

@Suite struct FusePaddingTests {
  /// PAD, then a VALID 3x3 convolution with stride 2 whose weights are all 1.
  func padded(_ amounts: [Int32], extent: Int) -> TestModel {
    var test = TestModel()
    let x = test.tensor(.float32, [1, extent, extent, 1])
    let p = test.constant(amounts, [4, 2])
    let rows = extent + Int(amounts[2] + amounts[3])
    let columns = extent + Int(amounts[4] + amounts[5])
    let wide = test.tensor(.float32, [1, rows, columns, 1])
    let w = test.constant([Float](repeating: 1, count: 9), [1, 3, 3, 1])
    let b = test.constant([Float(0)], [1])
    let y = test.tensor(.float32, [1, (rows - 1) / 2, (columns - 1) / 2, 1])
    test.inputs = [x]
    test.outputs = [y]
    test.add(.pad, [x, p], [wide])
    var options = Conv2DOptions()
    options.padding = .valid
    options.strideWidth = 2
    options.strideHeight = 2
    test.add(.conv2D, [wide, w, b], [y], options: .conv2D(options))
    return test
  }

  /// The sums of 3x3 windows at stride 2 of the padded image, from the definition.
  func sums(_ image: [Float], extent: Int, before: Int, after: Int) -> [Float] {
    let count = (extent + before + after - 3) / 2 + 1
    return (0..<count * count).map { output in
      var sum: Float = 0
      for dy in 0..<3 {
        for dx in 0..<3 {
          let y = output / count * 2 + dy - before
          let x = output % count * 2 + dx - before
          if (0..<extent).contains(y) && (0..<extent).contains(x) { sum += image[y * extent + x] }
        }
      }
      return sum
    }
  }

  @Test(
    arguments: [
      // SAME padding adds one at the end of an even extent, and one on both sides of an odd one.
      ([0, 0, 0, 1, 0, 1, 0, 0], 6, ["CONV_2D"]),
      ([0, 0, 1, 1, 1, 1, 0, 0], 5, ["CONV_2D"]),
      ([0, 0, 1, 1, 1, 1, 0, 0], 6, ["PAD", "CONV_2D"]),
      ([0, 0, 0, 1, 0, 1, 0, 0], 5, ["PAD", "CONV_2D"]),
    ] as [([Int32], Int, [String])])
  func fusesSamePaddingIntoTheConvolution(
    _ amounts: [Int32], _ extent: Int, _ names: [String]
  ) throws {
    let interpreter = try padded(amounts, extent: extent).interpreter()
    #expect(interpreter.nodeSummaries.map(\.name) == names)
    let image = (0..<extent * extent).map { Float($0 * $0 % 17) }
    #expect(
      try interpreter.run([image])
        == sums(image, extent: extent, before: Int(amounts[2]), after: Int(amounts[3])))
  }

  @Test func decidesAgainAfterResizing() throws {
    let interpreter = try padded([0, 0, 0, 1, 0, 1, 0, 0], extent: 6).interpreter()
    try interpreter.resizeInput(0, to: [1, 5, 5, 1])
    #expect(interpreter.nodeSummaries.map(\.name) == ["PAD", "CONV_2D"])
    let image = (0..<25).map { Float($0) }
    #expect(
      try interpreter.run([image]) == sums(image, extent: 5, before: 0, after: 1))
  }
}
