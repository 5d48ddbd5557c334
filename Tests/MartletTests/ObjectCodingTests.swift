import Foundation
import MartletVision
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

@Suite struct ObjectCodingTests {
  private func decoded<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  private func encodedAndBack<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func decodesLineOfDetect() throws {
    let line: ObjectDetectionRecord = try decoded(
      """
      {"image":"a.jpg","width":640,"height":480,"objects":[{"frame":{"x":12.5,"y":40,\
      "width":200.25,"height":180},"score":0.913,"trackingID":null,"category":"food",\
      "labels":[{"text":"Food","index":2,"confidence":0.87}]}],"warnings":["cut off"]}
      """)
    #expect(line.warnings == ["cut off"])
    #expect(line.image == "a.jpg" && line.width == 640 && line.height == 480 && line.frame == nil)
    let frame = CGRect(x: 12.5, y: 40, width: 200.25, height: 180)
    #expect(
      line.objects == [
        Object(
          frame: frame, labels: [ObjectLabel(text: "Food", index: 2, confidence: 0.87)],
          score: 0.913, category: .food)
      ])
    #expect(line.objects[0].uprightFrame == frame)
    #expect(line.objects[0].trackingID == nil)
  }

  @Test(
    arguments: [
      ("", nil), (#","fineLabels":[]"#, []),
      (
        #","fineLabels":[{"text":"Mug","index":330,"confidence":0.5}]"#,
        [ObjectLabel(text: "Mug", index: 330, confidence: 0.5)]
      ),
    ] as [(String, [ObjectLabel]?)])
  func fineLabelsAreOptional(_ member: String, _ expected: [ObjectLabel]?) throws {
    let object: Object = try decoded(
      #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"labels":[]\#(member)}"#)
    #expect(object.fineLabels == expected)
    #expect(try encodedAndBack(object) == object)
  }

  @Test func decodesLineOfTrack() throws {
    let line: ObjectDetectionRecord = try decoded(
      """
      {"image":"film.y4m#7","frame":7,"width":64,"height":48,"objects":[{"frame":{"x":1,"y":2,\
      "width":3,"height":4},"score":0.5,"trackingID":3,"labels":[]}]}
      """)
    #expect(line.frame == 7)
    #expect(line.objects[0].trackingID == 3)
    #expect(line.objects[0].category == nil)
  }

  @Test func decodesImageWithoutObjects() throws {
    let line: ObjectDetectionRecord = try decoded(
      #"{"image":"a.jpg","width":1,"height":1,"objects":[],"ms":12.3}"#)
    #expect(line.objects.isEmpty)
  }

  @Test(arguments: [
    #"{"frame":{"x":1,"y":2,"width":3},"score":1,"labels":[]}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"category":"fish","labels":[]}"#,
    #"{"frame":{"x":1,"y":2,"width":3,"height":4},"score":1,"labels":[{"text":"a"}]}"#,
  ])
  func rejectsMissingOrInvalidMembers(_ text: String) {
    #expect(throws: DecodingError.self) { let _: Object = try decoded(text) }
  }

  @Test func encodedObjectDecodesToSameObject() throws {
    let object = Object(
      frame: CGRect(x: 1, y: 2, width: 3, height: 4), trackingID: 5,
      labels: [ObjectLabel(text: "a \"b\"", index: 6, confidence: 0.1)], score: 0.7,
      uprightFrame: CGRect(x: 10, y: 20, width: 30, height: 40), category: .plants,
      fineLabels: [ObjectLabel(text: "Vase", index: 7, confidence: 0.5)])
    #expect(try encodedAndBack(object) == object)
    #expect(try encodedAndBack(VisionObject(object)) == VisionObject(object))
    #expect(Set([object, try encodedAndBack(object)]).count == 1)
    let record: ObjectDetectionRecord = try decoded(
      #"{"image":"a","frame":2,"width":5,"height":6,"objects":[],"warnings":["cut off"]}"#)
    #expect(try encodedAndBack(record) == record)
    let made = ObjectDetectionRecord(
      image: "a", frame: 2, width: 5, height: 6, objects: [], warnings: ["cut off"])
    #expect(made == record)
    let faces = FaceDetectionRecord(image: "a", width: 5, height: 6, faces: [])
    #expect(try encodedAndBack(faces) == faces)
  }

  @Test(arguments: ImageOrientation.allCases)
  func detectedObjectDecodesToSameObject(_ orientation: ImageOrientation) throws {
    var found = DetectedObject(
      frame: Box(x: 1.1, y: 2.2, width: 3.3, height: 4.4), score: 0.1, trackingID: 0)
    found.labels = [ObjectLabel(text: "Food", index: 2, confidence: 0.3)]
    let object = Object(found, in: try FaceTests.image(orientation))
    #expect(try encodedAndBack(object) == object)
    let result = DetectionResult(index: 4, frame: CodedFrame(name: "a"), found: [object])
    #expect(try encodedAndBack(result) == result)
  }

  /// A frame that can be encoded, unlike images.
  private struct CodedFrame: MLKitCompatibleImage, Codable, Equatable {
    let name: String
    func image() throws(VisionError) -> InputImage { throw .noPixels }
  }
}
