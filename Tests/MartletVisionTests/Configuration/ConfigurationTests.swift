import MartletBase
import MartletVision
import Testing

@Suite struct ConfigurationTests {
  private func reader(_ text: String) throws(JSONError) -> JSONReader {
    JSONReader(try JSON(parsing: Array(text.utf8)))
  }

  private func objects(_ text: String) throws(JSONError) -> ObjectConfiguration {
    try ObjectConfiguration(reader(text))
  }

  private func faces(_ text: String) throws(JSONError) -> FaceConfiguration {
    try FaceConfiguration(reader(text))
  }

  @Test func emptyObjectsAreTheDefaults() throws {
    #expect(try objects("{}") == ObjectConfiguration())
    #expect(try faces("{}") == FaceConfiguration())
    #expect(try DetectorConfiguration(reader(#"{"faces":false}"#)) == .objects(.init()))
    #expect("\(ObjectConfiguration().json)" == "{}" && "\(FaceConfiguration().json)" == "{}")
  }

  /// Each member has an effect, and the writer writes what was read.
  @Test(arguments: [
    #"{"stream":true}"#, #"{"maxObjects":7}"#, #"{"minScore":0.25}"#,
    #"{"maxObjects":2,"allBoxes":true}"#, #"{"region":[1.0,2.5,3.0,4.0]}"#, #"{"classify":true}"#,
    #"{"fineLabels":true}"#, #"{"classify":true,"threshold":0.5}"#,
    #"{"classify":true,"maxLabels":3}"#, #"{"classify":true,"labels":["a","b"]}"#,
    #"{"classify":true,"allowLabels":["a"]}"#, #"{"classify":true,"denyLabels":["b"]}"#,
    #"{"classify":true,"dropBackground":true}"#, #"{"classify":true,"mean":[127.5],"std":[3.0]}"#,
    #"{"classify":true,"mean":[1.0,2.0,3.0],"std":[7.0,11.0,13.0]}"#, #"{"detectorHead":"yolov8"}"#,
    #"{"overlap":0.5}"#, #"{"anchors":[10.0,14.5]}"#, #"{"bgr":true}"#, #"{"detectEvery":2}"#,
    #"{"keepLost":0}"#, #"{"fullResolution":true}"#,
    #"{"colorConversion":false}"#,
    #"{"timeout":2.5}"#,
  ])
  func objectMembersAreWrittenAsRead(_ text: String) throws {
    let configuration = try objects(text)
    #expect(configuration != ObjectConfiguration())
    #expect("\(configuration.json)" == text)
    #expect("\(DetectorConfiguration.objects(configuration).json)" == text)
  }

  @Test(arguments: [
    #"{"stream":true}"#, #"{"mode":"fast"}"#, #"{"landmarks":true}"#, #"{"contours":true}"#,
    #"{"allContours":true}"#, #"{"classify":true}"#, #"{"mesh":true}"#, #"{"minFaceSize":0.25}"#,
    #"{"minScore":0.75}"#, #"{"maxFaces":3}"#, #"{"detectEvery":2}"#, #"{"keepLost":0}"#,
    #"{"smoothing":false}"#, #"{"fullResolution":true}"#, #"{"colorConversion":false}"#,
    #"{"timeout":2.5}"#,
  ])
  func faceMembersAreWrittenAsRead(_ text: String) throws {
    let configuration = try faces(text)
    #expect(configuration != FaceConfiguration())
    #expect("\(configuration.json)" == text)
    let whole = "\(DetectorConfiguration.faces(configuration).json)"
    #expect(try DetectorConfiguration(reader(whole)) == .faces(configuration))
  }

  /// A member that is added needs a case above.
  @Test func everyMemberHasAUniqueName() {
    let names = ObjectConfiguration.members.map(\.name)
    #expect(Set(names).count == names.count && names.count == 28)
    let faces = FaceConfiguration.members.map(\.name)
    #expect(Set(faces).count == faces.count && faces.count == 19)
  }

  @Test func multipleRequestsFiveObjects() throws {
    #expect(try objects(#"{"multiple":true}"#).limit == 5)
    #expect(try objects(#"{"multiple":true,"maxObjects":2}"#).limit == 2)
  }

  @Test func fastContoursAloneReturnOneFace() throws {
    let configuration = try faces(#"{"mode":"fast","contours":true}"#)
    let one = configuration.applyingMLKitRules
    #expect(configuration.isOneFace && one.limit == 1 && !one.angles)
  }

  @Test(arguments: [
    ("[]", JSONError.mismatch(path: "", expected: "object")),
    (#"{"maxobjects":1}"#, .unknown(path: "maxobjects", nearest: "maxObjects")),
    (#"{"landmarks":true}"#, .unknown(path: "landmarks", nearest: nil)),
    (#"{"fineLabels":1}"#, .mismatch(path: "fineLabels", expected: "Boolean")),
    (#"{"maxObjects":0}"#, .mismatch(path: "maxObjects", expected: "number from 1 on")),
    (#"{"maxLabels":-1}"#, .mismatch(path: "maxLabels", expected: "number from 1 on")),
    (#"{"keepLost":-1}"#, .mismatch(path: "keepLost", expected: "number from 0 on")),
    (#"{"threshold":1.5}"#, .mismatch(path: "threshold", expected: "number of 0...1")),
    (#"{"minScore":-0.1}"#, .mismatch(path: "minScore", expected: "number of 0...1")),
    (
      #"{"timeout":0}"#,
      .mismatch(path: "timeout", expected: "number of seconds from 0.001 to 1000000")
    ),
    (#"{"timeout":"1"}"#, .mismatch(path: "timeout", expected: "number")),
    (
      #"{"region":[1,2,3,0]}"#,
      .mismatch(path: "region", expected: "[x, y, width, height] with sides above zero")
    ),
    (#"{"mean":[1]}"#, .missing(path: "std")), (#"{"std":[1]}"#, .missing(path: "mean")),
    (
      #"{"mean":[1],"std":[0]}"#,
      .mismatch(path: "std", expected: "list of numbers other than zero, as many as of mean")
    ),
    (
      #"{"allowLabels":["a"],"denyLabels":["b"]}"#,
      .mismatch(path: "denyLabels", expected: "option beside allowLabels")
    ),
    (#"{"faces":1}"#, .mismatch(path: "faces", expected: "Boolean")),
    (#"{"faces":true,"mode":"slow"}"#, .mismatch(path: "mode", expected: "fast or accurate")),
    (#"{"faces":true,"multiple":true}"#, .unknown(path: "multiple", nearest: nil)),
    (#"{"faces":true,"maxFaces":0}"#, .mismatch(path: "maxFaces", expected: "number from 1 on")),
    (
      #"{"faces":true,"minFaceSize":2}"#,
      .mismatch(path: "minFaceSize", expected: "number of 0...1")
    ),
  ])
  func rejectsInvalidOptions(_ text: String, _ error: JSONError) {
    #expect(throws: error) { try DetectorConfiguration(reader(text)) }
  }
}
