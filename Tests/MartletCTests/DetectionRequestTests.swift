import MartletBase
import MartletVision
import MartletC
import Testing

@Suite struct DetectionRequestTests {
  private func request(_ text: String) throws(JSONError) -> DetectionRequest {
    try DetectionRequest(JSONReader(JSON(parsing: Array(text.utf8))))
  }

  @Test func emptyRequestMatchesToolDefaults() throws {
    let plain = try request("{}")
    #expect(plain == DetectionRequest())
    #expect(plain.maximumObjectCount == 1 && !plain.classifies && !plain.isStream)
    #expect(!plain.hasFineLabels)
  }

  @Test func readsEveryOption() throws {
    let all = try request(
      """
      {"stream":true,"maxObjects":7,"classify":true,"threshold":0.5,"maxLabels":3,"minScore":0.25,\
      "labels":["a","b"],"denyLabels":["b"],"dropBackground":true,"mean":[127.5],"std":[2],\
      "detectEvery":2,"fineLabels":true}
      """)
    #expect(all.isStream && all.classifies && all.dropsBackground && all.hasFineLabels)
    #expect(all.maximumObjectCount == 7 && all.maximumLabelCount == 3 && all.detectionInterval == 2)
    #expect(all.threshold == 0.5 && all.minimumScore == 0.25)
    #expect(all.labels == ["a", "b"] && all.filter == .deny(["b"]))
    #expect(try all.normalization == PixelNormalization(mean: [127.5], deviation: [2]))
    #expect(try request(#"{"timeout":2.5}"#).decoding.timeout == 2.5)
    #expect(try request(#"{"multiple":true}"#).maximumObjectCount == 5)
    #expect(try request(#"{"multiple":true,"maxObjects":2}"#).maximumObjectCount == 2)
    #expect(try request(#"{"allowLabels":["a"]}"#).filter == .allow(["a"]))
  }

  @Test(arguments: [
    ("[]", JSONError.mismatch(path: "", expected: "object")),
    (#"{"maxobjects":1}"#, .mismatch(path: "maxobjects", expected: "option of a detector")),
    (#"{"fineLabels":1}"#, .mismatch(path: "fineLabels", expected: "Boolean")),
    (#"{"maxObjects":0}"#, .mismatch(path: "maxObjects", expected: "number from 1 on")),
    (#"{"maxLabels":-1}"#, .mismatch(path: "maxLabels", expected: "number from 1 on")),
    (#"{"threshold":1.5}"#, .mismatch(path: "threshold", expected: "number of 0...1")),
    (#"{"minScore":-0.1}"#, .mismatch(path: "minScore", expected: "number of 0...1")),
    (
      #"{"timeout":0}"#,
      .mismatch(path: "timeout", expected: "number of seconds from 0.001 to 1000000")
    ),
    (#"{"timeout":"1"}"#, .mismatch(path: "timeout", expected: "number")),
    (#"{"mean":[1]}"#, .missing(path: "std")), (#"{"std":[1]}"#, .missing(path: "mean")),
    (
      #"{"mean":[1],"std":[0]}"#,
      .mismatch(path: "std", expected: "list of numbers other than zero, as many as of mean")
    ),
    (
      #"{"allowLabels":["a"],"denyLabels":["b"]}"#,
      .mismatch(path: "denyLabels", expected: "option beside allowLabels")
    ),
  ])
  func rejectsInvalidOptions(_ text: String, _ error: JSONError) {
    #expect(throws: error) { try request(text) }
  }
}
