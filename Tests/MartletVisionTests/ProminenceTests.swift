import Testing

@testable import MartletVision

@Suite struct ProminenceTests {
  let parameters = DetectionParameters()
  let size = ImageSize(width: 640, height: 480)

  /// An object with its center and both sides as fractions of the image.
  func object(_ x: Float, _ y: Float, _ side: Float, score: Float = 0.5) -> DetectedObject {
    DetectedObject(
      frame: Box(center: Point(x: x * 640, y: y * 480), width: side * 640, height: side * 480),
      score: score)
  }

  @Test func higherScoreComesFirst() {
    let all = [object(0.5, 0.5, 0.4), object(0.5, 0.5, 0.2, score: 0.6)]
    let ranked = all.byProminence(in: size, parameters: parameters)
    #expect(ranked == [all[1], all[0]])
  }

  @Test func moreCentralObjectComesFirst() {
    let all = [object(0.2, 0.2, 0.2), object(0.4, 0.5, 0.2)]
    let ranked = all.byProminence(in: size, parameters: parameters)
    #expect(ranked == [all[1], all[0]])
  }

  @Test func detectorProminenceOutranksPosition() {
    var all = [object(0.5, 0.5, 0.4, score: 0.8), object(0.1, 0.2, 0.2, score: 0.6)]
    (all[0].prominence, all[1].prominence) = (0.1, 0.4)
    #expect(all.byProminence(in: size, parameters: parameters) == [all[1], all[0]])
    #expect(parameters.prominence(of: all[1], in: size) == 0.5)
  }

  @Test func equalObjectsKeepTheirOrder() {
    let all = [object(0.25, 0.5, 0.25), object(0.75, 0.5, 0.25)]
    #expect(all.byProminence(in: size, parameters: parameters) == all)
  }

  /// Objects of (score, salience reported by the detector), those that stay of them, and the limit.
  @Test(arguments: [
    (1, [2]), (2, [2, 0]), (3, [2, 0, 1]), (4, [2, 0, 3, 1]), (9, [2, 0, 3, 1]), (0, []),
  ])
  func keepsMostSalientAndBestScoringObjects(_ limit: Int, _ kept: [Int]) {
    let all = [(0.8, 0.3), (0.6, 0.0), (0.5, 0.9), (0.5, 0.2)].map {
      (score: Float, prominence: Float) in
      var object = object(0.5, 0.5, 0.2, score: score)
      object.prominence = prominence
      return object
    }
    #expect(all.selected(limit, in: size, parameters: parameters) == kept.map { all[$0] })
  }

  @Test func isTheProductOfScoreAndPower() {
    // A quarter of the half diagonal away from the center of a square.
    let offset = Float(0.25) * Float(0.5).squareRoot() * Float(0.5).squareRoot()
    let center = Point(x: 50 + 100 * offset, y: 50 + 100 * offset)
    let box = Box(center: center, width: 50, height: 50)
    var parameters = DetectionParameters()
    parameters.centerExponent = 2
    let found = parameters.prominence(
      of: DetectedObject(frame: box, score: 0.8), in: ImageSize(width: 100, height: 100))
    #expect(abs(found - 0.8 * 0.75 * 0.75) < 1e-5)
  }
}
