import Foundation
import MartletBase
import MartletVision
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

@Suite struct FaceCodingTests {
  private func decoded<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  private func encodedAndBack<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func decodesLineWithFaces() throws {
    let line: FaceDetectionRecord = try decoded(
      """
      {"image":"a.jpg","width":640,"height":480,"faces":[{"frame":{"x":1,"y":2,"width":90,\
      "height":92},"score":0.97,"trackingID":null,"eulerX":3.1,"eulerY":-12.5,"eulerZ":0.4,\
      "smilingProbability":0.93,"leftEyeOpenProbability":0.99,"rightEyeOpenProbability":0.98,\
      "landmarks":{"leftEye":[52.1,31.0],"mouthBottom":[47.5,77.9]},"contours":{"face":[[47.0,5.2]],\
      "leftEye":[[50.1,31.2]]},"mesh":[[47.1,66.2,-3.4]]}]}
      """)
    #expect(line.image == "a.jpg" && line.width == 640 && line.height == 480 && line.frame == nil)
    let face = try #require(line.faces.first)
    #expect(face.frame == CGRect(x: 1, y: 2, width: 90, height: 92) && face.score == 0.97)
    #expect(face.headEulerAngles == HeadEulerAngles(x: 3.1, y: -12.5, z: 0.4))
    #expect(face.smile == 0.93 && face.leftEyeOpen == 0.99 && face.rightEyeOpen == 0.98)
    #expect(face.landmark(ofType: .leftEye)?.position == VisionPoint(x: 52.1, y: 31))
    #expect(face.landmarks.map(\.type) == [.mouthBottom, .leftEye])
    #expect(face.contour(ofType: .face)?.points == [VisionPoint(x: 47, y: 5.2)])
    #expect(face.mesh == [Vision3DPoint(x: 47.1, y: 66.2, z: -3.4)])
    #expect(!face.hasTrackingID)
  }

  /// The tool and the API use one format: each reads what the other writes, and both
  /// write the same members.
  @Test func decodesLineOfCommandLineTool() throws {
    let found = try FaceTests.found(turned: 20)
    let configuration = FaceTests.everything()
    let line: FaceDetectionRecord = try decoded(
      "\(JSON.line(of: "a#3", frame: 3, ImageSize(width: 100, height: 200), configuration.reported(of: [found])))"
    )
    #expect(line.image == "a#3" && line.frame == 3 && line.width == 100 && line.height == 200)
    let face = Face(
      FaceResult(found, configuration, isMostProminent: true), in: try FaceTests.image())
    let read = try #require(line.faces.first)
    #expect(line.faces.count == 1 && read.frame == face.frame && read.score == face.score)
    #expect(read.trackingID == 7 && read.headEulerAngles == face.headEulerAngles)
    #expect(read.smile == 0.25 && read.leftEyeOpen == 0.5 && read.rightEyeOpen == 0.75)
    #expect(read.landmarks.map(\.type) == face.landmarks.map(\.type))
    #expect(read.contours.map(\.type) == face.contours.map(\.type))
    #expect(read.contours.map(\.points.count) == face.contours.map(\.points.count))
    try #require(read.mesh.count == face.mesh.count)
    for (point, exact) in zip(read.mesh, face.mesh) {
      #expect((point.x - exact.x).magnitude < 0.006 && (point.z - exact.z).magnitude < 0.006)
    }
    func members(_ text: Data) throws -> Set<String> {
      Set(try #require(JSONSerialization.jsonObject(with: text) as? [String: Any]).keys)
    }
    #expect(
      try members(Data("\(configuration.reported(of: [found])[0].json)".utf8))
        == members(JSONEncoder().encode(face)))
  }

