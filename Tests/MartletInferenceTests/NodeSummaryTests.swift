@testable import MartletModel
import Testing

@testable import MartletOperators
@testable import MartletInference

@Suite struct NodeSummaryTests {
  func summary(_ builtin: BuiltinOperator, _ shapes: [[Int]], output: [Int]) -> NodeSummary {
    let tensors = (shapes + [output]).enumerated().map { index, shape in
      TensorInfo(
        index: index, declaredType: .float32, shape: Shape(shape), quantization: nil,
        isConstant: false)
    }
    let operation = Operator(
      code: .builtin(builtin), inputs: Array(shapes.indices), outputs: [shapes.count])
    return NodeSummary(
      GraphNode(index: 0, operation: operation, traits: Registry.builtin.traits(of: operation)),
      tensors: tensors)
  }

  @Test(arguments: [
    (BuiltinOperator.conv2D, [[1, 8, 8, 3], [16, 3, 3, 3]], [1, 4, 4, 16], 4 * 4 * 16 * 27),
    (.depthwiseConv2D, [[1, 8, 8, 3], [1, 3, 3, 6]], [1, 8, 8, 6], 8 * 8 * 6 * 9),
    (.fullyConnected, [[2, 10], [5, 10]], [2, 5], 2 * 5 * 10),
    (.conv3D, [[1, 4, 4, 4, 2], [3, 3, 3, 2, 5]], [1, 4, 4, 4, 5], 4 * 4 * 4 * 5 * 27 * 2),
    (.rnn, [[2, 3], [4, 3], [4, 4], [4], [2, 4]], [2, 4], 2 * (4 * 3 + 4 * 4)),
    (.lstm, [[2, 3], [2, 4], [16, 7], [16], [2, 4]], [2, 4], 2 * 16 * 7),
    (
      .lstm,
      [[2, 3]] + [[Int]](repeating: [4, 3], count: 4) + [[Int]](repeating: [4, 4], count: 4)
        + [[Int]](repeating: [0], count: 11), [2, 4], 2 * 4 * (4 * 3 + 4 * 4)
    ),
    (.add, [[4], [4]], [4], 0),
  ])
  func countsMultiplicationsWithWeights(
    _ builtin: BuiltinOperator, _ inputs: [[Int]], _ output: [Int], _ expected: Int
  ) {
    #expect(summary(builtin, inputs, output: output).multiplyAdds == expected)
  }

  @Test func namesOperatorAndShapes() {
    let add = summary(.add, [[4, 2], [2]], output: [4, 2])
    #expect(add.signature == "ADD float32 [4, 2] [2] -> [4, 2]")
  }
}
