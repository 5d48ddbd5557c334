import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceTilesTests {
  /// Columns get brighter from left to right.
  private func image() throws -> RGBImage {
    let pixels = (0..<128 * 64).flatMap { index in
      [UInt8](repeating: UInt8(2 * (index % 128)), count: 3)
    }
    return try RGBImage(width: 128, height: 64, pixels: pixels)
  }

  private func tiles() throws -> FaceTiles {
    try FaceTiles(of: image(), in: ImageSize(width: 96, height: 64))
  }

  private func face(_ x: Float, _ y: Float, side: Float = 8) -> Box {
    Box(center: Point(x: x, y: y), width: side, height: side)
  }

  /// The surroundings of a face of 8 pixels are a square of 12, which fills 32 pixels of the input.
  @Test func surroundingsFillSquaresOfTheInput() throws {
    var tiles = try tiles()
    #expect(tiles.isEmpty)
    try tiles.add(face(30, 30), scale: 2)
    try tiles.add(face(100, 30), scale: 2)
    #expect(!tiles.isEmpty)
    #expect(tiles.pixels[0, 16].red < 56 && tiles.pixels[31, 16].red > 64)
    #expect(tiles.pixels[32, 16].red < 196 && tiles.pixels[63, 16].red > 204)
    #expect(tiles.pixels[64, 16].red == 0 && tiles.pixels[16, 32].red == 0)
  }

  /// Squares of the first row, of the second one, and no square.
  @Test func candidatesAreInPixelsOfTheImage() throws {
    var tiles = try tiles()
    for x in [20, 40, 60, 80] as [Float] { try tiles.add(face(x, 30), scale: 2) }
    func candidate(_ x: Float, _ y: Float) -> FaceCandidate {
      var places = SIMD16<Float>()
      places.evenHalf = SIMD8(repeating: x)
      places.oddHalf = SIMD8(repeating: y)
      places.lowHalf.lowHalf += [-8, -8, 8, 8]
      return FaceCandidate(score: 0.5, places: places)
    }
    let found = tiles.faces([candidate(16, 16), candidate(16, 48), candidate(48, 48)])
    #expect(found.map(\.box) == [face(20, 30, side: 6), face(80, 30, side: 6)])
    #expect(found.map(\.score) == [0.5, 0.5])
  }

  @Test func addsOnlyFacesThatGetLargerAsLongAsThereIsRoom() throws {
    var tiles = try tiles()
    try tiles.add(face(30, 30, side: 43), scale: 2)
    try tiles.add(face(-20, 30), scale: 2)
    #expect(tiles.isEmpty)
    for _ in 0..<6 { try tiles.add(face(30, 30, side: 42), scale: 2) }
    let full = tiles.pixels
    try tiles.add(face(90, 30), scale: 2)
    #expect(tiles.pixels.pixels == full.pixels)
  }

  @Test func inputWithoutRoomStaysEmpty() throws {
    var tiles = try FaceTiles(of: image(), in: ImageSize(width: 1, height: 1))
    try tiles.add(face(30, 30), scale: 200)
    #expect(tiles.isEmpty)
  }
}
