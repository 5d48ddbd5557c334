//===--- CompileErrorTests.swift ------------------------------------------===//

import Testing

@testable import MartletCommandLine

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
  ]) func messagesSayWhatToDo(_ error: CompileError, _ text: String) {
    #expect("\(error)" == text)
  }
}
