import MartletTestSupport
import Testing

@testable import MartletCodecs
@testable import MartletVision

@Suite struct ObjectFinderTests {
  private func scene() throws -> RGBImage {
    let path = Fixtures.folder("Scenes").appending(path: "fruit.jpg")
    return try ImageFile(decoding: Fixtures.bytes(of: path)).upright
  }

  private func objects(
    in image: RGBImage, region: Box? = nil
  ) throws(VisionError) -> [DetectedObject] {
    var configuration = ObjectConfiguration(limit: 5)
    configuration.region = region
    return try ObjectFinder(configuration, lock: .none).objects(in: image)
  }

  /// What passes is what the unfiltered objects have, also if only one is requested.
  @Test func filterReportsObjectsByTheirLabels() throws {
    let scene = try scene()
    func objects(limit: Int, _ filter: LabelFilter) throws -> [DetectedObject] {
      var configuration = ObjectConfiguration(limit: limit, labels: .coarse(fineLabels: true))
      configuration.filter = filter
      return try ObjectFinder(configuration, lock: .none).objects(in: scene)
    }
    let all = try objects(limit: 20, .none)
    let names = Set(all.compactMap { $0.labels.first?.text })
    let name = try #require(names.sorted().last)
    let allowed = try objects(limit: 20, .allow([name]))
    #expect(allowed == all.filter { $0.labels.first?.text == name } && !allowed.isEmpty)
    #expect(try objects(limit: 1, .allow([name])) == Array(allowed.prefix(1)))
    #expect(
      try objects(limit: 20, .deny([name])) == all.filter { $0.labels.first?.text != name })
    #expect(throws: VisionError.unsuitable(.label("Fod"))) {
      try objects(limit: 5, .allow(["Fod"]))
    }
  }

  @Test func regionIsProcessedLikeSeparateImage() throws {
    let scene = try scene()
    let region = Box(x: 200.5, y: 100, width: 240, height: 300)
    let part = PixelRectangle(x: 200, y: 100, width: 241, height: 300)
    let inside = try objects(in: scene, region: region)
    let alone = try objects(in: scene.cropped(to: part))
    #expect(!inside.isEmpty && inside.count == alone.count)
    for (object, expected) in zip(inside, alone) {
      #expect(object.score == expected.score)
      #expect(object.frame.x == expected.frame.x + 200 && object.frame.y == expected.frame.y + 100)
      #expect(object.frame.width == expected.frame.width)
    }
  }

  @Test func clipsRegionToTheImage() throws {
    let scene = try scene()
    let whole = Box(x: -10, y: -10, width: 1e6, height: 1e6)
    #expect(
      try objects(in: scene, region: whole) == objects(in: scene))
    let outside = Box(x: 9999, y: 0, width: 5, height: 5)
    #expect(throws: VisionError.image(.boxOutsideImage(outside, scene.size))) {
      try objects(in: scene, region: outside)
    }
  }
}
