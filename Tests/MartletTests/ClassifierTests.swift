import MartletTestSupport
import MartletVision
import MartletWeights
import Testing

@testable import Martlet
@testable import MartletMLKit

@Suite struct ClassifierTests {
  let bytes = ShippedModel.classifier.bytes

  @Test func labelsAreSortedByDecreasingConfidence() throws {
    let classifier = try Classifier(modelBytes: bytes, threshold: 0)
    let labels = try classifier.labels(in: ObjectDetectorTests.image("fruit.jpg"))
    #expect(labels.count == 6)
    #expect(labels.map(\.confidence) == labels.map(\.confidence).sorted(by: >))
    #expect(Set(labels.map(\.index)) == Set(0..<6))
    let names = ["Fashion good", "Home good", "Food", "Place", "Plant"]
    for label in labels where label.index < 5 { #expect(label.text == names[label.index]) }
  }

  @Test(arguments: ImageOrientation.allCases)
  func imagesAreTurnedUprightFirst(_ orientation: ImageOrientation) throws {
    let classifier = try Classifier(modelBytes: bytes, threshold: 0)
    let scene = try ObjectDetectorTests.image("fruit.jpg")
    let stored = InputImage(scene.upright(from: orientation.inverse), orientation: orientation)
    let expected = try classifier.labels(in: scene)
    #expect(try classifier.labels(in: stored) == expected)
    let vision = VisionImage(image: stored)
    vision.orientation = stored.imageOrientation
    #expect(try classifier.labels(in: vision) == expected)
  }

  @Test func filterRemovesLabelsBeforeTheBestArePicked() throws {
    let names = (0..<12).map { "thing \($0)" }
    let file = ModelFile(ClassifierFile.labeled(names).bytes)
    let image = try ClassifierFile.image(ObjectDetectorOptionsTests.samples)
    let all = try Classifier(file, lock: .none)
    #expect(all.classNames == names)
    let best = try all.labels(in: image)
    let others = try Classifier(
      file, maximumLabelCount: 2, filter: .deny([best[0].text]), lock: .none)
    #expect(try others.labels(in: image) == Array(best[1...2]))
    let one = try Classifier(file, filter: .allow([best[3].text]), lock: .none)
    #expect(try one.labels(in: image) == [best[3]])
  }

  @Test func refusesDetectorModelAsClassifier() {
    #expect(throws: VisionError.unsuitable(.classifier(.postProcess))) {
      _ = try Classifier(modelBytes: DetectorFile().bytes)
    }
  }

  @Test func equalScoresAreSortedByIndex() throws {
    let classifier = try Classifier(modelBytes: ClassifierFile().bytes)
    let labels = try classifier.labels(
      in: ClassifierFile.image([7, 7, 9, 7, 7, 7, 7, 7, 9, 7, 7, 7]))
    #expect(labels.map(\.index) == [2, 8, 0, 1, 3, 4, 5, 6, 7, 9])
  }

  @Test func acceptsSignedByteScores() throws {
    // Input is sample - 128 and the zero point is -128, so the score is sample / 256.
    let file = ClassifierFile().with {
      $0.type = ClassifierFile.int8
      $0.zeroPoint = -128
    }
    let labels = try Classifier(modelBytes: file.bytes).labels(
      in: ClassifierFile.image(ObjectDetectorOptionsTests.samples))
    #expect(labels.prefix(3).map(\.confidence) == [255, 254, 253].map { $0 / 256 })
  }

  @Test func labelCountAndThresholdLimitTheLabels() throws {
    let image = try ObjectDetectorTests.image("fruit.jpg")
    let all = try Classifier(modelBytes: bytes, threshold: 0).labels(in: image)
    let two = try Classifier(modelBytes: bytes, threshold: 0, maximumLabelCount: 2)
    #expect(try two.labels(in: image) == Array(all.prefix(2)))
    let sure = try Classifier(modelBytes: bytes, threshold: all[0].confidence)
    #expect(try sure.labels(in: image) == all.filter { $0.confidence >= all[0].confidence })
    #expect(try Classifier(modelBytes: bytes, threshold: 1).labels(in: image).isEmpty)
  }

  @Test(arguments: [Float(-0.1), 1.1, .nan])
  func thresholdOutOfRangeFallsBackToMetadata(_ threshold: Float) throws {
    let stated = try Classifier(modelBytes: bytes).threshold
    #expect(stated > 0)
    #expect(try Classifier(modelBytes: bytes, threshold: threshold).threshold == stated)
  }

  @Test(arguments: [nil, 0, -3])
  func maximumLabelCountDefaultsToTen(_ count: Int?) throws {
    let classifier = try Classifier(modelBytes: bytes, maximumLabelCount: count)
    #expect(classifier.maximumLabelCount == 10)
  }

  @Test func coarseClassifierReturnsAtMostOneLabel() throws {
    let image = try ObjectDetectorTests.image("fruit.jpg")
    #expect(try Classifier(threshold: 0).labels(in: image).count <= 1)
    #expect(try Classifier(threshold: 1).labels(in: image).isEmpty)
  }

  @Test func refusesModelThatIsNotAClassifier() {
    #expect(throws: VisionError.self) {
      try Classifier(modelBytes: ShippedModel.localizer.bytes)
    }
    #expect(throws: VisionError.self) { try Classifier(modelBytes: [1, 2, 3]) }
  }

  @Test func pixelsFarFromTheBoxAreIgnored() throws {
    let classifier = try Classifier(modelBytes: bytes, threshold: 0)
    let image = try ObjectDetectorTests.image("fruit.jpg")
    let box = Box(x: 40, y: 30, width: 200, height: 100)
    // The resampling filter reads slightly beyond the box.
    var pixels = image.pixels
    for y in 0..<image.height {
      for x in 0..<image.width where !(30..<250).contains(x) || !(20..<140).contains(y) {
        for channel in 0..<3 { pixels[(y * image.width + x) * 3 + channel] = 0 }
      }
    }
    let dark = try RGBImage(width: image.width, height: image.height, pixels: pixels)
    #expect(try classifier.labels(in: dark, box: box) == classifier.labels(in: image, box: box))
    #expect(try classifier.labels(in: dark) != classifier.labels(in: image))
  }

  @Test(arguments: ["bakery", "fruit", "plants", "room", "street", "wardrobe"])
  func coarseClassifierAveragesWholeImageAndCenterCrop(_ scene: String) throws {
    let image = try ObjectDetectorTests.image("\(scene).jpg")
    let (width, height) = (Float(image.width), Float(image.height))
    let border: Float = (1 - 0.8) / 2
    let middle = Box(
      x: border * width, y: border * height, width: 0.8 * width, height: 0.8 * height)
    // Passed as a model, the same network runs once and returns every score.
    let network = try Classifier(modelBytes: bytes, threshold: 0)
    var scores = [Float](repeating: 0, count: 6)
    for label in try network.labels(in: image) + network.labels(in: image, box: middle) {
      scores[label.index] += label.confidence / 2
    }
    let best = try #require(scores.indices.max { scores[$0] < scores[$1] })
    let labels = try Classifier(threshold: 0).labels(in: image)
    #expect(labels.map(\.index) == (best == 5 ? [] : [best]))
    for label in labels { #expect(abs(label.confidence - scores[best]) < 1e-6) }
  }

  @Test func boxOutsideTheImageThrows() throws {
    let classifier = try Classifier(modelBytes: bytes)
    let image = try ObjectDetectorTests.image("fruit.jpg")
    #expect(throws: VisionError.self) {
      try classifier.labels(in: image, box: Box(x: -50, y: 0, width: 20, height: 20))
    }
  }
}
