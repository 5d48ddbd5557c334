import Foundation
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

/// The API of Firebase ML Vision, the generation before ML Kit.
@Suite struct FirebaseTests {
  @Test func orientationRawValuesMatchEXIF() {
    let names: [VisionDetectorImageOrientation] = [
      .topLeft, .topRight, .bottomRight, .bottomLeft, .leftTop, .rightTop, .rightBottom,
      .leftBottom,
    ]
    #expect(names.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8])
    for name in names {
      #expect(name.imageOrientation.rawValue == name.rawValue)
      #expect(VisionDetectorImageOrientation(name.imageOrientation) == name)
    }
  }

  @Test func categoryRawValuesMatchFirebase() {
    let categories: [VisionObjectCategory] = [
      .unknown, .homeGoods, .fashionGoods, .food, .places, .plants,
    ]
    #expect(categories.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(VisionObjectCategory.allCases == categories)
  }

  @Test func categoriesMapByMeaning() {
    let pairs: [(CoarseCategory, VisionObjectCategory)] = [
      (.fashion, .fashionGoods), (.home, .homeGoods), (.food, .food), (.places, .places),
      (.plants, .plants), (.unknown, .unknown),
    ]
    for (category, expected) in pairs { #expect(VisionObjectCategory(category) == expected) }
  }

  @Test func optionsAndModesMatchTheLaterAPI() {
    let options = VisionObjectDetectorOptions()
    #expect(options.detectorMode == VisionObjectDetectorMode.stream)
    #expect(!options.shouldEnableMultipleObjects)
    #expect(!options.shouldEnableClassification)
    #expect(VisionObjectDetectorMode.singleImage.rawValue == 0)
    #expect(VisionObjectDetectorMode.stream.rawValue == 1)
  }

  @Test func visionIsSharedAndCollectsNoStatistics() {
    let vision = Vision.vision()
    #expect(vision === Vision.vision())
    #expect(vision === Vision.vision(app: NSObject()))
    #expect(!vision.isStatsCollectionEnabled)
    vision.isStatsCollectionEnabled = true
    #expect(!vision.isStatsCollectionEnabled)
  }

  @Test func confidenceIsNilForUnknownCategory() {
    let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    let label = ObjectLabel(text: "Home good", index: 1, confidence: 0.75)
    let home = VisionObject(
      Object(frame: frame, trackingID: 3, labels: [label], category: .home))
    #expect(home.frame == frame)
    #expect(home.trackingID == 3)
    #expect(home.classificationCategory == .homeGoods)
    #expect(home.confidence == NSNumber(value: Float(0.75)))
    for category in [CoarseCategory.unknown, nil] {
      let object = VisionObject(Object(frame: frame, category: category))
      #expect(object.classificationCategory == .unknown)
      #expect(object.confidence == nil)
      #expect(object.trackingID == nil)
    }
  }

  @Test func matchesResultsOfTheLaterAPI() throws {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    let input = InputImage(try ObjectDetectorTests.image("fruit.jpg"))
    let image = VisionImage(image: input)
    let old = try Vision.vision().objectDetector(options: options).results(in: image)
    let new = try ObjectDetector.objectDetector(options: options).results(in: image)
    #expect(old == new.map(VisionObject.init))
    #expect(old.count == 4)
    for (old, new) in zip(old, new) {
      #expect((old.confidence == nil) == new.labels.isEmpty)
      #expect((old.classificationCategory == .unknown) == new.labels.isEmpty)
      #expect(old.confidence?.floatValue == new.labels.first?.confidence)
    }
  }

  @Test func categoryIsUnknownWithoutClassification() throws {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    let image = VisionImage(image: InputImage(try ObjectDetectorTests.image("fruit.jpg")))
    let objects = try Vision.vision().objectDetector(options: options).results(in: image)
    #expect(objects.map(\.classificationCategory) == [.unknown])
    #expect(objects.map(\.confidence) == [nil])
    #expect(objects.map(\.trackingID) == [nil])
  }
}