  @Test func optionalMembersCanBeMissing() throws {
    let face: Face = try decoded(
      #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":0.5,"trackingID":3,"eulerX":1}"#)
    #expect(face.trackingID == 3 && face.landmarks.isEmpty && face.headEulerAngles == nil)
  }

  @Test(arguments: [
    #"{"frame":{"x":1,"y":2,"width":3},"score":1}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4}}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"landmarks":{"leftEye":[1]}}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"mesh":[[1,2]]}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"orientation":9}"#,
  ])
  func rejectsMissingOrInvalidMembers(_ text: String) {
    #expect(throws: DecodingError.self) { let _: Face = try decoded(text) }
  }

  @Test(arguments: ImageOrientation.allCases)
  func encodedFaceDecodesToSameFace(_ orientation: ImageOrientation) throws {
    let face = Face(
      FaceResult(try FaceTests.found(turned: 20), FaceTests.everything(), isMostProminent: true),
      in: try FaceTests.image(orientation))
    let again = try encodedAndBack(face)
    #expect(again == face && Set([again, face]).count == 1)
    #expect(again.frame == face.frame && again.landmarks == face.landmarks)
    #expect(again.contours == face.contours && again.mesh == face.mesh)
    #expect(again.trackingID == 7 && again.headEulerAngles == face.headEulerAngles)
    #expect(try encodedAndBack(face.upright) == face.upright && again.upright == face.upright)
    #expect(try encodedAndBack(VisionFace(face)) == VisionFace(face))
  }

  @Test func faceOfOwnTestsDecodesToSameFace() throws {
    let small = Face(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(try encodedAndBack(small) == small)
    let point = VisionPoint(x: 1.5, y: 2.5)
    let face = Face(
      frame: CGRect(x: 1, y: 2, width: 3, height: 4), trackingID: 0, smile: 0.1,
      landmarks: [
        FaceLandmark(type: .rightEye, position: point), .init(type: .leftEye, position: point),
        FaceLandmark(type: .leftEye, position: VisionPoint(x: 0, y: 0)),
      ],
      contours: [FaceContour(type: .noseBottom, points: []), .init(type: .face, points: [point])],
      mesh: [Vision3DPoint(x: 0.1, y: 0.2, z: -0.3)], score: 0.7)
    #expect(face.landmarks.count == 2 && face.landmark(ofType: .leftEye)?.position == point)
    #expect(try encodedAndBack(face) == face)
  }

  /// The size of an upright image is no part of its faces.
  @Test func detectedFaceEqualsFaceOfOwnTests() throws {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.isStream = true
    let face = Face(
      FaceResult(try FaceTests.found(), configuration, isMostProminent: true),
      in: try FaceTests.image())
    let own = Face(
      frame: CGRect(x: 10, y: 20, width: 30, height: 40), trackingID: 7,
      headEulerAngles: HeadEulerAngles(x: 1, y: 0, z: 2), score: 0.75)
    #expect(face == own && face.hashValue == own.hashValue)
    #expect(face.upright == own)
  }

  /// Places of a turned image depend on its size.
  @Test func facesOfImagesOfOtherSizesDiffer() throws {
    let found = try FaceTests.found()
    func face(_ width: Int) throws -> Face {
      let image = try RGBImage(
        width: width, height: 100, filledWith: .init(red: 0, green: 0, blue: 0))
      return Face(
        FaceResult(found, FaceTests.everything(), isMostProminent: true),
        in: InputImage(image, orientation: .left))
    }
    #expect(try face(200) == face(200))
    #expect(try face(200) != face(201))
  }

  @Test func recordOfFacesDecodesToSameRecord() throws {
    let line: FaceDetectionRecord = try decoded(
      "\(JSON.line(of: "a", frame: 3, ImageSize(width: 100, height: 200), FaceTests.everything().reported(of: [try FaceTests.found()])))"
    )
    #expect(line.faces.count == 1)
    #expect(try encodedAndBack(line) == line)
  }

  @Test func unknownValuesAreNotEncoded() throws {
    let data = try JSONEncoder().encode(Face(frame: CGRect(x: 1, y: 2, width: 3, height: 4)))
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(object.keys) == ["frame", "score", "trackingID"])
    #expect(object["trackingID"] is NSNull)
  }
}
