import Testing

@testable import MartletImage

@Suite struct EnlargeTests {
  @Test func repeatsEachPixel() throws {
    let image = try RGBImage(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6])
    let larger = image.enlarged(by: 2)
    #expect(larger.size == ImageSize(width: 4, height: 2))
    let row: [UInt8] = [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]
    #expect(larger.pixels == row + row)
    #expect(image.enlarged(by: 1) == image)
  }
}
