import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

/// COCO JSON and YOLO labels. `.ci/check/exports` reads them with pycocotools and Ultralytics.
@Suite struct AnnotationsTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let scenes = Fixtures.folder("Scenes").path

  private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  private func object(_ label: String?, _ index: Int = 0) -> DetectedObject {
    var object = DetectedObject(
      frame: Box(x: 10, y: 20, width: 40, height: 20.5), score: 0.5, labels: [])
    if let label { object.labels = [ObjectLabel(text: label, index: index, confidence: 0.9)] }
    return object
  }

  private func write(
    _ format: ResultFormat, to path: String, _ images: [(path: FilePath, found: [DetectedObject])]
  ) throws {
    let writer = try ResultWriter<DetectedObject>(
      format, to: FilePath(path), of: Outputs(), DetectedObject.table(hasTimings: false),
      classes: ["cat", "dog", "cat"])
    for (path, found) in images {
      try writer.add(found, in: path, folder: "", ImageSize(width: 100, height: 50), [])
    }
    try writer.finish()
  }

  @Test func cocoHasIdentifiersFromOneOn() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    try write(
      .coco, to: folder + "/a.json",
      [("x/a.jpg", [object("dog", 1), object(nil)]), ("b.jpg", []), ("c.jpg", [object("", 17)])])
    let text = String(decoding: try Files.read(folder + "/a.json"), as: UTF8.self)
    #expect(
      text.split(separator: "\n").joined() == """
        {"annotations":[\
        {"id":1,"image_id":1,"category_id":2,"bbox":[10,20,40,20.5],"area":820,"iscrowd":0,"score":0.5},\
        {"id":2,"image_id":1,"category_id":4,"bbox":[10,20,40,20.5],"area":820,"iscrowd":0,"score":0.5},\
        {"id":3,"image_id":3,"category_id":5,"bbox":[10,20,40,20.5],"area":820,"iscrowd":0,"score":0.5}\
        ],"images":[\
        {"id":1,"file_name":"x/a.jpg","width":100,"height":50},\
        {"id":2,"file_name":"b.jpg","width":100,"height":50},\
        {"id":3,"file_name":"c.jpg","width":100,"height":50}],"categories":[\
        {"id":1,"name":"cat"},{"id":2,"name":"dog"},{"id":3,"name":"cat"},{"id":4,"name":"object"},\
        {"id":5,"name":"class 17"}]}
        """)
  }

  @Test func yoloHasAFileForEachImage() throws {
    defer { removeFolder() }
    var outside = object("dog", 1)
    outside.frame.x = -20
    try write(.yolo, to: folder, [("x/a.jpg", [object("dog", 1), outside]), ("b.png", [])])
    func text(_ name: String) throws -> String {
      String(decoding: try Files.read(folder + "/" + name), as: UTF8.self)
    }
    // The centers are at (30, 30.25) and, of the part inside the image, at (10, 30.25).
    #expect(try text("labels/a.txt") == "1 0.3 0.605 0.4 0.41\n1 0.1 0.605 0.2 0.41\n")
    #expect(try text("labels/b.txt") == "")
    #expect(try text("classes.txt") == "cat\ndog\ncat\n")
    #expect(
      try text("data.yaml") == """
        train: images
        val: images
        names:
          0: "cat"
          1: "dog"
          2: "cat"

        """)
  }

  /// Two images of one name would share a file.
  @Test func yoloRefusesASecondFileOfAName() throws {
    defer { removeFolder() }
    #expect(throws: FileError.isOutput(path: FilePath(folder) / "labels/a.txt")) {
      try write(.yolo, to: folder, [("x/a.jpg", []), ("y/a.png", [])])
    }
  }

  @Test func yoloMirrorsFoldersAndNeedsOne() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder + "/in/sub")
    try Files.write(try Files.read("\(scenes)/room.jpg"), to: folder + "/in/sub/room.jpg")
    let words = ["detect", folder + "/in", "--recursive", "--format", "yolo"]
    #expect(MartletTool.run(words) == 2)
    #expect(MartletTool.run(words + ["--output", folder + "/out"]) == 0)
    #expect(try Files.list(folder + "/out/labels/sub") == ["room.txt"])
  }

  /// Of two runs each byte is the same, with the indices of the classifier's labels.
  @Test func exportsAreDeterministic() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let words = ["detect", scenes, "--multiple", "--classify", "--format", "coco", "--output"]
    for name in ["a", "b"] { #expect(MartletTool.run(words + [folder + "/" + name]) == 0) }
    let bytes = try Files.read(folder + "/a")
    #expect(try bytes == Files.read(folder + "/b"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#"{"id":3,"name":"Food"}"#))
  }

  @Test func facesAreOneClass() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let face = Fixtures.folder("Faces").path + "/winking.jpg"
    let path = folder + "/a.json"
    #expect(MartletTool.run(["faces", face, "--format", "coco", "--output", path]) == 0)
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    #expect(text.hasSuffix("\"categories\":[{\"id\":1,\"name\":\"face\"}]}\n"))
    #expect(text.contains("\"category_id\":1"))
  }

  @Test(arguments: ["track", "classify"])
  func otherCommandsHaveNoAnnotations(_ command: String) {
    #expect(MartletTool.run([command, scenes, "--format", "coco"]) == 2)
  }
}
