import MartletImage
import Testing

@testable import MartletVision

@Suite struct PatchTests {
  /// Red rises by 2 per column, green by 3 per row.
  private func ramp() throws -> FramePyramid {
    var image = try RGBImage(width: 24, height: 20, filledWith: .init(red: 0, green: 0, blue: 7))
    for y in 0..<20 {
      for x in 0..<24 {
        image[x, y] = .init(red: UInt8(2 * x), green: UInt8(3 * y), blue: 7)
      }
    }
    return FramePyramid(image)
  }

  @Test func copiesAtTheFrameSize() throws {
    var patch = Patch(width: 4, height: 3)
    patch.read(Box(x: 5, y: 6, width: 4, height: 3), of: try ramp())
    for y in 0..<3 {
      for x in 0..<4 {
        #expect(patch.samples[y * 4 + x] == SIMD4(Float(2 * (5 + x)), Float(3 * (6 + y)), 7, 0))
      }
    }
  }

  @Test func interpolatesLinearlyBetweenPixels() throws {
    var patch = Patch(width: 4, height: 4)
    patch.read(Box(x: 4.25, y: 5.5, width: 6, height: 2), of: try ramp())
    // Sample centers are at 4.25 + 1.5 · (i + 0.5); pixel indices are half a pixel less.
    for y in 0..<4 {
      for x in 0..<4 {
        let column = 4.25 + 1.5 * (Float(x) + 0.5) - 0.5
        let row = 5.5 + 0.5 * (Float(y) + 0.5) - 0.5
        let expected = SIMD4<Float>(2 * column, 3 * row, 7, 0)
        #expect((patch.samples[y * 4 + x] - expected).sum().magnitude < 1e-4)
      }
    }
  }

  @Test func repeatsEdgePixelsOutside() throws {
    var patch = Patch(width: 2, height: 2)
    patch.read(Box(x: -1000, y: 500, width: 2, height: 2), of: try ramp())
    #expect(patch.samples.prefix(4).allSatisfy { $0 == SIMD4(0, 57, 7, 0) })
  }

  @Test(arguments: [0.2, 1.3, -2.4] as [Float])
  func readsRotatedBoxAlongItsAxes(angle: Float) throws {
    let box = Box(x: 8, y: 7, width: 6, height: 4)
    var patch = Patch(width: 4, height: 4)
    patch.read(OrientedBox(upright: box, rotation: Rotation(angle)), of: try ramp())
    for y in 0..<4 {
      for x in 0..<4 {
        let place = Rotation(angle)(1.5 * (Float(x) - 1.5), Float(y) - 1.5)
        let expected = SIMD4(2 * (10.5 + place.x), 3 * (8.5 + place.y), 7, 0)
        let difference = patch.samples[y * 4 + x] - expected
        #expect((0..<4).allSatisfy { difference[$0].magnitude < 1e-3 }, "\(x), \(y)")
      }
    }
  }

  @Test func rotatedBoxRepeatsEdgePixelsOutside() throws {
    var patch = Patch(width: 4, height: 4)
    let far = Box(x: -1000, y: 500, width: 4, height: 4)
    patch.read(OrientedBox(upright: far, rotation: Rotation(0.5)), of: try ramp())
    #expect(patch.samples.prefix(16).allSatisfy { $0 == SIMD4(0, 57, 7, 0) })
  }
}
