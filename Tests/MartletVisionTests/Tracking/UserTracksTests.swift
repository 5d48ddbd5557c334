import MartletImage
import MartletTestSupport
import Testing

@testable import MartletVision

/// Frames of smooth noise with checkered targets, each of which is a user-provided object.
@Suite struct UserTracksTests {
  private static let homes = [
    Box(x: 20, y: 20, width: 32, height: 40), Box(x: 120, y: 20, width: 32, height: 40),
    Box(x: 220, y: 20, width: 32, height: 40), Box(x: 20, y: 120, width: 32, height: 40),
    Box(x: 120, y: 120, width: 32, height: 40),
  ]

  /// A frame with these targets.
  private static func image(_ targets: [Int], seed: UInt64 = 7) throws -> RGBImage {
    var random = SplitMix64(seed: seed)
    let coarse = (0..<1200).map { _ in UInt8(truncatingIfNeeded: random.next() >> 57) }
    var image = try RGBImage(width: 320, height: 240, filledWith: .init(red: 0, green: 0, blue: 0))
    for y in 0..<240 {
      for x in 0..<320 {
        let value = coarse[(y / 8) * 40 + x / 8]
        image[x, y] = .init(red: value, green: value + 60, blue: 80)
      }
    }
    for target in targets {
      let box = homes[target]
      for y in 0..<Int(box.height) {
        for x in 0..<Int(box.width) {
          let isDark = (3 * x / Int(box.width) + 4 * y / Int(box.height)) % 2 == 0
          image[Int(box.x) + x, Int(box.y) + y] = .init(
            red: isDark ? 30 : 220, green: UInt8(40 * target), blue: isDark ? 160 : 40)
        }
      }
    }
    return image
  }

  /// The targets whose crops are examined in the next frame.
  private func crops(_ tracks: inout UserTracks, _ image: RGBImage) throws -> [Int?] {
    var crops: [Int?] = []
    let frame = FrameDetections([], reader: AppearanceReader(image, features: nil))
    try tracks.update(FramePyramid(image), frame) { crop in
      // The image clips crops, which moves their centers.
      func distance(_ index: Int) -> Float {
        let (home, crop) = (Self.homes[index].center, crop.center)
        return max((home.x - crop.x).magnitude, (home.y - crop.y).magnitude)
      }
      crops.append(Self.homes.indices.min { distance($0) < distance($1) })
      return []
    }
    return crops
  }

  private func begin(_ count: Int, minimumScore: Float? = nil) throws -> UserTracks {
    var parameters = TrackingParameters()
    (parameters.closerLookCount, parameters.lostFrameCount) = (1, 2)
    var tracks = UserTracks(parameters, minimumScore: minimumScore)
    let image = try Self.image(Array(0..<count))
    let frame = FrameDetections([], reader: AppearanceReader(image, features: nil))
    try tracks.begin(Array(Self.homes.prefix(count)), FramePyramid(image), frame) { _ in [] }
    return tracks
  }

  @Test func everyTrackHasItsTurn() throws {
    var tracks = try begin(3)
    let image = try Self.image([0, 1, 2])
    #expect(
      try (0..<7).map { _ in try crops(&tracks, image) } == [[0], [1], [2], [0], [1], [2], [0]])
  }

  /// The fifth track was the last one with a crop when the others after the second end.
  @Test func turnsStayFairAfterTracksHaveEnded() throws {
    var tracks = try begin(5)
    let all = try Self.image(Array(0..<5))
    for target in 0..<5 { #expect(try crops(&tracks, all) == [target]) }
    // Three targets vanish, are examined first while they are lost, and end.
    let rest = try Self.image([0, 1])
    for _ in 0..<12 where tracks.identifiers.count > 2 { _ = try crops(&tracks, rest) }
    #expect(tracks.identifiers == [0, 1])
    let turns = try (0..<6).map { _ in try crops(&tracks, rest) }
    #expect(turns == [[0], [1], [0], [1], [0], [1]])
  }

  @Test(arguments: [(nil, 2), (0, 2), (0.6, 2), (1, 0)] as [(Float?, Int)])
  func objectsBelowTheMinimumScoreAreNotReported(_ minimum: Float?, _ count: Int) throws {
    var tracks = try begin(2, minimumScore: minimum)
    _ = try crops(&tracks, Self.image([0, 1]))
    #expect(tracks.visible.count == count && tracks.identifiers == [0, 1])
  }
}
