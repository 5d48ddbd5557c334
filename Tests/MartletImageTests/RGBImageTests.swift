import Testing

@testable import MartletImage

@Suite struct RGBImageTests {
  @Test func rejectsOtherCounts() {
    #expect(throws: ImageError.wrongByteCount(count: 11, expected: 12)) {
      try RGBImage(width: 2, height: 2, pixels: [UInt8](repeating: 0, count: 11))
    }
    #expect(throws: ImageError.invalidSize(width: 0, height: 0)) {
      try RGBImage(width: 0, height: 0, pixels: [])
    }
  }

  @Test func readsAndWritesPixels() throws {
    var image = try RGBImage(width: 2, height: 2, pixels: Array(0..<12))
    #expect(image[1, 0] == RGBImage.Color(red: 3, green: 4, blue: 5))
    image[0, 1] = RGBImage.Color(red: 90, green: 91, blue: 92)
    #expect(image.pixels == [0, 1, 2, 3, 4, 5, 90, 91, 92, 9, 10, 11])
    image.withUnsafeMutablePixels { $0[11] = 200 }
    #expect(image[1, 1].blue == 200)
    #expect(image.withUnsafePixels { $0.count } == 12)
  }

  @Test func errorsReadAsSentences() {
    #expect(
      ImageError.tooFewBytes(plane: 1, count: 3, needed: 4).description
        == "plane 1 has 3 bytes, expected at least 4")
  }
}
