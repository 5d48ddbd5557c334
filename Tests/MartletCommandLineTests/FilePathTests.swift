import Foundation
import MartletBase
import MartletCommandLine
import MartletTestSupport
import Testing

@Suite struct FilePathTests {
  @Test func pathsAreEqualIfTheirBytesAre() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    #expect(FilePath(composed) != FilePath(decomposed))
    #expect(Set([FilePath(composed), FilePath(decomposed)]).count == 2)
    #expect([FilePath("b"), FilePath(bytes: [0xFF]), "a", ""].sorted().first == "")
    #expect(FilePath("Z") < "a" && FilePath("a") < FilePath(bytes: [0xE9]))
  }

  @Test(
    arguments: [
      (Array("a/ä.jpg".utf8), "a/ä.jpg", nil), ([0x63, 0xE9, 0x2E], "c\\xE9.", "Y+ku"),
      ([0xE2, 0x82], "\\xE2\\x82", "4oI="), ([0xC3, 0xA9, 0xFF, 0x61], "é\\xFFa", "w6n/YQ=="),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80", "7aCA"), ([], "", nil),
    ] as [([UInt8], String, String?)])
  func otherBytesAreVisibleAndReversible(
    _ bytes: [UInt8], _ text: String, _ base64: String?
  ) throws {
    let path = FilePath(bytes: bytes)
    #expect("\(path)" == text && path.base64 == base64)
    let json = JSON.object([("image", .string("\(path)"))] + path.json("image"))
    #expect(FilePath("image", of: try JSON(parsing: Array("\(json)".utf8))) == path)
  }

  @Test(
    arguments: [
      ("a/b.jpg", "b.jpg", "b", "a/"), ("b", "b", "b", "."), ("/b.x.png", "b.x.png", "b.x", "/"),
      ("a//b/", "b", "b", "a//"), (".hidden", ".hidden", ".hidden", "."), ("/", "", "", "/"),
      ("a/.", ".", ".", "a/"), ("", "", "", "."), ("x.", "x.", "x", "."),
    ] as [(FilePath, FilePath, FilePath, FilePath)])
  func componentsAreThoseOfTheSystem(
    _ path: FilePath, _ name: FilePath, _ stem: FilePath, _ parent: FilePath
  ) {
    #expect(path.name == name && path.stem == stem && path.parent == parent)
  }

  @Test func joinsAndCompares() {
    #expect(FilePath("a") / "b" == "a/b" && FilePath("a/") / "b" == "a/b")
    #expect(FilePath("x.JPG").hasEnding(".jpg") && !FilePath("x.JPG").hasSuffix(".jpg"))
    #expect(!FilePath("g").hasEnding(".jpg") && !FilePath("xNjpg").hasEnding(".jpg"))
    #expect(FilePath("a.swift").removing(suffix: ".swift") == "a")
    #expect(FilePath("a/b.jpg").flattened == "a_b.jpg")
  }

  /// A folder with names in two encodings, which the system returns as they are.
  @Test func filesHaveNamesOfAnyBytes() throws {
    let folder = FilePath(
      FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path)
    defer { try? FileManager.default.removeItem(atPath: "\(folder)") }
    try Files.makeFolder(folder)
    let names = [FilePath(bytes: [0x63, 0xE9]), "c\u{E9}", "ce\u{301}"].sorted()
    for (index, name) in names.enumerated() { try Files.write([UInt8(index)], to: folder / name) }
    #expect(try Files.list(folder) == names)
    #expect(Files.matches(of: folder / "c*") == names.map { folder / $0 })
    #expect(try names.map { try Files.read(folder / $0) } == [[0], [1], [2]])
  }
}
