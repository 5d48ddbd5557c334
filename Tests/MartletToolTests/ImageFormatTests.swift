import MartletCodecs
import MartletCommandLine
import Testing

@testable import MartletTool

@Suite struct ImageFormatTests {
  @Test(
    arguments: [
      ("a.png", ImageFormat.png), ("b/A.PNG", .png), ("a.jpg", .jpeg), ("a.jpeg", .jpeg),
      ("a.ppm", .ppm), ("a.bmp", nil), ("png", nil), ("", nil),
    ] as [(String, ImageFormat?)])
  func extensionSelectsTheFormat(_ path: String, _ format: ImageFormat?) {
    #expect(ImageFormat(path: FilePath(path)) == format)
  }

  @Test(arguments: [ImageFormat.png, .jpeg, .ppm])
  func encodedImageDecodesToSamePixels(_ format: ImageFormat) throws {
    let image = try RGBImage(width: 2, height: 1, pixels: [200, 200, 200, 200, 200, 200])
    #expect(try ImageFile(decoding: format.encoded(image)).image == image)
  }

  @Test(arguments: [("a.JPG", true), ("a.pgm", true), ("a.txt", false), ("jpg", false)])
  func recognizesImageFilesByExtension(_ name: String, _ isImage: Bool) {
    #expect(ImageFormat.isRead(FilePath(name)) == isImage)
  }
}
