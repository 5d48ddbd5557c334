//===--- CompileErrorTests.swift ------------------------------------------===//

import Testing

@testable import MartletCompiler

@Suite struct CompileErrorTests {
  @Test(arguments: [
    (
      CompileError.unsupported(["GATHER", "MEAN along other axes than height and width"]),
      """
      no compiled kernels for GATHER, MEAN along other axes than height and width; run the model \
      with the interpreter instead
      """
    ),
    (
      .dynamicShape(tensor: "image"),
      """
      the shape of the tensor image is only known at run time; convert the model with a fixed \
      input size
      """
    ),
    (.notConstant(node: 3, operand: 1), "node 3: input 1 must be a constant"),
    (
      .interpreter(.option(node: 2, name: "axis", value: 100)), "operator 2: invalid axis 100"
    ),
    (
      .scale(node: 1, channel: 7, factor: 0.5, reach: 65536),
      """
      node 1: the sums of channel 7, up to 65536.0, are multiplied by 0.5, the input's scale times \
      that of the weights by the output's; expected a factor of 1e-9 to 0.125 and sums below \
      2147483648; quantize the model with other representative data, or run it with the \
      interpreter instead
      """
    ),
  ]) func messagesSayWhatToDo(_ error: CompileError, _ text: String) {
    #expect("\(error)" == text)
  }
}
