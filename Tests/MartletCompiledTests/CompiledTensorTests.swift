//===--- CompiledTensorTests.swift ----------------------------------------===//

import MartletCompiled
import Testing

@Suite struct CompiledTensorTests {
  @available(macOS 26, iOS 26, *)
  private var tensor: CompiledTensor<3> {
    CompiledTensor(shape: [1, 2, 3], count: 6, scale: 0.25, zeroPoint: -8)
  }

  @available(macOS 26, iOS 26, *)
  @Test(
    arguments: [
      (0, -8), (1, -4), (-0.5, -10), (0.125, -7), (0.12, -8), (-0.125, -9), (100, 127),
      (-100, -128), (.infinity, 127), (-.infinity, -128), (.nan, -8),
    ] as [(Float, Int8)])
  func realNumbersBecomeTheNearestElement(_ real: Float, _ element: Int8) {
    #expect(tensor.element(real) == element)
  }

  @available(macOS 26, iOS 26, *)
  @Test func elementsStandForRealNumbers() {
    #expect(tensor.real(-4 as Int8) == 1)
    #expect(tensor.shape[2] == 3)
  }
}
