import Foundation
import MartletSystem
import MartletVision
import Testing

@testable import Martlet

/// The structures hold the same values as ML Kit's classes.
@Suite struct DetectorOptionStructuresTests {
  @Test func objectDefaultsAreThoseOfTheClass() {
    let new = ObjectDetector.Options().settings
    let old = ObjectDetectorOptions().values
    #expect(new.mode == old.mode && new.objectLimit == old.objectLimit)
    #expect(new.classifies == old.classifies && new.stream == old.stream)
    #expect(new.minimumScore == old.minimumScore && new.region == old.region)
    #expect(new.interpreter.workers.count == Workers.pool.count)
    #expect(old.interpreter.workers.count == Workers.pool.count)
  }

  @Test func objectOptionsReachTheSettings() {
    var tracking = TrackingParameters()
    tracking.detectionInterval = 3
    let settings = ObjectDetector.Options(
      mode: .singleImage, maximumObjectCount: 7, classification: .coarse, minimumScore: 0.2,
      regionOfInterest: CGRect(x: 1, y: 2, width: 3, height: 4), tracking: tracking,
      interpreter: .init(workers: .serial)
    ).settings
    #expect(settings.mode == .singleImage && settings.objectLimit == 7 && settings.classifies)
    #expect(settings.minimumScore == 0.2)
    #expect(settings.region == Box(x: 1, y: 2, width: 3, height: 4))
    #expect(settings.stream.tracking == tracking && settings.interpreter.workers.count == 1)
  }

  @Test func customClassificationHasItsThresholdAndLimit() throws {
    let settings = ObjectDetector.Options(
      classification: .custom(
        LocalModel(path: "a"), minimumConfidence: 0.25, maximumLabelCount: 3)
    ).settings
    guard case .custom(let model) = settings.classifier else {
      Issue.record("the classifier is not the custom one")
      return
    }
    #expect(model.path == "a" && settings.classifies)
    #expect(settings.confidenceThreshold == 0.25 && settings.maximumLabelCount == 3)
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2)])
  func atLeastOneObjectIsReturned(_ requested: Int, _ limit: Int) {
    #expect(ObjectDetector.Options(maximumObjectCount: requested).settings.objectLimit == limit)
  }

  @Test func faceDefaultsAreThoseOfTheClass() {
    #expect(
      FaceDetector.Options().settings.finderOptions == FaceDetectorOptions().values.finderOptions)
  }

  @Test func faceOptionsReachTheSettings() {
    let options = FaceDetector.Options(
      isAccurate: true, landmarks: true, contours: .allFaces, classification: true, mesh: true,
      tracking: true, minimumSize: 0.2, minimumScore: 0.5, maximumFaceCount: 2)
    let finder = options.settings.finderOptions
    #expect(finder.isAccurate && finder.landmarks && finder.expressions && finder.mesh)
    #expect(finder.tracking && finder.contours == .all && finder.limit == 2)
    #expect(finder.minimumSize == 0.2 && finder.minimumScore == 0.5)
  }

  @Test func bothFormsDetectTheSame() throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    let image = VisionImage(image: try ObjectDetectorTests.scene("fruit.jpg"))
    let old = try ObjectDetector(options: options).results(in: image)
    let new = try ObjectDetector(
      .init(mode: .singleImage, maximumObjectCount: 5, classification: .coarse)
    ).results(in: image)
    #expect(!old.isEmpty && old == new)
  }
}
