import Foundation
import MartletBase
import MartletTestSupport
import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

/// Detectors that are made from values.
@Suite(.timeLimit(.minutes(5))) struct DetectorConfigurationTests {
  private func scene(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.folder("Scenes").appending(path: name))
  }

  @Test func valuesAndMLKitsOptionsDetectTheSame() async throws {
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true
    let image = try VisionImage(encoded: scene("fruit.jpg"))
    let old = try ObjectDetector(options: options).results(in: image)
    let detector = try ObjectDetector(.init(limit: 5, labels: .coarse()))
    #expect(!old.isEmpty)
    #expect(try await detector.objects(in: image) == old)
    #expect(try await detector.objects(inFile: scene("fruit.jpg")) == old)
    let path = Fixtures.folder("Scenes").appending(path: "fruit.jpg").path
    #expect(try await detector.objects(inFile: path) == old)
    func blocking() throws -> [Object] { try detector.objects(in: image) }
    #expect(try blocking() == old)
  }

  @Test func facesOfValuesAndOptionsAreTheSame() async throws {
    let options = FaceDetectorOptions()
    options.performanceMode = .accurate
    options.landmarkMode = .all
    options.minFaceSize = 0
    let url = Fixtures.folder("Faces").appending(path: "turned.jpg")
    let file = try Fixtures.bytes(of: url)
    let old = try FaceDetector.faceDetector(options: options).results(
      in: VisionImage(encoded: file))
    let detector = try FaceDetector(.init(landmarks: true))
    #expect(!old.isEmpty)
    #expect(try await detector.faces(inFile: file) == old)
    #expect(try await detector.faces(inFile: url.path) == old)
  }

  @Test func framesOfAStreamKeepTheirIdentifiers() async throws {
    let detector = try ObjectDetector(.init(isStream: true))
    let image = try InputImage(encoded: scene("fruit.jpg"))
    let frames = AsyncStream<InputImage> { frames in
      for _ in 0..<3 { frames.yield(image) }
      frames.finish()
    }
    var identifiers: [Int?] = []
    for try await result in detector.objects(over: frames) {
      identifiers += result.objects.map(\.trackingIdentifier)
    }
    #expect(identifiers == [0, 0, 0])
  }

  /// The limit is for decoding and detecting.
  @Test func timeLimitEndsTheCall() async throws {
    var configuration = ObjectConfiguration()
    configuration.decoding.timeout = 1e-9
    let detector = try ObjectDetector(configuration)
    let file = try scene("fruit.jpg")
    let error = await #expect(throws: VisionError.self) {
      try await detector.objects(inFile: file)
    }
    #expect(error?.kind == .timedOut)
    let image = try InputImage(encoded: file)
    let late = await #expect(throws: VisionError.self) { try await detector.objects(in: image) }
    #expect(late?.kind == .timedOut)
  }

  @Test(arguments: [-1, 0, .nan, -.infinity] as [Double])
  func timeLimitBelowTheRangeIsTheLeast(_ seconds: Double) {
    var decoding = DecodingConfiguration()
    decoding.timeout = seconds
    #expect(decoding.timeLimit == 0.001)
    decoding.timeout = .infinity
    #expect(decoding.timeLimit == 1_000_000)
  }

  @Test(arguments: [0, -1, .min]) func limitBelowOneCountsAsOne(_ limit: Int) throws {
    let image = try InputImage(encoded: scene("fruit.jpg"))
    #expect(try ObjectDetector(.init(limit: limit)).calls.results(in: image).count == 1)
    var faces = FaceConfiguration(isAccurate: false)
    faces.limit = limit
    let file = try Fixtures.bytes(of: Fixtures.folder("Faces").appending(path: "turned.jpg"))
    let head = try InputImage(encoded: file)
    #expect(try FaceDetector(faces).calls.results(in: head).count == 1)
  }

  @Test func memoryLimitAndStrictnessReachTheDecoder() async throws {
    var configuration = ObjectConfiguration()
    configuration.decoding.limits = ImageLimits(memory: 1 << 16)
    let file = try scene("fruit.jpg")
    let small = try ObjectDetector(configuration)
    let error = await #expect(throws: VisionError.self) { try await small.objects(inFile: file) }
    #expect(error?.kind == .limitExceeded)
    configuration = ObjectConfiguration()
    configuration.decoding.isStrict = true
    let strict = try ObjectDetector(configuration)
    let damaged = Array(file.dropLast(2000))
    let refused = await #expect(throws: VisionError.self) {
      try await strict.objects(inFile: damaged)
    }
    #expect(refused?.kind == .invalidImage)
    #expect(throws: Never.self) { try InputImage(encoded: damaged) }
  }

  @Test func filesAreDecodedOffTheCallersThread() async throws {
    let url = Fixtures.folder("Scenes").appending(path: "fruit.jpg")
    let image = try await InputImage(contentsOf: url)
    #expect(try image == InputImage(encoded: scene("fruit.jpg")))
    #expect(try await VisionImage(contentsOf: url).image() == image)
    let task = Task { try await InputImage(contentsOf: url) }
    task.cancel()
    await #expect(throws: VisionError.cancelled) { try await task.value }
  }

  @Test func missingModelIsAnErrorOfItsPath() {
    #expect(throws: VisionError.file(path: "/missing.tflite", .notFound)) {
      try ModelFile(contentsOfFile: "/missing.tflite")
    }
  }
}
