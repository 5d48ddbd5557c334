import Foundation
import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// The lines of `--json` match `results.schema.json`, which is strict enough to reject others.
@Suite struct ResultSchemaTests {
  let schema: JSONSchema

  init() throws {
    let path = Fixtures.root.appending(
      path: "Sources/Programs/MartletTool/Schema/results.schema.json")
    schema = try JSONSchema(Data(contentsOf: path))
  }

  private func line(_ members: [(String, JSON)]) -> String {
    let start: [(String, JSON)] = [
      ("image", .string("a.jpg")), ("width", .integer(64)), ("height", .integer(48)),
    ]
    return "\(JSON.object(start + members))"
  }

  @Test func objectsOfScenesMatchSchema() throws {
    let finder = try ObjectFinder(.init(limit: 5, labels: .coarse()), lock: .none)
    for path in try Files.list(Fixtures.folder("Scenes").path) where path.hasSuffix(".jpg") {
      let file = try ImageFile(decoding: Files.read("\(Fixtures.folder("Scenes").path)/\(path)"))
      let objects = try finder.objects(in: file.upright)
      #expect(try schema.problems(of: line([("objects", .array(objects.map { $0.json }))])).isEmpty)
      #expect(objects.allSatisfy { "\($0.json)".contains("\"category\"") })
    }
  }

  /// A face with only the requested parts.
  private func face(_ change: (inout FaceConfiguration) -> Void) throws -> JSON {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return try FaceResult(FaceFindingTests.face(), configuration, isMostProminent: true).json
  }

  private func everything(_ configuration: inout FaceConfiguration) {
    (
      configuration.landmarks, configuration.expressions, configuration.mesh, configuration.isStream
    ) = (true, true, true, true)
    configuration.contours = .all
  }

  @Test func framesLabelsTimesAndFailuresMatchSchema() throws {
    let label = ObjectLabel(text: "", index: 3, confidence: 1)
    var object = DetectedObject(
      frame: Box(x: -1, y: 0, width: 2.5, height: 3), score: 0, labels: [label])
    object.trackingID = 4
    var named = object
    named.fineLabels = [label, label]
    let classification = Classification(labels: [label], fineLabels: [label])
    let damage = [DecodingWarning.png(.missingImageData)].json
    let watch = damage + Stopwatch(isRunning: true).json
    for text in [
      line([("frame", .integer(0)), ("objects", .array([object.json]))] + watch),
      line([("objects", .array([named.json]))]),
      "\(JSON.line(of: "a", ImageSize(width: 1, height: 1), classification))",
      line([("faces", .array([try face { _ in }, try face { $0.angles = false }]))] + watch),
      line([("frame", .integer(1)), ("faces", .array([try face(everything)]))]),
      line([("labels", .array([label.json]))] + watch), line([("labels", .array([]))]),
      "\(JSON.failure(of: "x", "gone"))",
      "\(JSON.failure(of: "x#2", frame: 2, "gone"))",
    ] {
      #expect(try schema.problems(of: text).isEmpty, "\(text)")
    }
  }

  @Test(arguments: [
    "{}", "[]", #"{"image":"a"}"#, #"{"image":"a","error":3}"#,
    #"{"image":"a","width":0,"height":1,"labels":[]}"#,
    #"{"image":"a","width":1.5,"height":1,"labels":[]}"#,
    #"{"image":"a","width":1,"height":1,"labels":[],"objects":[]}"#,
    #"{"image":"a","width":1,"height":1,"labels":[{"text":"","index":0,"confidence":2}]}"#,
    #"{"image":"a","width":1,"height":1,"objects":[{"frame":{},"score":0,"trackingID":null,"labels":[]}]}"#,
    #"{"image":"a","width":1,"height":1,"objects":[],"tracking_id":1}"#,
    #"{"image":"a","width":1,"height":1,"objects":[],"warnings":[]}"#,
    #"{"image":"a","width":1,"height":1,"labels":[],"warnings":[3]}"#,
    #"{"image":"a","width":1,"height":1,"faces":[],"objects":[]}"#,
    #"{"image":"a","width":1,"height":1,"faces":[{"frame":{"x":0,"y":0,"width":1,"height":1}}]}"#,
  ])
  func invalidLinesViolateSchema(_ text: String) throws {
    #expect(try !schema.problems(of: text).isEmpty)
  }

  @Test(arguments: [
    #""eulerX":181"#, #""smilingProbability":1.5"#, #""labels":[]"#,
    #""landmarks":{"nose":[1,2]}"#, #""landmarks":{"leftEye":[1,2,3]}"#,
    #""contours":{"leftEye":[1,2]}"#, #""mesh":[[1,2,3]]"#,
  ])
  func facesWithInvalidMembersViolateSchema(_ member: String) throws {
    func line(_ member: String) -> String {
      #"{"image":"a","width":1,"height":1,"faces":[{"frame":{"x":0,"y":0,"width":1,"height":1},"#
        + #""score":1,"trackingID":null,"# + member + "}]}"
    }
    #expect(try schema.problems(of: line(#""eulerX":180"#)).isEmpty)
    #expect(try !schema.problems(of: line(member)).isEmpty)
  }
}
