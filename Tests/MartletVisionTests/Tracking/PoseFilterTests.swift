import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct PoseFilterTests {
  /// Rings around the center of a frame, scaled by `size` and rotated by `angle`.
  private func frame(_ size: Float, angle: Float = 0) throws -> FramePyramid {
    let back = Rotation(-angle)
    var image = try RGBImage(width: 160, height: 160, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<160 {
      for x in 0..<160 {
        let (dx, dy) = back((Float(x) - 79.5) / size, (Float(y) - 79.5) / size)
        let ring = Int(max(dx.magnitude, dy.magnitude) / 7) % 2
        let value: UInt8 = ring == 0 ? 40 : 210
        image[x, y] = .init(red: value, green: dx > 0 ? value : 120, blue: 90)
      }
    }
    return FramePyramid(image)
  }

  @Test(arguments: [1, 1.03, 1.05, 1.1, 1.15, 0.97, 0.95, 0.9, 0.85])
  func findsTheChangeOfSize(size: Float) throws {
    let box = OrientedBox(upright: Box(x: 50, y: 60, width: 60, height: 40))
    var filter = PoseFilter(
      width: 60, height: 40, axis: .size(ratio: 1.05), learningRate: 0.02, regularization: 0.01)
    filter.learn(box, in: try frame(1))
    let found = filter.refined(box, in: try frame(size)).upright
    // The filter is biased toward no change, by up to half a step.
    #expect((found.width / 60 - size).magnitude < 0.04)
    #expect((found.height / 40 - size).magnitude < 0.04)
    #expect(found.center == box.upright.center)
  }

  @Test(arguments: [0, 0.1, 0.25, -0.1, -0.25, 0.5] as [Float])
  func findsTheRotation(angle: Float) throws {
    let box = OrientedBox(upright: Box(x: 50, y: 60, width: 60, height: 40))
    var filter = PoseFilter(
      width: 60, height: 40, axis: .angle(0.14), learningRate: 0.02, regularization: 0.01)
    filter.learn(box, in: try frame(1))
    let found = filter.refined(box, in: try frame(1, angle: angle))
    let expected = Rotation(angle)
    #expect((found.rotation.sine - expected.sine).magnitude < 0.07)
    #expect(found.upright == box.upright)
  }
}
