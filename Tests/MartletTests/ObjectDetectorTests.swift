import Foundation
import MartletCodecs
import MartletTestSupport
import MartletWeights
import MartletWorkers
import Testing

@testable import Martlet

/// The whole path, from a JPEG to named objects, against Pillow, LiteRT and a decoder in Python
/// (`Tests/Fixtures/Scenes/golden.py`).
@Suite struct ObjectDetectorTests {
  struct Golden: Decodable, CustomTestStringConvertible {
    struct Object: Decodable {
      let frame: [Float]
      let score: Float
    }
    struct Crop: Decodable {
      let box: [Float]
      let confidences: [Float]
    }
    let image: String
    let objects: [Object]
    let crops: [Crop]
    var testDescription: String { image }
  }

  static let scenes: [Golden] = {
    let file = Fixtures.folder("Scenes").appending(path: "golden.json")
    return (try? JSONDecoder().decode([Golden].self, from: Data(contentsOf: file))) ?? []
  }()

  static func picture(_ name: String) throws -> RGBImage {
    let bytes = try Fixtures.bytes(of: Fixtures.folder("Scenes").appending(path: name))
    return try ImageFile(decoding: bytes).upright
  }

  static let everything = ObjectDetectorOptions(
    shouldEnableMultipleObjects: true, shouldEnableClassification: true)

  @Test func thereAreScenes() {
    #expect(ObjectDetectorTests.scenes.count >= 5)
  }

  @Test(arguments: scenes, KernelSet.allCases)
  func findsWhatTheOracleFinds(_ golden: Golden, _ kernels: KernelSet) throws {
    let detector = try ObjectDetector(
      options: ObjectDetectorTests.everything, interpreterOptions: .init(kernels: kernels))
    let objects = try detector.objects(in: ObjectDetectorTests.picture(golden.image))
    #expect(objects.count == golden.objects.count)
    for (found, expected) in zip(objects, golden.objects) {
      let frame = [found.frame.x, found.frame.y, found.frame.width, found.frame.height]
      for (a, b) in zip(frame, expected.frame) { #expect(abs(a - b) < 0.05) }
      #expect(abs(found.score - expected.score) < 1e-4)
    }
  }

  @Test(arguments: scenes, KernelSet.allCases)
  func namesEachThingAsTheOracleDoes(_ golden: Golden, _ kernels: KernelSet) throws {
    let options = Interpreter.Options(kernels: kernels)
    let everyLabel = try Classifier(
      modelBytes: ShippedModel.classifier.bytes, threshold: 0, options: options)
    let picture = try ObjectDetectorTests.picture(golden.image)
    #expect(!golden.crops.isEmpty)
    for crop in golden.crops {
      let box = Box(x: crop.box[0], y: crop.box[1], width: crop.box[2], height: crop.box[3])
      let labels = try everyLabel.labels(in: picture, box: box)
      #expect(labels.count == crop.confidences.count)
      for label in labels { #expect(abs(label.confidence - crop.confidences[label.index]) < 2e-6) }
    }
  }

  @Test func categoriesFollowTheLabels() throws {
    let detector = try ObjectDetector(options: ObjectDetectorTests.everything)
    let threshold = try Classifier().threshold
    for scene in ObjectDetectorTests.scenes {
      for object in try detector.objects(in: ObjectDetectorTests.picture(scene.image)) {
        #expect(object.labels.count <= 1)
        #expect(object.labels.allSatisfy { $0.confidence >= threshold && $0.index < 5 })
        let category = object.labels.first.flatMap { CoarseCategory(rawValue: $0.index) }
        #expect(object.category == category ?? .unknown)
      }
    }
  }

  @Test func findsTheMostProminentObjectAloneUnlessAsked() throws {
    let picture = try ObjectDetectorTests.picture("fruit.jpg")
    let one = try ObjectDetector().objects(in: picture)
    let five = try ObjectDetector(
      options: .init(shouldEnableMultipleObjects: true)
    ).objects(in: picture)
    #expect(one.count == 1)
    #expect(five.count == 5)
    #expect(one.first == five.first)
    #expect(five.allSatisfy { $0.category == nil && $0.labels.isEmpty })
  }

  @Test func findsMoreThanFiveWhereMoreAreAskedFor() throws {
    let picture = try ObjectDetectorTests.picture("fruit.jpg")
    let detector = try ObjectDetector(
      options: .init(shouldEnableMultipleObjects: true, maximumObjectCount: 12))
    #expect(try detector.objects(in: picture).count > 5)
  }

  @Test func framesLieInsideThePicture() throws {
    let detector = try ObjectDetector(
      options: .init(shouldEnableMultipleObjects: true, maximumObjectCount: 20))
    for scene in ObjectDetectorTests.scenes {
      let picture = try ObjectDetectorTests.picture(scene.image)
      for object in try detector.objects(in: picture) {
        #expect(object.frame.x >= 0 && object.frame.y >= 0 && !object.frame.isEmpty)
        #expect(object.frame.maxX <= Float(picture.width) + 0.001)
        #expect(object.frame.maxY <= Float(picture.height) + 0.001)
      }
    }
  }

  @Test func theNumberOfWorkersAndRepetitionChangeNothing() throws {
    let picture = try ObjectDetectorTests.picture("room.jpg")
    let expected = try ObjectDetector(options: ObjectDetectorTests.everything)
      .objects(in: picture)
    for count in [1, 2, 4] {
      let detector = try ObjectDetector(
        options: ObjectDetectorTests.everything,
        interpreterOptions: .init(workers: .pool(count: count)))
      for _ in 0..<2 { #expect(try detector.objects(in: picture) == expected) }
    }
  }

  @Test(arguments: [(1, 1), (1, 3000), (7, 2)])
  func picturesOfAnySizeAreLookedAt(_ width: Int, _ height: Int) throws {
    let picture = try RGBImage(
      width: width, height: height, filledWith: .init(red: 90, green: 20, blue: 200))
    #expect(throws: Never.self) {
      try ObjectDetector(options: ObjectDetectorTests.everything).objects(in: picture)
    }
  }
}
