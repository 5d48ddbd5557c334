import Testing

@testable import MartletVision

@Suite struct ProminenceTests {
  let parameters: DetectionParameters = {
    var parameters = DetectionParameters()
    parameters.sizeExponent = 0.3
    parameters.centreExponent = 0.5
    return parameters
  }()

  func proposal(_ x: Float, _ y: Float, _ side: Float, score: Float = 0.5) -> Proposal {
    Proposal(box: Box(center: Point(x: x, y: y), width: side, height: side), score: score)
  }

  @Test func theLargerOfTwoInTheMiddleComesFirst() {
    let all = [proposal(0.5, 0.5, 0.2), proposal(0.5, 0.5, 0.4)]
    let ranked = all.byProminence(width: 640, height: 480, parameters: parameters)
    #expect(ranked == [all[1], all[0]])
  }

  @Test func theMoreCentralOfTwoAlikeComesFirst() {
    let all = [proposal(0.2, 0.2, 0.2), proposal(0.4, 0.5, 0.2)]
    let ranked = all.byProminence(width: 640, height: 480, parameters: parameters)
    #expect(ranked == [all[1], all[0]])
  }

  @Test func equalsKeepTheirOrder() {
    let all = [proposal(0.25, 0.5, 0.25), proposal(0.75, 0.5, 0.25)]
    #expect(all.byProminence(width: 640, height: 480, parameters: parameters) == all)
  }

  @Test func isTheProductOfScoreAndPowers() {
    // A quarter of the picture, a quarter of the half diagonal from the centre of a square.
    let offset = Float(0.25) * Float(0.5).squareRoot() * Float(0.5).squareRoot()
    let one = proposal(0.5 + offset, 0.5 + offset, 0.5, score: 0.8)
    var parameters = DetectionParameters()
    parameters.sizeExponent = 0.5
    parameters.centreExponent = 1
    let found = one.prominence(width: 100, height: 100, parameters: parameters)
    #expect(abs(found - 0.8 * 0.5 * 0.75) < 1e-5)
  }
}
