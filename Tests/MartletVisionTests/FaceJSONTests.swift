@testable import MartletVision
import MartletBase
import Testing

@Suite struct FaceJSONTests {
  private func face() throws -> DetectedFace {
    let points = try #require(FaceKeyPoints((1...6).map { Point(x: Float($0), y: 50) }))
    var face = DetectedFace(
      frame: Box(x: 10, y: 20.126, width: 30, height: 40), score: 0.75, keyPoints: points)
    face.mesh = FaceMesh((0..<468).map { [Float($0) / 4, Float($0) / 2, -Float($0)] })
    face.angles = HeadEulerAngles(x: 3.1, y: -12.5, z: 0.4)
    (face.smile, face.leftEyeOpen, face.rightEyeOpen) = (0.93, 0.99, 0.98)
    face.trackingID = 3
    return face
  }

  private func text(_ change: (inout FaceConfiguration) -> Void) throws -> String {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return "\(FaceResult(try face(), configuration, isMostProminent: true).json)"
  }

  private let start = #"{"frame":{"x":10,"y":20.13,"width":30,"height":40},"score":0.75,"#

  @Test func omitsPartsThatAreNotRequested() throws {
    #expect(try text { $0.angles = false } == start + #""trackingID":null}"#)
    #expect(
      try text { _ in } == start + #""trackingID":null,"eulerX":3.1,"eulerY":-12.5,"eulerZ":0.4}"#)
  }

  @Test func membersHaveTheDocumentedOrder() throws {
    let line = try text {
      ($0.isStream, $0.expressions, $0.landmarks, $0.mesh) = (true, true, true, true)
      $0.contours = .all
    }
    #expect(
      line.hasPrefix(
        start + #""trackingID":3,"eulerX":3.1,"eulerY":-12.5,"eulerZ":0.4,"#
          + #""smilingProbability":0.93,"leftEyeOpenProbability":0.99,"#
          + #""rightEyeOpenProbability":0.98,"landmarks":{"mouthBottom":[4.25,8.5],"#))
    #expect(line.contains(#""contours":{"face":[[2.5,5],[84.5,169],"#))
    #expect(line.contains(#""noseBridge":[[42,84],[0.25,0.5]]"#))
    #expect(line.contains(#","mesh":[[0,0,0],[0.25,0.5,-1],[0.5,1,-2],"#))
    #expect(line.hasSuffix("[116.75,233.5,-467]]}"))
  }

  @Test func omitsRequestedPartsThatAreMissing() throws {
    var face = try face()
    (face.mesh, face.rightEyeOpen) = (nil, nil)
    var configuration = FaceConfiguration(isAccurate: false)
    (configuration.landmarks, configuration.expressions, configuration.angles) = (true, true, false)
    #expect(
      "\(FaceResult(face, configuration, isMostProminent: true).json)"
        == start + #""trackingID":null,"smilingProbability":0.93,"leftEyeOpenProbability":0.99}"#)
  }

  @Test func lineOfImageHasItsFaces() throws {
    let size = ImageSize(width: 64, height: 48)
    let none: [FaceResult] = []
    #expect(
      "\(JSON.line(of: "a.jpg", size, none))"
        == #"{"image":"a.jpg","width":64,"height":48,"faces":[]}"#)
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.angles = false
    #expect(
      "\(JSON.line(of: "f#2", frame: 2, size, configuration.reported(of: [try face()])))"
        == #"{"image":"f#2","frame":2,"width":64,"height":48,"faces":["# + start
        + #""trackingID":null}]}"#)
  }
}
