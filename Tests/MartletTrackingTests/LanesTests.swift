import Testing

@testable import MartletTracking

@Suite struct LanesTests {
  private let values: SIMD4<Float> = [-2, 0, -0.0, 3]

  @Test func signsAreMinuses() {
    #expect(values.signs == [.max, 0, .max, 0])
  }

  @Test func magnitudesHaveNoSign() {
    #expect(values.magnitudes == [2, 0, 0, 3])
    #expect(values.magnitudes[2].sign == .plus)
  }

  @Test func lanesAreChosenBySign() {
    #expect(SIMD4<Float>(1, 2, 3, 4).or([5, 6, 7, 8], where: values.signs) == [5, 2, 7, 4])
  }

  @Test func theTotalTakesAllLanes() {
    var sixteen = SIMD16<Float>.zero
    for lane in 0..<16 { sixteen[lane] = Float(1 << lane) }
    #expect(sixteen.total == 65535)
  }
}
