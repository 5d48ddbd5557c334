import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct MotionModelTests {
  /// The shifts of blocks that all move by one model.
  private func shifts(_ model: MotionModel) -> [MotionModel.Shift] {
    stride(from: Float(-80), through: 80, by: 16).flatMap { x in
      stride(from: Float(-60), through: 60, by: 15).map { y in
        let place = model(x, y)
        return .init(x: x, y: y, dx: place.x - x, dy: place.y - y, acrossWeight: 5, downWeight: 5)
      }
    }
  }

  private func isNear(_ a: MotionModel, _ b: MotionModel) -> Bool {
    [(Float(-70), Float(-50)), (0, 0), (70, 50)].allSatisfy { x, y in
      let (first, second) = (a(x, y), b(x, y))
      return (first.x - second.x).magnitude < 0.2 && (first.y - second.y).magnitude < 0.2
    }
  }

  static let models = [
    MotionModel(across: [0, 1, 0], down: [0, 0, 1]),
    MotionModel(across: [5, 1, 0], down: [-3, 0, 1]),
    MotionModel(across: [1, 1.03, 0], down: [2, 0, 1.03]),
    MotionModel(across: [0, 0.999, -0.04], down: [1, 0.04, 0.999]),
  ]

  @Test(arguments: models)
  func fitsCommonMotion(_ model: MotionModel) {
    #expect(isNear(MotionModel(fitting: shifts(model)), model))
  }

  @Test(arguments: models)
  func fitIgnoresOutliers(_ model: MotionModel) {
    var shifts = shifts(model)
    for index in shifts.indices where shifts[index].x < -20 && shifts[index].y < 25 {
      shifts[index].dx += 6
      shifts[index].dy -= 4
    }
    #expect(isNear(MotionModel(fitting: shifts), model))
  }

  @Test func blocksWithoutTextureAreIgnored() {
    #expect(MotionModel(fitting: []) == .identity)
    let flat = shifts(MotionModel.init(across: [9, 1, 0], down: [9, 0, 1])).map { shift in
      var shift = shift
      shift.acrossWeight = 0
      shift.downWeight = 0
      return shift
    }
    #expect(MotionModel(fitting: flat) == .identity)
  }

  @Test(arguments: models, models)
  func followedAppliesBothMotions(_ first: MotionModel, _ second: MotionModel) {
    let place = first(30, -20)
    let after = second(place.x, place.y)
    let both = first.followed(by: second)(30, -20)
    #expect((both.x - after.x).magnitude < 1e-3 && (both.y - after.y).magnitude < 1e-3)
  }
}
