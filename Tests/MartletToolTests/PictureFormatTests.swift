import MartletCodecs
import Testing

@testable import MartletTool

@Suite struct PictureFormatTests {
  @Test(
    arguments: [
      ("a.png", PictureFormat.png), ("b/A.PNG", .png), ("a.jpg", .jpeg), ("a.jpeg", .jpeg),
      ("a.ppm", .ppm), ("a.bmp", nil), ("png", nil), ("", nil),
    ] as [(String, PictureFormat?)])
  func theNamesEndSaysTheFormat(_ path: String, _ format: PictureFormat?) {
    #expect(PictureFormat(path: path) == format)
  }

  @Test(arguments: [PictureFormat.png, .jpeg, .ppm])
  func whatIsWrittenIsRead(_ format: PictureFormat) throws {
    let picture = try RGBImage(width: 2, height: 1, pixels: [200, 200, 200, 200, 200, 200])
    #expect(try ImageFile(decoding: format.encoded(picture)).image == picture)
  }

  @Test(arguments: [("a.JPG", true), ("a.pgm", true), ("a.txt", false), ("jpg", false)])
  func foldersGiveTheirPictures(_ name: String, _ isPicture: Bool) {
    #expect(PictureFormat.isRead(name) == isPicture)
  }
}
