import Foundation
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
import MartletVision
import Testing

@testable import MartletTool

@Suite struct ConcealedVideoTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())")
    .path
  private let scenes = Fixtures.folder("Scenes").path

  /// Twelve gray frames; an object is detected in the frames 6 and 7, and kept for two more.
  @Test func objectIsConcealedBeforeItIsFoundAndWhileItIsLost() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let gray = try RGBImage(
      width: 64, height: 48, filledWith: .init(red: 200, green: 200, blue: 200))
    let input = folder + "/in.y4m"
    let output = folder + "/out.y4m"
    try Files.write(
      Y4MWriter.header(Y4MHeader(size: gray.size, rate: (10, 1))) + Y4MWriter.frame(gray), to: input
    )
    let source = try VideoSource(FilePath(input), limits: ImageLimits())
    var video = ConcealedVideo(
      try AnnotatedVideo(FilePath(output), of: source, Outputs()), .fill, lostFrameCount: 2)
    let object = DetectedObject(
      frame: Box(x: 10, y: 10, width: 20, height: 20), score: 1, trackingID: 3)
    for number in 0..<12 {
      try video.add(
        6...7 ~= number ? [object] : [], in: gray, name: "frame", number: number)
    }
    try video.finish()
    var frames = try VideoSource(FilePath(output), limits: ImageLimits())
    var dark: [Int] = []
    for number in 0..<12 {
      let frame = frames.next()
      let image = try #require(frame).image.get()
      #expect(image[60, 40].red > 190)
      if image[20, 20].red < 20 { dark.append(number) }
    }
    #expect(frames.next() == nil)
    #expect(dark == Array(1...9))
  }

  @Test(arguments: ["blur", "pixels", "fill"])
  func concealsImagesOfEveryKind(_ style: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let out = folder + "/out"
    let words = ["\(scenes)/fruit.jpg", "\(scenes)/room.jpg", "--conceal", style, out]
    #expect(
      MartletTool.run(["detect", "--multiple"] + words + ["-o", folder + "/lines", "--json"]) == 0)
    for name in ["fruit", "room"] {
      let before = try ImageFile(decoding: Files.read("\(scenes)/\(name).jpg")).upright
      let after = try ImageFile(decoding: Files.read("\(out)/\(name).jpg")).upright
      #expect(before.size == after.size && before != after)
    }
    let lines = String(decoding: try Files.read(folder + "/lines"), as: UTF8.self)
    #expect(lines.contains("\"concealed\":\"\(out)/fruit.jpg\""))
  }

  @Test(
    arguments: [
      (["detect", "a.jpg", "--conceal"], 2), (["detect", "a.jpg", "--conceal", "blur"], 2),
      (["detect", "a.jpg", "--conceal", "black", "out"], 2),
      (["detect", "a.jpg", "b.jpg", "--conceal", "blur", "out.jpg"], 2),
      (["track", "a.y4m", "--conceal", "blur", "out.mp4"], 2),
      (["track", "a.y4m", "--conceal", "blur", "-", "--annotate", "-"], 2),
      (["track", "a.y4m", "--conceal", "blur", "-", "--json"], 2),
    ] as [([String], Int32)])
  func refusesWhatItCannotWrite(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test(arguments: [[], ["--faces"]])
  func concealsVideos(_ words: [String]) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder + "/in")
    for number in 0..<7 {
      try Files.write(
        Files.read("\(scenes)/fruit.jpg"), to: FilePath("\(folder)/in/\(number).jpg"))
    }
    let out = folder + "/out"
    #expect(MartletTool.run(["track", folder + "/in", "--conceal", "pixels", out] + words) == 0)
    #expect(try Files.list(FilePath(out)).count == 7)
  }

  /// Six frames of 1000 x 800 pixels take 14 MiB.
  @Test(arguments: [(13, 1), (14, 0)] as [(Int, Int32)])
  func heldFramesCountTowardsTheMemoryLimit(_ mebibytes: Int, _ status: Int32) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let gray = try RGBImage(
      width: 1000, height: 800, filledWith: .init(red: 200, green: 200, blue: 200))
    let input = folder + "/in.y4m"
    try Files.write(
      Y4MWriter.header(Y4MHeader(size: gray.size, rate: (10, 1))) + Y4MWriter.frame(gray), to: input
    )
    let words = ["track", input, "--conceal", "fill", folder + "/out.y4m", "--max-memory"]
    #expect(MartletTool.run(words + ["\(mebibytes)"]) == status)
  }
}
