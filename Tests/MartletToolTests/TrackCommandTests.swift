import Foundation
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct TrackCommandTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let scenes = Fixtures.folder("Scenes").path

  func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  /// A video file that repeats one image for a few frames.
  private func video(_ name: String) throws -> String {
    try Files.makeFolder(folder)
    let path = folder + "/" + name
    let bytes = try Files.read("\(scenes)/fruit.jpg")
    if name.hasSuffix(".mjpeg") {
      try Files.write(bytes + bytes + bytes, to: path)
    } else {
      let image = try ImageFile(decoding: bytes).upright
      let frame = Y4MWriter.frame(image)
      let header = Y4MWriter.header(Y4MHeader(size: image.size, rate: (10, 1)))
      try Files.write(header + frame + frame + frame, to: path)
    }
    return path
  }

  @Test(
    arguments: [
      (["track"], 2), (["track", "--help"], 0), (["track", "/nowhere"], 1),
      (["track", "a", "b"], 2), (["track", "a", "--start", "1,2,3"], 2),
      (["track", "a", "--start", "1,2,3,0"], 2), (["track", "a", "--start", "1,2,3,4,5"], 2),
      (["track", "a", "--start", "1,2,3,nan"], 2), (["track", "a", "--detect-every", "0"], 2),
      (["track", "a", "--json", "--annotate", "-"], 2), (["track", "a", "--max-objects", "0"], 2),
    ] as [([String], Int32)])
  func exitStatusMatchesOutcome(_ words: [String], _ status: Int32) {
    #expect(MartletTool.run(words) == status)
  }

  @Test func refusesMoreStartBoxesThanAStreamTracks() throws {
    let words =
      ["a.y4m"] + [[String]](repeating: ["--start", "1,2,3,4"], count: 101).flatMap { $0 }
    #expect(
      throws: UsageError.invalidValue(
        option: "--start", value: "101 boxes", expected: "at most 100")
    ) { _ = try TrackCommand(Arguments(words, for: TrackCommand.specification)) }
  }

  /// Object options with `--faces`, face options without it, and the error.
  @Test(
    arguments: [
      (["--faces", "--multiple"], .excludes(option: "--multiple", other: "--faces")),
      (["--faces", "--max-objects", "2"], .excludes(option: "--max-objects", other: "--faces")),
      (["--faces", "--start", "1,2,3,4"], .excludes(option: "--start", other: "--faces")),
      (["--model", "x.tflite", "--faces"], .excludes(option: "--model", other: "--faces")),
      (["--faces", "--detector", "x"], .excludes(option: "--detector", other: "--faces")),
      (
        ["--faces", "--classify", "--threshold", "0.5"],
        .excludes(option: "--threshold", other: "--faces")
      ),
      (["--landmarks"], .needs(option: "--landmarks", others: ["--faces"])),
      (["--mode", "fast"], .needs(option: "--mode", others: ["--faces"])),
      (["--max-faces", "2"], .needs(option: "--max-faces", others: ["--faces"])),
      (["--no-smoothing"], .needs(option: "--no-smoothing", others: ["--faces"])),
    ] as [([String], UsageError)])
  func rejectsMixedFaceAndObjectOptions(_ words: [String], _ error: UsageError) {
    #expect(throws: error) {
      _ = try Arguments(["a.y4m"] + words, for: TrackCommand.specification)
    }
  }

  @Test(arguments: [
    ["--json"], ["--format", "csv"], ["--mode", "fast", "--timings"],
    [
      "--landmarks", "--contours", "--classify", "--mesh", "--max-faces", "2", "--no-smoothing",
      "--detect-every", "2", "--keep-lost", "0",
    ],
  ])
  func tracksFacesOfAVideo(_ words: [String]) throws {
    defer { removeFolder() }
    let output = folder + "/out.y4m"
    let status = MartletTool.run(
      ["track", try video("a.y4m"), "--faces", "--annotate", output] + words)
    #expect(status == 0)
    var frames = try VideoSource(FilePath(output), limits: ImageLimits())
    var count = 0
    while let frame = frames.next() {
      #expect(throws: Never.self) { try frame.image.get() }
      count += 1
    }
    #expect(count == 3)
  }

  @Test(arguments: ["a.y4m", "a.mjpeg"])
  func annotatedVideoIsAVideo(_ name: String) throws {
    defer { removeFolder() }
    let output = folder + "/out.y4m"
    #expect(MartletTool.run(["track", try video(name), "--annotate", output]) == 0)
    var before = try VideoSource(FilePath(try video(name)), limits: ImageLimits())
    var after = try VideoSource(FilePath(output), limits: ImageLimits())
    var count = 0
    while let frame = after.next() {
      let unmarked = before.next()
      let old = try #require(unmarked).image.get()
      let new = try frame.image.get()
      #expect(old.size == new.size)
      #expect(old != new)
      count += 1
    }
    #expect(count == 3)
    #expect(after.rate == (name.hasSuffix("y4m") ? (10, 1) : (25, 1)))
  }

  @Test func annotatesFramesAsPNG() throws {
    defer { removeFolder() }
    let words = ["track", try video("a.y4m"), "--annotate", folder + "/out", "--classify"]
    #expect(MartletTool.run(words + ["--start", "20,20,60,60", "--timings"]) == 0)
    #expect(try Files.list(folder + "/out") == ["000000.png", "000001.png", "000002.png"])
  }

  @Test func folderIsReadInNumberOrder() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder)
    let bytes = try Files.read("\(scenes)/fruit.jpg")
    for name in ["f10.jpg", "f9.jpg", "f1.jpg"] { try Files.write(bytes, to: folder + "/" + name) }
    try Files.write([1, 2, 3], to: folder + "/f2.jpg")
    try Files.write([1, 2, 3], to: folder + "/notes.txt")
    var source = try VideoSource(FilePath(folder + "/"), limits: ImageLimits())
    var names: [String] = []
    while let (name, number, image) = source.next() {
      #expect(number == names.count)
      names.append("\(name.name)")
      if name.hasSuffix("f2.jpg") {
        #expect(throws: ImageFileError.self) { try image.get() }
      } else {
        #expect(throws: Never.self) { try image.get() }
      }
    }
    #expect(names == ["f1.jpg", "f2.jpg", "f9.jpg", "f10.jpg"])
    // One invalid frame: the others are tracked, and the status is 1.
    #expect(MartletTool.run(["track", folder]) == 1)
  }

  @Test(arguments: [
    (["b2.png", "b10.png", "b1.png"], ["b1.png", "b2.png", "b10.png"]),
    (["x.png", "002.png", "1.png"], ["x.png", "1.png", "002.png"]),
    (["v2f07.png", "v1f7.png", "v2f6.png"], ["v2f6.png", "v1f7.png", "v2f07.png"]),
  ])
  func namesSortByTheirLastNumber(_ names: [String], _ expected: [String]) {
    #expect(VideoSource.byNumber(names.map { FilePath($0) }) == expected.map { FilePath($0) })
  }

  @Test func truncatedLastFrameIsDropped() throws {
    defer { removeFolder() }
    let path = try video("a.y4m")
    let bytes = try Files.read(path)
    try Files.write(Array(bytes.dropLast(5)), to: path)
    #expect(MartletTool.run(["track", path, "--json"]) == 0)
    var source = try VideoSource(FilePath(path), limits: ImageLimits())
    for _ in 0..<2 { #expect(source.next() != nil) }
    #expect(source.next() == nil)
    #expect(source.warnings.count == 1)
    var strict = try VideoSource(FilePath(path), limits: ImageLimits(), isStrict: true)
    for _ in 0..<2 { _ = strict.next() }
    #expect(throws: Y4MError.self) { try strict.next()?.image.get() }
  }

  /// FFmpeg, or Pillow for GIF and WebP, finds this number of frames in each.
  @Test(arguments: [
    ("Videos/startmid.mjpeg", 4, 1), ("Videos/420p10.y4m", 2, 0),
    ("GIF/Animated/local-tables.gif", 4, 0),
    ("WebP/animation-composed.webp", 7, 0),
  ])
  func readsVideosOfOtherEncoders(_ name: String, _ count: Int, _ warnings: Int) throws {
    let path = Fixtures.folder(name).path
    var source = try VideoSource(FilePath(path), limits: ImageLimits())
    var found = 0
    for _ in 0..<count {
      #expect(throws: Never.self) { try source.next()?.image.get() }
      found += source.warnings.count
    }
    #expect(source.next() == nil)
    #expect(found + source.warnings.count == warnings)
    #expect(MartletTool.run(["track", path]) == 0)
  }

  /// Warnings use the memory of one frame, whatever the video's length. Every damaged frame has its
  /// own.
  @Test func eachFrameHasItsOwnWarnings() throws {
    defer { removeFolder() }
    try Files.makeFolder(folder + "/frames")
    let damaged = try Files.read(Fixtures.folder("PNG/Damaged").path + "/rgb-text-crc.png")
    let intact = try Files.read("\(scenes)/fruit.jpg")
    for index in 0..<12 {
      let (name, bytes) = index % 3 == 2 ? ("\(index).jpg", intact) : ("\(index).png", damaged)
      try Files.write(bytes, to: folder + "/frames/" + name)
    }
    // A stray byte precedes every image except the first.
    try Files.write(intact + [0x81] + intact + [0x81] + intact, to: folder + "/a.mjpeg")
    for (name, expected) in [
      ("frames", (0..<12).map { $0 % 3 == 2 ? 0 : 1 }), ("a.mjpeg", [0, 1, 1]),
    ] {
      var source = try VideoSource(FilePath(folder + "/" + name), limits: ImageLimits())
      for count in expected {
        #expect(throws: Never.self) { try source.next()?.image.get() }
        #expect(source.warnings.count == count)
      }
      #expect(source.next() == nil)
      #expect(source.warnings.isEmpty)
    }
  }

  /// A Motion JPEG video does not say how fast it is; a YUV4MPEG2 video does.
  @Test(arguments: [("a.mjpeg", "F12500:1000"), ("a.y4m", "F10:1")])
  func rateIsThatOfTheSourceOrTheOption(_ name: String, _ rate: String) throws {
    defer { removeFolder() }
    let (path, output) = (try video(name), folder + "/out.y4m")
    #expect(MartletTool.run(["track", path, "--fps", "12.5", "--annotate", output]) == 0)
    let header = String(decoding: try Files.read(output).prefix(100), as: UTF8.self)
    #expect(header.contains(rate))
    #expect(MartletTool.run(["track", path, "--fps", "0"]) == 2)
  }

  @Test func resultsGoToAFileBesideAVideo() throws {
    defer { removeFolder() }
    let path = try video("a.mjpeg")
    let words = ["track", path, "--json", "-o", folder + "/out", "--annotate", folder + "/v.y4m"]
    #expect(MartletTool.run(words) == 0)
    let text = String(decoding: try Files.read(folder + "/out"), as: UTF8.self)
    #expect(text.split(separator: "\n").count == 3)
  }

  @Test func unknownFormatIsReported() throws {
    defer { removeFolder() }
    let path = try video("a.y4m")
    try Files.write(Array("RIFF".utf8), to: path)
    #expect(MartletTool.run(["track", path]) == 1)
  }
}
