import MartletImage
import Testing

@Suite struct ExposureTests {
  /// A 10 x 10 gray image in which `count` pixels have brightness `white` and the others 10.
  private func image(white: UInt8, count: Int) throws -> RGBImage {
    let values = (0..<100).map { $0 < count ? white : 10 }
    return try RGBImage(width: 10, height: 10, pixels: values.flatMap { [$0, $0, $0] })
  }

  @Test(arguments: [128, 200, 255] as [UInt8])
  func keepsABrightImage(_ white: UInt8) throws {
    let bright = try image(white: white, count: 2)
    #expect(bright.exposed() == bright)
  }

  @Test func keepsABlackImage() throws {
    let black = try RGBImage(width: 2, height: 2, pixels: [UInt8](repeating: 0, count: 12))
    #expect(black.exposed() == black)
  }

  /// The factor is 255 / white: 10 becomes 10 * 255 / white, rounded.
  @Test(arguments: [(127, 20), (51, 50), (20, 128)] as [(UInt8, UInt8)])
  func scalesTheBrightestHundredthToWhite(_ white: UInt8, _ rest: UInt8) throws {
    let pixels = try image(white: white, count: 2).exposed().pixels
    #expect(Array(pixels[..<6]) == [UInt8](repeating: 255, count: 6))
    #expect(Set(pixels[6...]) == [rest])
  }

  /// One pixel of a hundred is not more than a hundredth: it does not set the factor and stays
  /// white.
  @Test func singleBrightPixelDoesNotKeepImageDark() throws {
    let pixels = try image(white: 250, count: 1).exposed().pixels
    #expect(Set(pixels) == [255])
  }

  @Test func channelsKeepTheirRatios() throws {
    let dark = try RGBImage(width: 1, height: 2, pixels: [51, 10, 0, 5, 51, 20])
    #expect(dark.exposed().pixels == [255, 50, 0, 25, 255, 100])
  }
}
