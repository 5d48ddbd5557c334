import MartletImage
import Testing

@testable import MartletVision

@Suite struct OrientedBoxTests {
  private let box = OrientedBox(upright: Box(x: 10, y: 20, width: 40, height: 30))

  @Test func boundsOfUprightBoxAreTheBox() {
    #expect(box.bounds == box.upright)
  }

  @Test func quarterTurnSwapsWidthAndHeight() {
    let bounds = box.turned(by: Rotation(.pi / 2)).bounds
    #expect((bounds.center.x - 30).magnitude < 1e-4 && (bounds.center.y - 35).magnitude < 1e-4)
    #expect((bounds.width - 30).magnitude < 1e-4 && (bounds.height - 40).magnitude < 1e-4)
  }

  @Test(arguments: [0.3, 1.1, 2.5] as [Float])
  func boundsEncloseTheEllipseTightly(angle: Float) {
    let turned = box.turned(by: Rotation(angle))
    let places = (0..<3600).map { step -> (x: Float, y: Float) in
      let turn = Rotation(Float(step) * .pi / 1800)
      let place = turned.rotation(20 * turn.cosine, 15 * turn.sine)
      return (30 + place.x, 35 + place.y)
    }
    let bounds = turned.bounds
    let (left, top) = (places.map(\.x).min() ?? 0, places.map(\.y).min() ?? 0)
    #expect((left - bounds.x).magnitude < 1e-3 && (top - bounds.y).magnitude < 1e-3)
  }

  @Test func rotationsAreClockwiseInTheImage() {
    let right = Rotation(.pi / 2)(1, 0)
    #expect(right.x.magnitude < 1e-6 && (right.y - 1).magnitude < 1e-6)
  }

  @Test func differenceIsTheRotationBetweenTwo() {
    let (first, second) = (Rotation(2.5), Rotation(-0.4))
    let between = first - second
    #expect(between != .none)
    let sum = second + between
    #expect((sum.cosine - first.cosine).magnitude < 1e-6)
    #expect((sum.sine - first.sine).magnitude < 1e-6)
  }

  @Test func sumOfManyRotationsStaysNormalized() {
    var sum = Rotation.none
    for _ in 0..<10_000 { sum = sum + Rotation(0.7) }
    let length = sum.cosine * sum.cosine + sum.sine * sum.sine
    #expect((length - 1).magnitude < 1e-5)
  }
}
