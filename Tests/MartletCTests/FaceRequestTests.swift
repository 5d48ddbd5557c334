import MartletBase
import MartletVision
import MartletC
import Testing

@Suite struct FaceRequestTests {
  private func request(_ text: String) throws(JSONError) -> DetectorRequest {
    try DetectorRequest(JSONReader(JSON(parsing: Array(text.utf8))))
  }

  private func faces(_ text: String) throws -> FaceRequest {
    guard case .faces(let request) = try request(text) else {
      throw JSONError.mismatch(path: "", expected: "faces")
    }
    return request
  }

  @Test func emptyRequestMatchesToolDefaults() throws {
    let plain = try faces(#"{"faces":true}"#)
    #expect(plain.isSmoothing && !plain.isStream)
    #expect(
      plain.finderOptions.isAccurate && !plain.finderOptions.landmarks
        && plain.finderOptions.contours == .none)
    #expect(plain.finderOptions.limit == .max && plain.finderOptions.minimumSize == 0)
    #expect(!plain.decoding.isFullResolution && plain.decoding.convertsColors)
  }

  @Test func readsHowFilesAreDecoded() throws {
    let all = try faces(#"{"faces":true,"fullResolution":true,"colorConversion":false}"#)
    #expect(all.decoding.isFullResolution && !all.decoding.convertsColors)
  }

  @Test func readsEveryOption() throws {
    let all = try faces(
      """
      {"faces":true,"stream":true,"mode":"fast","landmarks":true,"contours":true,"allContours":true,\
      "classify":true,"mesh":true,"minFaceSize":0.25,"minScore":0.75,"maxFaces":3,"smoothing":false}
      """)
    #expect(all.isStream && !all.finderOptions.isAccurate && !all.isSmoothing)
    let finderOptions = all.finderOptions
    #expect(
      finderOptions.landmarks && finderOptions.contours == .all && finderOptions.expressions
        && finderOptions.mesh)
    #expect(finderOptions.tracking && finderOptions.minimumSize == 0.25 && finderOptions.limit == 3)
    #expect(finderOptions.minimumScore == 0.75)
  }

  @Test func fastContoursAloneReturnOneFace() throws {
    let finderOptions = try faces(#"{"faces":true,"mode":"fast","contours":true}"#).finderOptions
    #expect(finderOptions.limit == 1 && !finderOptions.angles)
  }

  @Test func requestWithoutFacesIsForObjects() throws {
    #expect(try request(#"{"faces":false}"#) == .objects(.init()))
  }

  @Test(arguments: [
    (#"{"faces":1}"#, JSONError.mismatch(path: "faces", expected: "Boolean")),
    (
      #"{"faces":true,"mode":"slow"}"#, .mismatch(path: "mode", expected: "fast or accurate")
    ),
    (
      #"{"faces":true,"multiple":true}"#,
      .mismatch(path: "multiple", expected: "option of a detector")
    ),
    (#"{"landmarks":true}"#, .mismatch(path: "landmarks", expected: "option of a detector")),
    (#"{"faces":true,"maxFaces":0}"#, .mismatch(path: "maxFaces", expected: "number from 1 on")),
    (
      #"{"faces":true,"minFaceSize":2}"#,
      .mismatch(path: "minFaceSize", expected: "number of 0...1")
    ),
  ])
  func rejectsInvalidOptions(_ text: String, _ error: JSONError) {
    #expect(throws: error) { try request(text) }
  }
}
