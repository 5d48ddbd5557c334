import Foundation
import MartletBase
import MartletCodecs
import MartletTestSupport
import MartletVision
import MartletC
import Testing

@Suite struct LineDetectorTests {
  let file: [UInt8]
  let image: RGBImage

  init() throws {
    file = [UInt8](try Data(contentsOf: Fixtures.folder("Scenes").appending(path: "fruit.jpg")))
    image = try ImageFile(decoding: file).upright
  }

  private func detector(_ change: (inout ObjectConfiguration) -> Void = { _ in }) throws
    -> LineDetector
  {
    var configuration = ObjectConfiguration(labels: .coarse())
    change(&configuration)
    return try LineDetector(.objects(configuration))
  }

  @Test func lineOfFileHasTheDetectedObjects() throws {
    let line = try detector { $0.limit = 5 }.line(of: "a.jpg", file: file)
    let finder = try ObjectFinder(.init(limit: 5, labels: .coarse()), lock: .none)
    let objects = try finder.objects(in: image)
    #expect(objects.count == 4)
    #expect("\(line)" == "\(JSON.line(of: "a.jpg", image.size, objects))")
  }

  @Test func fineLabelsIncludeClassification() throws {
    let line = try detector { $0.labels = .coarse(fineLabels: true) }
      .line(of: "a.jpg", image)
    let classifier = try Classifier(fineLabeler: FineLabeler(lock: .none), lock: .none)
    let finder = try ObjectFinder(classifier: classifier, lock: .none)
    let objects = try finder.objects(in: image)
    #expect("\(line)" == "\(JSON.line(of: "a.jpg", image.size, objects))")
    #expect("\(line)".contains(#""fineLabels":[{"text":""#))
    #expect(try !"\(detector().line(of: "a.jpg", image))".contains("fineLabels"))
  }

  @Test func countsFramesAndTracksObjects() throws {
    let detector = try detector { $0.isStream = true }
    let lines = (0..<3).map { _ in "\(detector.line(of: "camera", image))" }
    let damaged = "\(detector.line(of: "camera", file: [0xFF, 0xD8]))"
    for (index, line) in lines.enumerated() {
      #expect(line.hasPrefix(#"{"image":"camera","frame":\#(index),"#))
      #expect(line.contains(#""trackingID":0"#))
    }
    #expect(damaged.hasPrefix(#"{"image":"camera","frame":3,"error":"JPEG: "#))
  }

