import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

/// Names that are not UTF-8, or are canonically equal, through every way of naming files.
@Suite struct PathEncodingTests {
  let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)
  /// caf\xE9 in Latin-1, and in UTF-8 composed and decomposed.
  static let names = [FilePath(bytes: Array("caf".utf8) + [0xE9]), "caf\u{E9}", "cafe\u{301}"]

  private var images: [FilePath] { PathEncodingTests.names.map { folder / "in" / ($0 + ".jpg") } }

  init() throws {
    try Files.makeFolder(folder / "in")
    let bytes = try Files.read(Fixtures.folder("Scenes").path + "/room.jpg")
    for image in images { try Files.write(bytes, to: image) }
  }

  private func removeFolder() { try? FileManager.default.removeItem(atPath: "\(folder)") }

  enum Naming: CaseIterable { case operands, folder, pattern, lines, zeros }

  private func words(_ naming: Naming) throws -> [FilePath] {
    switch naming {
    case .operands: return images
    case .folder: return [folder / "in"]
    case .pattern: return [folder / "in/c*.jpg"]
    case .lines, .zeros:
      let end: [UInt8] = naming == .lines ? [0x0A] : [0]
      try Files.write(images.flatMap { $0.bytes + end }, to: folder / "list")
      return ["--files-from", folder / "list"]
    }
  }

  @Test(arguments: Naming.allCases) func imagesOfAnyNameAreProcessed(_ naming: Naming) throws {
    defer { removeFolder() }
    let out = folder / FilePath(bytes: [0x6F, 0xFC])
    let words: [FilePath] =
      try ["detect", "--resume", folder / "lines", "--annotate", out + "/", "--save-crops", out]
      + words(naming)
    #expect(MartletTool.run(words: words) == 0)
    let results = try Files.lines(folder / "lines").dropFirst()
      .map { try JSON(parsing: Array($0.utf8)) }
    #expect(Set(results.map { FilePath("image", of: $0) }) == Set(images))
    let annotated = results.compactMap { FilePath("annotated", of: $0) }
    #expect(Set(annotated) == Set(PathEncodingTests.names.map { out / ($0 + ".jpg") }))
    for path in annotated { #expect(Files.kind(path) == .regular) }
    let crops = PathEncodingTests.names.map { $0 + "-1.png" }
    #expect(try Files.list(out).filter { $0.hasSuffix(".png") } == crops.sorted())
    // Run again, all images are done.
    let before = try Files.read(folder / "lines")
    #expect(MartletTool.run(words: words) == 0)
    #expect(try Files.read(folder / "lines") == before)
  }

  @Test func otherCommandsTakeNamesOfAnyBytes() throws {
    defer { removeFolder() }
    let model = folder / FilePath(bytes: [0xFF])
    let shipped = Fixtures.root.appending(path: "Weights/classifier.tflite").path
    try Files.write(try Files.read(shipped), to: model)
    let latin = PathEncodingTests.names[0]
    for words: [FilePath] in [
      ["inspect", model], ["classify", images[0], "--model", model], ["faces", images[0]],
      ["decode", images[0], "--output", folder / latin],
      ["run", model, "--output", folder / latin],
      ["track", folder / "in", "--annotate", folder / (latin + ".y4m")],
      ["track", folder / (latin + ".y4m"), "--json"],
      ["annotate-model", model, "--name", "x", "--output", folder / (latin + ".tflite")],
      ["compile", model, "--output", folder / (latin + ".swift"), "--name", "X"],
      ["detect", images[0], "--report", folder / (latin + ".html")],
    ] {
      #expect(MartletTool.run(words: words) == 0, "\(words)")
    }
    for ending in [".y4m", ".tflite", ".swift", ".bin", ".html"] {
      #expect(Files.kind(folder / (latin + ending)) == .regular, "\(ending)")
    }
    #expect(try Files.list(folder / latin).contains((images[0].flattened) + ".ppm"))
  }
}
