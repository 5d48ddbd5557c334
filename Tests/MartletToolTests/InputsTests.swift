import Foundation
import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletInference
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct InputsTests {
  let scenes = Fixtures.folder("Scenes").path
  static let specification = CommandSpecification(
    name: "test", summary: "", operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options)

  /// The names of the files that were read, those that failed, and the exit status.
  private func walk(_ words: [String]) throws -> (read: [String], failed: [FilePath], Int32) {
    let inputs = try Inputs(Arguments(words, for: InputsTests.specification))
    var read: [String] = []
    var failed: [FilePath] = []
    let images = inputs.images(.serial)
    for (path, decoded) in images {
      do {
        read.append("\(try decoded.get().path.name)")
      } catch {
        images.report(error, about: path)
        failed.append(path)
      }
    }
    return (read, failed, images.finish())
  }

  @Test func folderExpandsToItsImages() throws {
    let (read, failed, status) = try walk([scenes])
    #expect(read.count >= 6 && read == read.sorted())
    #expect(read.allSatisfy { $0.hasSuffix(".jpg") })
    #expect(failed.isEmpty && status == 0)
  }

  @Test func folderWithoutImagesFailsAndOthersAreRead() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let (read, failed, status) = try walk([folder, scenes + "/room.jpg"])
    #expect(read == ["room.jpg"] && failed == [FilePath(folder)] && status == 1)
  }

  @Test func doneImagesAreSkipped() throws {
    let words = [scenes + "/room.jpg", scenes + "/fruit.jpg"]
    let inputs = try Inputs(Arguments(words, for: InputsTests.specification))
    let path = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let header = ResultsHeader(try Arguments(words, for: InputsTests.specification))
    do {
      let results = try ResultsFile(FilePath(path), header)
      try results.append(.object([("image", .string(words[0]))]))
    }
    let results = try ResultsFile(FilePath(path), header)
    let images = inputs.images(.serial, results)
    #expect(images.map { $0.path } == [FilePath(words[1])])
    #expect(images.finish() == 0)
  }

  @Test func summaryCountsImages() {
    #expect(
      Inputs.summary(of: 492, failed: 6, done: 0, after: 3.149)
        == "492 images, 6 failed, 3.1 s")
    #expect(
      Inputs.summary(of: 9, failed: 0, done: 5, after: 2)
        == "9 images, 0 failed, 5 done before, 2.0 s")
  }

  @Test func patternExpandsToMatchingFiles() throws {
    #expect(try walk([scenes + "/[fr]*.jpg"]).read == ["fruit.jpg", "room.jpg"])
  }

  @Test func missingFilesFailAndOthersAreRead() throws {
    let (read, failed, status) = try walk(["/nowhere*.jpg", scenes + "/room.jpg", ""])
    #expect(read == ["room.jpg"] && failed == ["/nowhere*.jpg", ""] && status == 1)
  }

  @Test func rejectsImageBeyondMemoryLimit() throws {
    // 640 x 480 pixels of three bytes are 0.88 MiB; the images are baseline JPEG files.
    #expect(try walk(["--max-memory", "1", scenes + "/fruit.jpg"]).failed.isEmpty)
    let large = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID()).ppm").path
    defer { try? FileManager.default.removeItem(atPath: large) }
    try Files.write(
      Array("P6 700 500 255\n".utf8) + [UInt8](repeating: 0, count: 1_050_000), to: large)
    #expect(try walk(["--max-memory", "1", large]).failed == [FilePath(large)])
    // The file and its pixels need 2.1 MB.
    #expect(try walk(["--max-memory", "2", large]).failed == [FilePath(large)])
    #expect(try walk(["--max-memory", "3", large]).failed.isEmpty)
    #expect(throws: UsageError.self) { _ = try walk(["--max-memory", "0", large]) }
  }

  @Test(
    arguments: [
      ([], true), (["--full-resolution"], false), (["--annotate", "a.png"], true),
      (["--save-crops", "a"], false), (["--region", "0,0,9,9"], false), (["--report", "a"], true),
    ] as [([String], Bool)])
  func largeImageIsReducedUnlessAllPixelsAreNeeded(_ words: [String], isReduced: Bool) throws {
    let large = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID()).jpg").path
    defer { try? FileManager.default.removeItem(atPath: large) }
    let raster = Raster(
      width: 1440, height: 1440, channels: 1, samples: [UInt8](repeating: 9, count: 1440 * 1440))
    try Files.write(try JPEG.encode(raster), to: large)
    let arguments = try Arguments(words + [large], for: DetectCommand.specification)
    var size: ImageSize?
    for (_, decoded) in try Inputs(arguments).images(.serial) {
      size = try decoded.get().file.image.size
    }
    #expect(size?.width == (isReduced ? 720 : 1440))
    for (_, decoded) in try Inputs(arguments, isRaw: true).images(.serial) {
      size = try decoded.get().file.image.size
    }
    #expect(size?.width == 1440)
  }

  @Test func colorsAreConvertedUnlessTurnedOff() throws {
    let path = Fixtures.folder("ICC").path + "/display-p3.png"
    for (words, isRaw, red) in [
      ([], false, 216), (["--no-color-conversion"], false, 200), ([], true, 200),
    ] as [([String], Bool, UInt8)] {
      let arguments = try Arguments(words + [path], for: DetectCommand.specification)
      var color: RGBImage.Color?
      for (_, decoded) in try Inputs(arguments, isRaw: isRaw).images(.serial) {
        color = try decoded.get().file.image[0, 0]
      }
      #expect(color?.red == red)
    }
  }

  @Test func damagedImageIsReadUnlessStrict() throws {
    let damaged = Fixtures.folder("PNG/Damaged").path + "/rgb-text-crc.png"
    #expect(try walk([damaged]) == (["rgb-text-crc.png"], [], 0))
    #expect(try walk(["--strict", damaged]) == ([], [FilePath(damaged)], 1))
    let file = try ImageFile(decoding: Files.read(damaged))
    #expect(
      "\(JSON.object(file.warnings.json))".hasPrefix(
        #"{"warnings":["PNG: the tEXt chunk at byte 33 has checksum "#))
    let intact = try ImageFile(decoding: Files.read(scenes + "/room.jpg"))
    #expect(intact.warnings.json.isEmpty)
  }

  @Test func listCombinesWithOperands() throws {
    let list = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: list) }
    try Files.write(Array("\(scenes)/room.jpg\n\n/nowhere.jpg\n".utf8), to: list)
    let (read, failed, status) = try walk(["--files-from", list, scenes + "/fruit.jpg"])
    #expect(read == ["fruit.jpg", "room.jpg"] && failed == ["/nowhere.jpg"] && status == 1)
  }

  @Test(.timeLimit(.minutes(5))) func endlessDeviceInListFailsAlone() throws {
    let list = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: list) }
    try Files.write(
      Array("\(scenes)/room.jpg\n/dev/zero\n\(scenes)/fruit.jpg\n".utf8), to: list)
    let (read, failed, status) = try walk(["--files-from", list])
    #expect(read == ["room.jpg", "fruit.jpg"] && failed == ["/dev/zero"] && status == 1)
  }

  @Test(.timeLimit(.minutes(5))) func rejectsEndlessDeviceAsList() throws {
    let (read, failed, status) = try walk(["--files-from", "/dev/zero", scenes + "/room.jpg"])
    #expect(read == ["room.jpg"] && failed.isEmpty && status == 1)
  }

  @Test func distinguishesOneImageFromSeveral() throws {
    func isSingle(_ words: [String]) throws -> Bool {
      try Inputs(Arguments(words, for: InputsTests.specification)).isSingle
    }
    #expect(try isSingle(["a.jpg"]) && isSingle(["-"]))
    #expect(
      try !isSingle(["a.jpg", "b.jpg"]) && !isSingle([scenes]) && !isSingle(["--files-from", "x"]))
    #expect(throws: UsageError.self) { _ = try isSingle([]) }
  }
}
