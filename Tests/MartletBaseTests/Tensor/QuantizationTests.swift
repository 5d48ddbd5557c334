import Testing

@testable import MartletBase

@Suite struct QuantizationTests {
  @Test func oneScaleAppliesToTheTensor() {
    let map = Quantization(scale: 0.5, zeroPoint: -3)
    #expect(map.isPerTensor)
    #expect(map.scale == 0.5)
    #expect(map.zeroPoint == -3)
    #expect(map == Quantization(scales: [0.5], zeroPoints: [-3], axis: 0))
  }

  @Test func severalScalesApplyAlongAnAxis() {
    let map = Quantization(scales: [0.5, 0.25], zeroPoints: [0, 1], axis: 3)
    #expect(!map.isPerTensor)
    #expect(map.axis == 3)
    #expect(map.scale == 0.5)
    #expect(map.zeroPoint == 0)
    #expect(map.zeroPoints == [0, 1])
  }

  @Test func equalZeroPointsAreReturnedPerScale() {
    let map = Quantization(scales: [0.5, 0.25, 1], zeroPoints: [7, 7, 7], axis: 0)
    #expect(map.zeroPoints == [7, 7, 7])
    #expect(map != Quantization(scales: [0.5, 0.25, 1], zeroPoints: [7, 7, 6], axis: 0))
  }
}
