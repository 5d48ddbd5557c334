import MartletImage
import Testing

@testable import MartletVision

@Suite struct FaceTracksTests {
  private func identifiers(_ faces: [DetectedFace]) -> [Int?] { faces.map(\.trackingID) }

  @Test func facesKeepIdentifiersInAnyOrder() {
    var tracks = FaceTracks()
    let (a, b) = (TestFace.at(50, 50), TestFace.at(150, 60))
    #expect(identifiers(tracks.update([a, b])) == [0, 1])
    #expect(identifiers(tracks.update([b, a])) == [1, 0])
    #expect(identifiers(tracks.update([a, TestFace.at(300, 50), b])) == [0, 2, 1])
  }

  @Test(arguments: [Float(0), 3, 12, 25])
  func movingFaceKeepsItsIdentifier(_ speed: Float) {
    var tracks = FaceTracks()
    for frame in 0..<30 {
      let face = TestFace.at(50 + min(Float(frame), 1) * 8 + Float(max(frame - 1, 0)) * speed, 50)
      #expect(identifiers(tracks.update([face])) == [0], "frame \(frame)")
    }
  }

  @Test func distantFaceGetsNewIdentifier() {
    var tracks = FaceTracks()
    _ = tracks.update([TestFace.at(50, 50)])
    #expect(identifiers(tracks.update([TestFace.at(200, 50)])) == [1])
  }

  /// A lost face is kept for half a second, which is fifteen frames.
  @Test(arguments: [(1, 0), (7, 0), (15, 0), (16, 1), (40, 1)])
  func lostFaceIsKeptForHalfASecond(_ frames: Int, _ identifier: Int) {
    var tracks = FaceTracks()
    _ = tracks.update([TestFace.at(50, 50)])
    for _ in 0..<frames { #expect(tracks.update([]).isEmpty) }
    #expect(identifiers(tracks.update([TestFace.at(52, 50)])) == [identifier])
  }

  @Test func lostFaceIsPredictedByItsMotion() {
    var tracks = FaceTracks()
    func face(_ frame: Int) -> DetectedFace { TestFace.at(50 + 6 * Float(frame), 50) }
    for frame in 0..<10 { _ = tracks.update([face(frame)]) }
    for _ in 10..<20 { _ = tracks.update([]) }
    #expect(identifiers(tracks.update([face(20)])) == [0])
  }

  /// Two faces pass each other. While one hides the other, only one is detected.
  @Test(arguments: [true, false])
  func crossingFacesKeepTheirIdentifiers(_ isSmoothing: Bool) {
    var parameters = FaceTracks.Parameters()
    parameters.isSmoothing = isSmoothing
    var tracks = FaceTracks(parameters)
    for frame in 0..<60 {
      let right = TestFace.at(20 + 4 * Float(frame), 50)
      let left = TestFace.at(256 - 4 * Float(frame), 54)
      let isHidden = right.frame.intersectionOverUnion(with: left.frame) > 0.35
      let found = identifiers(tracks.update(isHidden ? [right] : [right, left]))
      #expect(found == (isHidden ? [0] : [0, 1]), "frame \(frame)")
    }
  }

  /// While another face gradually covers a face, the center of its visible part shifts away.
  @Test func partlyHiddenFaceKeepsItsMotion() {
    var tracks = FaceTracks()
    func occluder(_ frame: Int) -> DetectedFace { TestFace.at(250 - 4 * Float(frame), 50) }
    func hidden(_ frame: Int) -> DetectedFace { TestFace.at(50 + 4 * Float(frame), 50) }
    for frame in 0..<21 { _ = tracks.update([occluder(frame), hidden(frame)]) }
    for frame in 21..<24 {
      let shifted = TestFace.at(134 - 4 * Float(frame - 21), 50)
      #expect(identifiers(tracks.update([occluder(frame), shifted])) == [0, 1])
    }
    for frame in 24..<32 { #expect(identifiers(tracks.update([occluder(frame)])) == [0]) }
    #expect(identifiers(tracks.update([occluder(32), hidden(32)])) == [0, 1])
  }

  @Test func identifiersAreNeverReused() {
    var tracks = FaceTracks()
    _ = tracks.update([TestFace.at(50, 50)])
    tracks.reset()
    #expect(identifiers(tracks.update([TestFace.at(50, 50)])) == [1])
  }

  @Test func smoothingCanBeDisabled() {
    var parameters = FaceTracks.Parameters()
    parameters.isSmoothing = false
    var (plain, smooth) = (FaceTracks(parameters), FaceTracks())
    let (first, second) = (TestFace.at(50, 50), TestFace.at(50.5, 50))
    _ = (plain.update([first]), smooth.update([first]))
    var expected = second
    expected.trackingID = 0
    #expect(plain.update([second]) == [expected])
    let smoothed = smooth.update([second])[0]
    #expect(smoothed.frame.x > first.frame.x && smoothed.frame.x < second.frame.x)
    #expect(smoothed.keyPoints.mouth.x > 50 && smoothed.keyPoints.mouth.x < 50.5)
  }

  @Test func meshesAreSmoothedWithTheirFaces() throws {
    var tracks = FaceTracks()
    var face = TestFace.at(50, 50)
    face.mesh = TestFace.mesh { [Float($0), 0, 0] }
    _ = tracks.update([face])
    face.mesh = TestFace.mesh { [Float($0) + 0.2, 0, 0] }
    let mesh = try #require(tracks.update([face])[0].mesh)
    #expect(mesh.points[100].x > 100 && mesh.points[100].x < 100.2)
    // A face without a new mesh loses its mesh.
    face.mesh = nil
    #expect(tracks.update([face])[0].mesh == nil)
  }

  @Test func sameFramesReturnSameFaces() {
    let frames = (0..<40).map { frame in
      (0..<(frame % 4)).map { index in
        TestFace.at(
          Float(60 * index) + Float(frame * (index - 1)) * 1.7, 50 + Float(frame % 5) * 0.3,
          side: 40 + Float(index))
      }
    }
    var (first, second) = (FaceTracks(), FaceTracks())
    for frame in frames { #expect(first.update(frame) == second.update(frame)) }
  }
}
