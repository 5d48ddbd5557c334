import MartletTestSupport
import Testing

@testable import MartletModel
@testable import MartletTool

@Suite struct OptionListTests {
  let model = Model(
    bytes: FileBytes([]), version: 3, description: "", subgraphs: [], buffers: [0..<0],
    metadata: [],
    signatures: [])

  func words(_ options: OperatorOptions) -> String {
    let operation = Operator(
      code: .builtin(.conv2D), inputs: [], outputs: [], options: options)
    return "\(OptionList(operation, of: model))"
  }

  @Test func listsEveryOptionWithItsValue() {
    var options = Conv2DOptions()
    options.padding = .valid
    options.strideWidth = 2
    options.strideHeight = 3
    options.dilationWidth = 4
    options.activation = .relu6
    #expect(
      words(.conv2D(options))
        == "padding=valid strideWidth=2 strideHeight=3 dilationWidth=4 dilationHeight=1 "
        + "activation=relu6 quantizedBiasType=0")
  }

  @Test(
    arguments: [
      (.none, ""), (.other(tag: 7), "table=7"),
      (.reshape(ReshapeOptions(newShape: [2, -1])), "newShape=[2,-1]"),
      (.softmax(SoftmaxOptions(beta: 0.5)), "beta=0.5"),
      (
        .add(AddOptions(activation: .none, potScaleInt16: false)),
        "activation=none potScaleInt16=false"
      ),
      (.if(IfOptions(thenSubgraph: 1, elseSubgraph: 2)), "thenSubgraph=1 elseSubgraph=2"),
    ] as [(OperatorOptions, String)])
  func formatsListsNumbersAndNames(_ options: OperatorOptions, _ expected: String) {
    #expect(words(options) == expected)
  }
}