  /// Preparing the networks takes more than a millisecond.
  @Test func timeLimitDoesNotChangeResults() throws {
    #expect(throws: VisionError.self) { try detector { $0.decoding.timeout = 0.001 } }
    let inTime = try detector { $0.decoding.timeout = 60 }
    #expect(
      "\(inTime.line(of: "a.jpg", file: file))" == "\(try detector().line(of: "a.jpg", file: file))"
    )
  }

  @Test(arguments: [0, 0.25, 0.6, 0.9] as [Float])
  func streamReportsNoObjectBelowTheMinimumScore(_ minimum: Float) throws {
    let detector = try detector {
      ($0.isStream, $0.limit, $0.minimumScore) = (true, 20, minimum)
    }
    let usual = try self.detector { ($0.isStream, $0.limit) = (true, 20) }
    struct Line: Decodable {
      struct Object: Decodable { let score: Float }
      let objects: [Object]
    }
    func scores(_ detector: LineDetector) throws -> [Float] {
      let line = "\(detector.line(of: "camera", image))"
      return try JSONDecoder().decode(Line.self, from: Data(line.utf8)).objects.map(\.score)
    }
    for _ in 0..<4 {
      let (found, all) = (try scores(detector), try scores(usual))
      // The line rounds scores.
      #expect(found.allSatisfy { $0 >= minimum - 1e-3 } && !all.isEmpty)
      #expect(minimum == 0 ? found.count >= all.count : found.count <= all.count)
    }
  }

  @Test func unreadableFileHasAnError() throws {
    let line = try detector().line(of: "x.heic", file: [0, 0, 0, 24] + Array("ftypheic".utf8))
    let start = #"{"image":"x.heic","error":"expected a JPEG, PNG, "#
    #expect("\(line)".hasPrefix(start))
    #expect(throws: VisionError.self) {
      try LineDetector(.objects(ObjectConfiguration()), classifier: [1, 2, 3])
    }
  }

  @Test func boxesOfLargeFilesAreInFullResolution() throws {
    let large = try image.resized(to: ImageSize(width: 1920, height: 1440))
    let file = try JPEG.encode(
      Raster(width: 1920, height: 1440, channels: 3, samples: large.pixels))
    let reduced = try ImageFile(decoding: file, minimumSide: ImageFile.detectionSide)
    #expect(reduced.image.size == ImageSize(width: 960, height: 720))
    let finder = try ObjectFinder(lock: .none)
    var objects = try finder.objects(in: reduced.image)
    for index in objects.indices { objects[index].frame = objects[index].frame.scaled(2, 2) }
    let line = try detector { $0.labels = nil }.line(of: "a.jpg", file: file)
    #expect("\(line)" == "\(JSON.line(of: "a.jpg", large.size, objects))")
    objects = try finder.objects(in: ImageFile(decoding: file).image)
    let full = try detector {
      $0.labels = nil
      $0.decoding.isFullResolution = true
    }.line(of: "a.jpg", file: file)
    #expect("\(full)" == "\(JSON.line(of: "a.jpg", large.size, objects))")
  }

  @Test func damageIsAWarning() throws {
    let file = Fixtures.folder("PNG/Damaged").appending(path: "scene-iend-crc.png")
    let line = try detector().line(of: "a", file: Fixtures.bytes(of: file))
    #expect("\(line)".contains(#","warnings":["PNG: the IEND chunk at byte 13540 has checksum "#))
  }

  /// As in the tool: the result schema allows no warnings in a line with an error.
  @Test func failureHasNoWarnings() throws {
    let damaged = try Fixtures.bytes(
      of: Fixtures.folder("PNG/Damaged").appending(path: "scene-iend-crc.png"))
    let model = Fixtures.folder("Models").appending(path: "failing_classifier.tflite")
    let detector = try LineDetector(
      .objects(ObjectConfiguration()), classifier: Fixtures.bytes(of: model))
    let line = "\(detector.line(of: "a", file: damaged))"
    let path = Fixtures.root.appending(
      path: "Sources/Programs/MartletTool/Schema/results.schema.json")
    let schema = try JSONSchema(Data(contentsOf: path))
    #expect(line.hasPrefix(#"{"image":"a","error":"#))
    #expect(try schema.problems(of: line).isEmpty, "\(line)")
  }

  @Test func facesMatchTheFaceFinder() throws {
    let file = Fixtures.folder("Faces").appending(path: "portrait.jpg")
    let image = try ImageFile(decoding: Fixtures.bytes(of: file)).upright
    let reader = JSONReader(try JSON(parsing: Array(#"{"faces":true,"landmarks":true}"#.utf8)))
    let request = try FaceConfiguration(reader)
    let finder = try FaceFinder(request, lock: .none)
    let faces = request.reported(of: try finder.faces(in: image))
    #expect(faces.count == 1)
    let line = try LineDetector(.faces(request)).line(of: "a", image)
    #expect("\(line)" == "\(JSON.line(of: "a", image.size, faces))")
    var stream = request
    stream.isStream = true
    stream.isStream = true
    let frames = try LineDetector(.faces(stream))
    for index in 0..<3 {
      let line = "\(frames.line(of: "camera", image))"
      #expect(line.hasPrefix(#"{"image":"camera","frame":\#(index),"#))
      #expect(line.contains(#""trackingID":0"#))
    }
  }
}
