import MartletCommandLine
import MartletVision
import Testing

@testable import MartletTool

/// Faces in tables, CSV and drawings. `FaceJSONTests` tests JSON.
@Suite struct FaceFindingTests {
  /// A face of 320 x 320 pixels with all points known.
  static func face() throws -> DetectedFace {
    let points = try #require(FaceKeyPoints((1...6).map { Point(x: Float(50 * $0), y: 200) }))
    var face = DetectedFace(
      frame: Box(x: 40, y: 60, width: 320, height: 320), score: 0.75, keyPoints: points)
    face.mesh = FaceMesh((0..<468).map { [40 + Float($0) / 2, 60 + Float($0) / 3, 0] })
    face.angles = HeadEulerAngles(x: 3.14, y: -12.5, z: 0)
    (face.smile, face.leftEyeOpen, face.rightEyeOpen) = (0.25, 0.5, nil)
    face.trackingID = 7
    return face
  }

  private func result(_ change: (inout FaceConfiguration) -> Void) throws -> FaceResult {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return FaceResult(try FaceFindingTests.face(), configuration, isMostProminent: true)
  }

  @Test func csvLineHasOneFieldPerColumn() throws {
    let bare = try result { _ in }
    #expect(
      CSV.line(FaceResult.csvColumns)
        == "image,frame,face,x,y,width,height,score,trackingID,eulerX,eulerY,eulerZ,"
        + "smilingProbability,leftEyeOpenProbability,rightEyeOpenProbability,error")
    #expect(
      CSV.line(bare.csv("p.jpg", frame: nil, number: 2))
        == "p.jpg,,2,40,60,320,320,0.75,,3.14,-12.5,0,,,,")
    let full = try result { ($0.expressions, $0.isStream) = (true, true) }
    #expect(
      CSV.line(full.csv("p", frame: 5, number: 1))
        == "p,5,1,40,60,320,320,0.75,7,3.14,-12.5,0,0.25,0.5,,")
  }

  @Test func tableHasOneCellPerColumn() throws {
    #expect(try result { _ in }.cells == ["3.1", "-12.5", "0.0", "", "", ""])
    #expect(
      try result { $0.expressions = true }.cells == ["3.1", "-12.5", "0.0", "0.25", "0.50", ""])
    #expect(try result { _ in }.cells.count == FaceResult.columns.count)
  }

  @Test func sentenceListsKnownValues() throws {
    #expect(try result { _ in }.sentence == "at 40,60 320x320 turned 3.1,-12.5,0")
    #expect(
      try result { ($0.angles, $0.expressions, $0.isStream) = (false, true, true) }.sentence
        == "#7 at 40,60 320x320 smile 0.25 eyes 0.50 -")
  }

  @Test func labelsShowNumberOrIdentifier() throws {
    let still = try result { $0.expressions = true }.annotation(at: 3)
    #expect(still.texts == ["4 smile 25%", "4"] && still.colorIndex == 3)
    let tracked = try result { $0.isStream = true }.annotation(at: 3)
    #expect(tracked.texts == ["#7"] && tracked.colorIndex == 7)
  }

  /// The requested parts, and the number of strokes and points in addition to the three of the
  /// pose.
  @Test(
    arguments: [
      (.changed { _ in }, 0, 0), (.changed { $0.mesh = true }, 468, 468),
      // Face and eye contours are closed: 133 points and 3 repeated ones.
      (.changed { $0.contours = .all }, 15, 136),
      // From the front all landmarks except the ears are visible; each is a dot on a dot.
      (.changed { $0.landmarks = true }, 16, 16), (.changed { $0.angles = false }, -3, -6),
    ] as [(FaceConfiguration, Int, Int)])
  func drawsRequestedFaceParts(_ configuration: FaceConfiguration, _ strokes: Int, _ points: Int)
    throws
  {
    var face = try FaceFindingTests.face()
    face.angles = HeadEulerAngles(x: 0, y: 0, z: 0)
    let drawn = FaceDrawing(FaceResult(face, configuration, isMostProminent: true)).strokes
    #expect(drawn.count == 3 + strokes && drawn.flatMap(\.points).count == 6 + points)
  }

  @Test(arguments: [(40, 468), (39, 0)] as [(Float, Int)])
  func meshOfSmallFaceIsNotDrawn(_ side: Float, _ count: Int) throws {
    var face = try FaceFindingTests.face()
    face.frame = Box(x: 40, y: 60, width: side, height: side)
    let configuration = FaceConfiguration.changed { ($0.mesh, $0.angles) = (true, false) }
    #expect(
      FaceDrawing(FaceResult(face, configuration, isMostProminent: true)).strokes.count == count)
  }

  /// The ends of the three axes from the tip of the nose at (150, 200), a quarter of the face long.
  @Test(
    arguments: [
      ((0, 0, 0), [(80, 0), (0, -80), (0, 0)]), ((0, 90, 0), [(0, 0), (0, -80), (80, 0)]),
      ((90, 0, 0), [(80, 0), (0, 0), (0, -80)]), ((0, 0, 90), [(0, -80), (-80, 0), (0, 0)]),
    ] as [((Float, Float, Float), [(Float, Float)])])
  func axesShowHeadRotation(
    _ turn: (Float, Float, Float), _ ends: [(Float, Float)]
  ) throws {
    var face = try FaceFindingTests.face()
    face.angles = HeadEulerAngles(x: turn.0, y: turn.1, z: turn.2)
    let axes = FaceDrawing(
      FaceResult(face, FaceConfiguration(isAccurate: false), isMostProminent: true)
    ).strokes
    for (axis, end) in zip(axes, ends) {
      let last = try #require(axis.points.last)
      #expect((last.x - 150 - end.0).magnitude < 0.01 && (last.y - 200 - end.1).magnitude < 0.01)
    }
  }
}

extension FaceConfiguration {
  /// The default options, changed by `change`.
  fileprivate static func changed(_ change: (inout FaceConfiguration) -> Void) -> FaceConfiguration
  {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return configuration
  }
}
