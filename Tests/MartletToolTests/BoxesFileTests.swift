import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct BoxesFileTests {
  private static let annotations = """
    {"images":[{"id":7,"file_name":"in/b.jpg"},{"id":3,"file_name":"in/a.jpg"}],
    "categories":[{"id":5,"name":"dog"},{"id":2,"name":"cat"}],
    "annotations":[
    {"id":1,"image_id":7,"category_id":5,"bbox":[1,2,3,4],"area":9,"iscrowd":0},
    {"id":2,"image_id":3,"category_id":2,"bbox":[5,6,7,8],"iscrowd":1}]}
    """

  private func file(
    _ text: String = annotations, ignoresClasses: Bool = false
  ) throws -> BoxesFile {
    try BoxesFile(annotations: JSON(parsing: Array(text.utf8)), ignoresClasses: ignoresClasses)
  }

  private func boxes(_ text: String, ignoresClasses: Bool = false) throws -> BoxesFile {
    var file = try file(ignoresClasses: ignoresClasses)
    try file.add(Array(text.utf8))
    return file
  }

  @Test func readsAnnotationsByIdentifier() throws {
    let file = try file()
    #expect(file.images == ["in/a.jpg", "in/b.jpg"] && file.classes == ["cat", "dog"])
    let cat = TrueBox(frame: [5, 6, 7, 8], area: 56, isCrowd: true)
    let dog = TrueBox(frame: [1, 2, 3, 4], area: 9)
    #expect(file.boxes == [[ImageBoxes(truth: [cat])], [ImageBoxes(truth: [dog])]])
  }

  /// A list of results, COCO JSON with other identifiers, and lines of the tool.
  @Test(arguments: [
    #"[{"image_id":7,"category_id":5,"bbox":[1,2,3,4],"score":0.5}]"#,
    """
    {"images":[{"id":1,"file_name":"other/b.jpg"}],"categories":[{"id":1,"name":"dog"}],
    "annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,2,3,4],"score":0.5}]}
    """,
    """
    {"format":"martlet results","version":1,"command":"detect","options":[]}
    {"image":"in/b.jpg","width":9,"height":9,"objects":[{"frame":{"x":1,"y":2,"width":3,"height":4},\
    "score":0.5,"trackingID":null,"labels":[{"text":"cat","index":0,"confidence":1}],\
    "fineLabels":[{"text":"dog","index":9,"confidence":0.75}]}]}
    """,
  ])
  func readsBoxesInEachForm(_ text: String) throws {
    let file = try boxes(text)
    #expect(file.boxes[1][0].found == [FoundBox(frame: [1, 2, 3, 4], score: 0.5)])
    #expect(file.unknownImages.isEmpty && file.unknownClasses.isEmpty)
    #expect(file.missingImageCount == 1)
  }

  @Test func countsWhatAnnotationsDoNotHave() throws {
    let line = """
      {"image":"b.jpg","objects":[{"frame":{"x":1,"y":2,"width":3,"height":4},"score":0.5,"labels":[]}]}
      {"image":"c.jpg","objects":[{"frame":{"x":1,"y":2,"width":3,"height":4},"score":0.5,"labels":[]}]}
      {"image":"d.jpg","error":"the file is empty"}
      """
    let file = try boxes(line)
    #expect(file.unknownClasses == ["object": 1])
    #expect(file.unknownImages == ["c.jpg": 1, "d.jpg": 0])
    let alone = try boxes(line, ignoresClasses: true)
    #expect(alone.unknownClasses.isEmpty && alone.classes == ["any"])
    #expect(alone.boxes[0].map(\.found.count) == [0, 1])
    #expect(alone.boxes[0].map(\.truth.count) == [1, 1])
  }

  @Test(
    arguments: [
      (
        "{\"image\":\"b.jpg\"}\n{\"image\":3}",
        .line(2, .mismatch(path: "image", expected: "string"))
      ),
      ("{\"image\":\"b.jpg\"}\n{", .line(2, .endOfText(offset: 1))),
      ("", .noCommonImage(found: nil, expected: "in/a.jpg")),
      (#"{"image":"x.jpg"}"#, .noCommonImage(found: "x.jpg", expected: "in/a.jpg")),
      (
        #"{"images":[],"categories":[],"annotations":[{"image_id":4}]}"#,
        .unknownIdentifier(4, path: "annotations[0].image_id")
      ),
    ] as [(String, BoxesFileError)])
  func errorsNameThePlace(_ text: String, _ error: BoxesFileError) {
    #expect(throws: error) { try boxes(text) }
  }

  @Test(arguments: [
    ("[]", "the JSON: expected object"), ("{}", "the member images is missing"),
    (
      #"{"images":[{"id":1}],"categories":[{"id":1}],"annotations":[{"image_id":1,"category_id":1,"bbox":[1,2,3]}]}"#,
      "annotations[0].bbox: expected [x, y, width, height]"
    ),
  ])
  func rejectsOtherAnnotations(_ text: String, _ message: String) {
    let error = #expect(throws: JSONError.self) { try file(text) }
    #expect(error.map { "\($0)" } == message)
  }

  /// The tool's own boxes as annotations are found.
  @Test(arguments: [["--format", "coco"], ["--json"]])
  func evaluateReadsTheToolsFormats(_ words: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let scene = Fixtures.folder("Scenes").path + "/fruit.jpg"
    let detect = ["detect", scene, "--multiple", "--classify"]
    let coco = ["--format", "coco", "--output", folder + "/truth.json"]
    #expect(MartletTool.run(detect + coco) == 0)
    #expect(MartletTool.run(detect + words + ["--output", folder + "/boxes"]) == 0)
    let evaluate = ["evaluate", folder + "/boxes", folder + "/truth.json", "--json"]
    #expect(MartletTool.run(evaluate + ["--output", folder + "/result"]) == 0)
    let result = JSONReader(try JSON(parsing: Files.read(folder + "/result")))
    struct Row: JSONReadable {
      let precision: Double?
      init(_ reader: JSONReader) throws(JSONError) { precision = try reader.optional("AP") }
    }
    let row: Row = try result.value("all")
    #expect(row.precision == 1)
    #expect(MartletTool.run(["evaluate", folder + "/boxes", scene]) == 1)
    #expect(MartletTool.run(["evaluate", folder + "/boxes"]) == 2)
  }
}
