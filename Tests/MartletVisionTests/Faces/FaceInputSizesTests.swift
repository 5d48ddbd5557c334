import Testing

@testable import MartletVision

@Suite struct FaceInputSizesTests {
  /// The image's size, the side of the square input and the size of the input.
  @Test(
    arguments: [
      (1280, 720, 192, 256, 160), (720, 1280, 192, 160, 256), (640, 480, 192, 256, 160),
      (100, 100, 192, 192, 192), (119, 100, 192, 192, 192), (121, 100, 192, 256, 160),
      (1280, 720, 320, 416, 256), (480, 640, 320, 256, 416), (1, 65_535, 320, 256, 416),
      (640, 480, 64, 64, 64), (640, 480, 16, 16, 16), (0, 0, 192, 192, 192),
    ])
  func inputHasTheShapeThatShowsTheImageLargest(
    _ width: Int, _ height: Int, _ side: Int, _ inputWidth: Int, _ inputHeight: Int
  ) {
    let sizes = FaceInputSizes(ImageSize(width: side, height: side))
    let size = sizes.size(for: PixelRectangle(x: 0, y: 0, width: width, height: height))
    #expect(size == ImageSize(width: inputWidth, height: inputHeight))
    #expect(sizes.isRotatable)
  }

  @Test func inputThatIsNotSquareKeepsItsSize() {
    let size = ImageSize(width: 256, height: 128)
    let sizes = FaceInputSizes(size)
    #expect(sizes.size(for: PixelRectangle(x: 0, y: 0, width: 9, height: 90)) == size)
    #expect(!sizes.isRotatable)
  }
}
