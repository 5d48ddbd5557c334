import MartletCodecs
import MartletImage
import Testing

@testable import MartletVision

@Suite struct DetectionImageTests {
  private let small = RGBImage(
    checkedSize: ImageSize(width: 10, height: 20), pixels: [UInt8](repeating: 0, count: 600))
  private var reduced: DetectionImage {
    DetectionImage(small, fullSize: ImageSize(width: 79, height: 160))
  }

  @Test func boxesAreScaledToTheFullImage() {
    let object = DetectedObject(frame: Box(x: 5, y: 10, width: 5, height: 10), score: 1)
    let box = reduced.full([object])[0].frame
    #expect(box == Box(x: 39.5, y: 80, width: 39.5, height: 80))
    #expect(DetectionImage(small).full([object]) == [object])
    #expect(DetectionImage(small).size == small.size)
  }

  @Test func pointsOfFacesAreScaledToTheFullImage() throws {
    var face = TestFace.at(4, 5, side: 2)
    face.mesh = TestFace.mesh { [Float($0), 2, 3] }
    let full = reduced.full([face])[0]
    #expect(full.frame == face.frame.scaled(7.9, 8))
    let points = zip(face.keyPoints.all, full.keyPoints.all)
    #expect(points.allSatisfy { $1 == Point(x: $0.x * 7.9, y: $0.y * 8) })
    let mesh = try #require(full.mesh)
    #expect(mesh.points[2].y == 16 && mesh.points[2].z == 3 * 7.9)
    #expect(DetectionImage(small).full([face]) == [face])
  }

  @Test func fileIsTurnedUpright() throws {
    let raster = Raster(
      width: 40, height: 20, channels: 1, samples: [UInt8](repeating: 9, count: 800),
      orientation: 6)
    let file = try ImageFile(decoding: JPEG.encode(raster), minimumSide: 5)
    #expect(file.image.size == ImageSize(width: 10, height: 5))
    let image = DetectionImage(file)
    #expect(image.size == ImageSize(width: 20, height: 40))
    #expect(image.pixels.size == ImageSize(width: 5, height: 10))
  }
}
