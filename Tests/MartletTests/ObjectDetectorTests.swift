import Foundation
import MartletCodecs
import MartletSystem
import MartletTestSupport
import MartletVision
import MartletWeights
import Testing

@testable import Martlet
@testable import MartletMLKit

/// The complete pipeline, from a JPEG file to labeled objects, compared with Pillow, LiteRT and a
/// Python decoder (`Tests/Fixtures/Scenes/golden.py`).
@Suite struct ObjectDetectorTests {
  struct Golden: Decodable, CustomTestStringConvertible {
    struct Object: Decodable {
      let frame: [Float]
      let score: Float
    }
    struct Crop: Decodable {
      let box: [Float]
      let confidences: [Float]
      let fineLabels: [FineLabel]
      /// Of the bytes of all names' probabilities.
      let fineChecksum: UInt32
    }
    /// A text and a confidence.
    struct FineLabel: Decodable, Equatable {
      let text: String
      let confidence: Float

      init(text: String, confidence: Float) {
        (self.text, self.confidence) = (text, confidence)
      }

      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        (text, confidence) = (try list.decode(String.self), try list.decode(Float.self))
      }
    }
    /// The objects to report of several from a minimum score on.
    struct Report: Decodable {
      let minimum: Float
      let objects: [Object]
    }
    let image: String
    let objects: [Object]
    let reported: [Report]
    let crops: [Crop]
    var testDescription: String { image }
  }

  static let scenes: [Golden] = {
    let file = Fixtures.folder("Scenes").appending(path: "golden.json")
    return (try? JSONDecoder().decode([Golden].self, from: Data(contentsOf: file))) ?? []
  }()

  static func image(_ name: String) throws -> RGBImage {
    let bytes = try Fixtures.bytes(of: Fixtures.folder("Scenes").appending(path: name))
    return try ImageFile(decoding: bytes).upright
  }

  /// A single-image detector of several labeled objects from a score of 0.03; `change` adjusts its
  /// options.
  static func detector(
    _ change: (ObjectDetectorOptions) -> Void = { _ in }
  ) throws -> ObjectDetector {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    options.minimumObjectScore = DetectionParameters().minimumScore
    change(options)
    return try ObjectDetector(options: options)
  }

  static func scene(_ name: String) throws -> InputImage { InputImage(try image(name)) }

  @Test func hasAtLeastFiveScenes() {
    #expect(ObjectDetectorTests.scenes.count >= 5)
  }

  /// Expects the same number of objects, in the same order.
  private func expectEqual(_ objects: [(frame: Box, score: Float)], _ golden: [Golden.Object])
    throws
  {
    try #require(objects.count == golden.count)
    for (found, expected) in zip(objects, golden) {
      let (frame, box) = (expected.frame, found.frame)
      try #require(frame.count == 4)
      let differences = [
        box.x - frame[0], box.y - frame[1], box.width - frame[2], box.height - frame[3],
      ]
      #expect(differences.allSatisfy { abs($0) < 0.05 }, "\(box), expected \(frame)")
      #expect(abs(found.score - expected.score) < 1e-4)
    }
  }

  /// Before the rules for people, which do not apply to the frames of streams.
  @Test(arguments: scenes, KernelSet.allCases)
  func objectsMatchTheReference(_ golden: Golden, _ kernels: KernelSet) throws {
    let finder = try ObjectFinder(execution: .init(kernels: kernels))
    let objects = try finder.detections(in: ObjectDetectorTests.image(golden.image), limit: 5)
    try expectEqual(objects.map { ($0.frame, $0.score) }, golden.objects)
  }

  @Test(arguments: scenes)
  func reportedObjectsMatchTheReferenceAtEveryMinimumScore(_ golden: Golden) throws {
    #expect(golden.reported.count == 5)
    let image = try ObjectDetectorTests.scene(golden.image)
    func results(_ minimum: Float?) throws -> [(frame: Box, score: Float)] {
      try ObjectDetectorTests.detector { $0.minimumObjectScore = minimum }.results(in: image)
        .map { (Box($0.frame), $0.score) }
    }
    for report in golden.reported {
      try expectEqual(try results(report.minimum), report.objects)
      if report.minimum == 0.25 { try expectEqual(try results(nil), report.objects) }
    }
  }

  @Test(arguments: scenes, KernelSet.allCases)
  func labelsMatchTheReference(_ golden: Golden, _ kernels: KernelSet) throws {
    let options = Interpreter.Options(kernels: kernels)
    let everyLabel = try Classifier(
      modelBytes: ShippedModel.classifier.bytes, threshold: 0, options: options)
    let image = try ObjectDetectorTests.image(golden.image)
    #expect(!golden.crops.isEmpty)
    for crop in golden.crops {
      let box = Box(x: crop.box[0], y: crop.box[1], width: crop.box[2], height: crop.box[3])
      let labels = try everyLabel.labels(in: image, box: box)
      #expect(labels.count == crop.confidences.count)
      for label in labels { #expect(abs(label.confidence - crop.confidences[label.index]) < 2e-6) }
    }
  }

  @Test func categoriesFollowTheLabels() throws {
    let detector = try ObjectDetectorTests.detector()
    let threshold = try Classifier().threshold
    for scene in ObjectDetectorTests.scenes {
      for object in try detector.results(in: ObjectDetectorTests.scene(scene.image)) {
        #expect(object.labels.count <= 1)
        #expect(object.labels.allSatisfy { $0.confidence >= threshold && $0.index < 5 })
        let category = object.labels.first.flatMap { CoarseCategory(rawValue: $0.index) }
        #expect(object.category == category ?? .unknown)
      }
    }
  }

  @Test func returnsOnlyMostProminentObjectByDefault() throws {
    let image = try ObjectDetectorTests.scene("fruit.jpg")
    let one = try ObjectDetectorTests.detector {
      $0.shouldEnableMultipleObjects = false
      $0.shouldEnableClassification = false
    }.results(in: image)
    let five = try ObjectDetectorTests.detector {
      $0.shouldEnableClassification = false
    }.results(in: image)
    #expect(one.count == 1)
    #expect(five.count == 5)
    #expect(one.first == five.first)
    #expect(five.allSatisfy { $0.category == nil && $0.labels.isEmpty })
  }

  /// Two copies of a cake on gray, equally far from the center: one large, one small.
  @Test(arguments: [true, false])
  func largerCopyIsMostProminent(_ isLargerLeft: Bool) throws {
    let cake = try ObjectDetectorTests.image("bakery.jpg")
      .cropped(to: PixelRectangle(x: 74, y: 58, width: 272, height: 231))
    let (width, height) = (640, 480)
    var pixels = [UInt8](repeating: 150, count: 3 * width * height)
    for (isLeft, side) in [(true, isLargerLeft ? 240 : 80), (false, isLargerLeft ? 80 : 240)] {
      let copy = try cake.resized(to: ImageSize(width: side, height: side), method: .area)
      let (left, top) = ((isLeft ? 160 : 480) - side / 2, (height - side) / 2)
      for row in 0..<side {
        let start = 3 * (width * (top + row) + left)
        pixels.replaceSubrange(
          start..<(start + 3 * side), with: copy.pixels[(3 * side * row)..<(3 * side * (row + 1))])
      }
    }
    let scene = try RGBImage(width: width, height: height, pixels: pixels)
    let found = try ObjectDetectorTests.detector { $0.shouldEnableMultipleObjects = false }
      .results(in: InputImage(scene))
    let frame = try #require(found.first?.frame)
    #expect((frame.midX < 320) == isLargerLeft && frame.width > 120)
  }

  @Test(arguments: ObjectDetectorMode.allCases)
  func regionIsProcessedLikeSeparateImage(_ mode: ObjectDetectorMode) throws {
    let scene = try ObjectDetectorTests.image("fruit.jpg")
    let part = try scene.cropped(to: PixelRectangle(x: 200, y: 100, width: 240, height: 300))
    let alone = try ObjectDetectorTests.detector { $0.detectorMode = mode }
      .results(in: InputImage(part))
    #expect(!alone.isEmpty)
    let inside = try ObjectDetectorTests.detector {
      $0.detectorMode = mode
      $0.regionOfInterest = CGRect(x: 200, y: 100, width: 240, height: 300)
    }
    let expected = alone.map { CGRect(Box($0.frame).offset(x: 200, y: 100)) }
    // The region is in upright coordinates for every stored orientation.
    for orientation in [ImageOrientation.up, .right] {
      let stored = InputImage(scene.upright(from: orientation.inverse), orientation: orientation)
      let objects = try inside.results(in: stored)
      #expect(objects.map(\.uprightFrame) == expected)
      #expect(objects.map(\.labels) == alone.map(\.labels))
      #expect((objects.map(\.frame) == objects.map(\.uprightFrame)) == (orientation == .up))
    }
  }

  @Test(arguments: ObjectDetectorMode.allCases)
  func regionOutsideTheImageThrows(_ mode: ObjectDetectorMode) throws {
    let scene = try ObjectDetectorTests.scene("fruit.jpg")
    for x in [9999, -9999, Double.nan] {
      let detector = try ObjectDetectorTests.detector {
        $0.detectorMode = mode
        $0.regionOfInterest = CGRect(x: x, y: 0, width: 5, height: 5)
      }
      _ = #expect {
        try detector.results(in: scene)
      } throws: {
        if case VisionError.image(.boxOutsideImage) = $0 { true } else { false }
      }
    }
  }

  @Test func singleImageObjectsHaveNoTrackingID() throws {
    let objects = try ObjectDetectorTests.detector().results(
      in: ObjectDetectorTests.scene("fruit.jpg"))
    #expect(objects.allSatisfy { $0.trackingID == nil })
  }

  @Test func maximumObjectCountAllowsMoreThanFive() throws {
    let detector = try ObjectDetectorTests.detector { $0.maximumObjectCount = 12 }
    #expect(try detector.results(in: ObjectDetectorTests.scene("room.jpg")).count > 5)
  }

  @Test func allBoxesIncludeThoseThatTheRulesDrop() throws {
    let image = try ObjectDetectorTests.scene("bakery.jpg")
    func found(reportsAll: Bool) throws -> [CGRect] {
      try ObjectDetectorTests.detector {
        ($0.maximumObjectCount, $0.minimumObjectScore) = (50, 0.03)
        $0.reportsAllBoxes = reportsAll
      }.results(in: image).map(\.frame)
    }
    let (reported, all) = (try found(reportsAll: false), try found(reportsAll: true))
    #expect(reported.count < all.count && reported.allSatisfy(all.contains))
  }

  @Test func objectsBelowMinimumScoreAreDropped() throws {
    let image = try ObjectDetectorTests.scene("fruit.jpg")
    let all = try ObjectDetectorTests.detector().results(in: image)
    let score = try #require(all.map(\.score).sorted().dropFirst(2).first)
    let sure = try ObjectDetectorTests.detector {
      $0.minimumObjectScore = score
    }.results(in: image)
    #expect(sure.count >= 3)
    #expect(sure.allSatisfy { $0.score >= score })
    #expect(sure.contains { $0.score == score })
  }

  @Test func severalObjectsAreThoseThatPeopleExpect() throws {
    let image = try ObjectDetectorTests.scene("fruit.jpg")
    func found(_ score: Float?, several: Bool = true) throws -> [Object] {
      try ObjectDetectorTests.detector {
        $0.shouldEnableMultipleObjects = several
        $0.maximumObjectCount = 50
        $0.minimumObjectScore = score
      }.results(in: image)
    }
    let all = try found(0.03)
    // Bananas, an orange, a mug and an apple.
    let usual = try found(nil)
    #expect(usual.count == 4 && usual == all.filter { $0.score >= 0.25 })
    #expect(Set(try found(0)).isSuperset(of: all))
    #expect(try found(nil, several: false) == [all[0]])
  }

  /// One color, gradients of two colors, and fine and coarse grain.
  static let empty: [String: @Sendable (Int, Int) -> [Int]] = [
    "black": { _, _ in [0, 0, 0] },
    "grey": { _, _ in [128, 128, 128] },
    "white": { _, _ in [255, 255, 255] },
    "red": { _, _ in [200, 30, 30] },
    "sky": { _, y in [90 + y / 2, 140 + y / 3, 235] },
    "dusk": { x, y in [255 - y / 2, 120 + x / 8, 60 + y / 3] },
    "from left to right": { x, _ in [x / 2, x / 2, 60 + x / 3] },
    "fine grain": { x, y in [100, 100, 100].map { $0 + noise(x, y) } },
    "coarse grain": { x, y in [150, 130, 100].map { $0 + noise(x / 6, y / 6) } },
  ]

  /// -20...20, from a hash of the position.
  private static func noise(_ x: Int, _ y: Int) -> Int {
    var bits = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263)
    bits = (bits ^ (bits >> 13)) &* 1_274_126_177
    return Int((bits ^ (bits >> 16)) % 41) - 20
  }

  @Test(arguments: empty.keys.sorted())
  func emptyImagesHaveNoObject(_ name: String) throws {
    let color = try #require(ObjectDetectorTests.empty[name])
    let pixels = (0..<240).flatMap { y in
      (0..<320).flatMap { x in color(x, y).map { UInt8(clamping: $0) } }
    }
    let image = InputImage(try RGBImage(width: 320, height: 240, pixels: pixels))
    #expect(try ObjectDetectorTests.detector().results(in: image).isEmpty)
    // ML Kit reports an object in every image. So does the network if the minimum score is 0.
    let all = try ObjectDetectorTests.detector { $0.minimumObjectScore = 0 }
    #expect(try !all.results(in: image).isEmpty)
  }

  @Test func framesLieInsideTheImage() throws {
    let detector = try ObjectDetectorTests.detector { $0.maximumObjectCount = 20 }
    for scene in ObjectDetectorTests.scenes {
      let image = try ObjectDetectorTests.scene(scene.image)
      for object in try detector.results(in: image) {
        #expect(object.frame.minX >= 0 && object.frame.minY >= 0 && !object.frame.isEmpty)
        #expect(object.frame.maxX <= CGFloat(image.size.width) + 0.001)
        #expect(object.frame.maxY <= CGFloat(image.size.height) + 0.001)
      }
    }
  }

  /// Upright frames are the same in every stored orientation. Frames are in stored coordinates.
  @Test(arguments: ImageOrientation.allCases)
  func everyOrientationReturnsSameObjects(_ orientation: ImageOrientation) throws {
    let detector = try ObjectDetectorTests.detector()
    let upright = try ObjectDetectorTests.image("room.jpg")
    let expected = try detector.results(in: InputImage(upright))
    let vision = VisionImage(image: InputImage(upright.upright(from: orientation.inverse)))
    vision.orientation = orientation
    let found = try detector.results(in: vision)
    #expect(found.map(\.uprightFrame) == expected.map(\.frame))
    #expect(found.map(\.labels) == expected.map(\.labels))
    for (object, shown) in zip(found, expected) {
      let right = CGFloat(upright.width) - shown.frame.maxX
      let below = CGFloat(upright.height) - shown.frame.maxY
      let (x, y) = (shown.frame.minX, shown.frame.minY)
      // The frame's left and upper edges in the stored image.
      let (left, top): (CGFloat, CGFloat) =
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (right, y)
        case .down: (right, below)
        case .downMirrored: (x, below)
        case .leftMirrored: (y, x)
        case .right: (y, right)
        case .rightMirrored: (below, right)
        case .left: (below, x)
        }
      #expect(abs(object.frame.minX - left) < 0.01)
      #expect(abs(object.frame.minY - top) < 0.01)
      let isTurned = orientation.rawValue > 4
      #expect(object.frame.width == (isTurned ? shown.frame.height : shown.frame.width))
      #expect(object.frame.height == (isTurned ? shown.frame.width : shown.frame.height))
    }
  }

  @Test func resultsDoNotDependOnWorkersOrRepetition() throws {
    let image = try ObjectDetectorTests.scene("room.jpg")
    let expected = try ObjectDetectorTests.detector().results(in: image)
    for count in [1, 2, 4] {
      let detector = try ObjectDetectorTests.detector {
        $0.interpreterOptions.workers = .pool(count: count)
      }
      for _ in 0..<2 { #expect(try detector.results(in: image) == expected) }
    }
  }

  @Test(arguments: [(1, 1), (1, 3000), (7, 2)])
  func acceptsImagesOfAnySize(_ width: Int, _ height: Int) throws {
    let image = try RGBImage(
      width: width, height: height, filledWith: .init(red: 90, green: 20, blue: 200))
    #expect(throws: Never.self) {
      try ObjectDetectorTests.detector().results(in: InputImage(image))
    }
  }
}
