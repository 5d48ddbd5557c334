import Foundation
import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletTestSupport
import Testing

@testable import MartletTool

@Suite struct HTMLReportTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID())").path
  let scenes = Fixtures.folder("Scenes").path

  @Test func textCannotEndTheScript() {
    let json = HTMLReport.script(.string("</script><b>"))
    #expect(json == #""\u003c/script>\u003cb>""#)
  }

  /// The page has a record for each image, the thumbnails are images, and there is no request.
  @Test func pageHoldsAllImages() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let path = folder + "/report.html"
    let words = ["detect", "\(scenes)/fruit.jpg", "/missing.jpg", "--multiple", "--report", path]
    #expect(MartletTool.run(words) == 1)
    let page = String(decoding: try Files.read(path), as: UTF8.self)
    let records = page.split(separator: "\n").filter { $0.hasPrefix("<script>images.push(") }
      .map { $0.dropFirst(20).dropLast(10) }
    struct Record: Decodable {
      let image: String
      let error, thumbnail: String?
    }
    let images = try records.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    #expect(images.map(\.image) == ["\(scenes)/fruit.jpg", "/missing.jpg"])
    #expect(images[0].error == nil && images[1].thumbnail == nil)
    let text = try #require(images[0].thumbnail?.split(separator: ",").last)
    let bytes = try #require(Data(base64Encoded: String(text)))
    #expect(try ImageFile(decoding: Array(bytes)).image.size == ImageSize(width: 480, height: 360))
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("src=\""))
  }

  /// The page of earlier results has their cards and their command; a picture that is gone has no
  /// thumbnail.
  @Test func reportIsMadeFromLines() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let (lines, path) = (folder + "/lines.jsonl", folder + "/report.html")
    let words = ["detect", "\(scenes)/fruit.jpg", "/missing.jpg", "--multiple", "--resume", lines]
    #expect(MartletTool.run(words) == 1)
    #expect(MartletTool.run(["report", lines, "--output", path]) == 0)
    var page = String(decoding: try Files.read(path), as: UTF8.self)
    #expect(page.contains(#"<script>command = "martlet detect --multiple"</script>"#))
    #expect(page.contains("\"thumbnail\":\"data:image/jpeg;base64,"))
    #expect(page.contains("\"link\":\"file://\(scenes)/fruit.jpg\""))
    #expect(page.contains("\"error\":"))
    let gone = #"{"image":"/gone.jpg","width":1,"height":1,"objects":[]}"#
    try Files.write(Array((gone + "\n\n").utf8), to: lines)
    #expect(MartletTool.run(["report", lines, "--output", path]) == 1)
    page = String(decoding: try Files.read(path), as: UTF8.self)
    #expect(page.contains("/gone.jpg") && !page.contains("\"thumbnail\":\""))
    try Files.write(Array((gone + "\n{").utf8), to: lines)
    #expect(MartletTool.run(["report", lines, "--output", folder + "/other.html"]) == 1)
    #expect(!FileManager.default.fileExists(atPath: folder + "/other.html"))
    #expect(MartletTool.run(["report", lines]) == 2)
    #expect(MartletTool.run(["report", lines, "--output", lines]) == 1)
  }

  /// Boxes are visible without a click, failures are not as gray as captions, and faces have columns.
  @Test func pageShowsBoxesFailuresAndFaces() {
    #expect(HTMLReport.beginning.contains(#"<input id="all" type="checkbox" checked>"#))
    #expect(HTMLReport.beginning.contains(".caption .error, .error {"))
    for words in ["failed images", "left eye open", "smile", "landmarks"] {
      #expect(HTMLReport.end.contains(words))
    }
  }

  @Test func pageNeverReplacesAnInput() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let path = folder + "/photo.jpg"
    let bytes = try Files.read("\(scenes)/room.jpg")
    try Files.write(bytes, to: path)
    #expect(MartletTool.run(["detect", path, "--report", path]) == 1)
    #expect(try Files.read(path) == bytes)
    let lines = folder + "/lines.jsonl"
    #expect(MartletTool.run(["detect", path, "--json", "--output", lines]) == 0)
    #expect(MartletTool.run(["report", lines, "--output", path]) == 1)
    #expect(try Files.read(path) == bytes)
  }
}
