import Testing

@testable import MartletVision

@Suite struct RecentTracksTests {
  @Test func memoryIsBoundedOver20_000Frames() {
    var tracks = RecentTracks<Int>()
    for frame in 0..<20_000 {
      tracks.advance()
      tracks[frame] = frame
      #expect(tracks.count <= 301)
    }
    #expect(tracks[19_699] == 19_699)
    #expect(tracks[19_698] == nil)
  }
}
