import MartletImage
import Testing

@testable import MartletVision

@Suite struct MovingRegionsTests {
  private func box(_ step: Int) -> Box {
    Box(x: 30 + 3 * Float(step), y: 40, width: 30, height: 24)
  }

  /// An object that moves in front of a wall while the camera pans.
  private func scene(_ step: Int, pan: Int) -> Scene {
    Scene(
      camera: (pan * step, 0),
      items: [.init(box: box(step), color: .init(red: 200, green: 20, blue: 30))])
  }

  @Test(arguments: [0, 2, -1])
  func findsMovingObjectWhileCameraPans(_ pan: Int) throws {
    var regions = MovingRegions()
    for step in 0..<8 { regions.update(FramePyramid(try scene(step, pan: pan).frame)) }
    let found = regions.regions()
    try #require(!found.isEmpty)
    #expect(found[0].intersectionOverUnion(with: box(7)) > 0.5)
  }

  @Test(arguments: [0, 3])
  func staticSceneHasNoMovingRegion(_ pan: Int) throws {
    var regions = MovingRegions()
    for step in 0..<8 {
      regions.update(FramePyramid(try Scene(camera: (pan * step, step)).frame))
      #expect(regions.regions().isEmpty)
    }
  }

  @Test func returnsNothingInTheFirstFrames() throws {
    var regions = MovingRegions()
    for step in 0..<3 {
      regions.update(FramePyramid(try scene(step, pan: 0).frame))
      #expect(regions.regions().isEmpty)
    }
  }

  @Test(arguments: [(1, 1), (1, 50), (17, 2), (16, 16)])
  func smallFramesDoNotTrap(_ width: Int, _ height: Int) throws {
    var regions = MovingRegions()
    for step in 0..<6 {
      let scene = Scene(width: width, height: height, camera: (step * 40, 0))
      regions.update(FramePyramid(try scene.frame))
      _ = regions.regions()
    }
  }
}
