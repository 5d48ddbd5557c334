import Foundation
import MartletBase
import Testing

@testable import MartletHosting

@Suite struct ModelManifestTests {
  static func manifest(_ text: String) throws -> ModelManifest {
    try ModelManifest(
      Data(text.utf8), at: try #require(URL(string: "https://example.com/models/birds.json")))
  }

  @Test func parsesFirebaseResponse() throws {
    let manifest = try ModelManifestTests.manifest(
      """
      {"downloadUri": "https://storage.example/m?sig=1", "expireTime": "2026-11-21T10:00:00.250Z",
       "sizeBytes": "562336"}
      """)
    #expect(manifest.url.absoluteString == "https://storage.example/m?sig=1")
    #expect(manifest.expiry == Date(timeIntervalSince1970: 1_795_255_200.25))
    #expect(manifest.sizeBytes == 562_336 && manifest.digest == nil && manifest.version == nil)
  }

  @Test func parsesManifestWithDigestAndVersion() throws {
    let digest = String(repeating: "0a", count: 32)
    let manifest = try ModelManifestTests.manifest(
      """
      {"downloadUri": "v3/birds.tflite", "sizeBytes": 5, "sha256": "\(digest)", "version": 3,
       "minRuntime": "1.0.0", "whatever": [1, {}]}
      """)
    #expect(manifest.url.absoluteString == "https://example.com/models/v3/birds.tflite")
    #expect(manifest.sizeBytes == 5 && manifest.version == "3")
    #expect(manifest.digest?.hexadecimal == digest)
  }

  @Test(arguments: [
    ("2026-11-21T10:00:00Z", 1_795_255_200), ("2026-11-21T10:00:00.000000001Z", 1_795_255_200),
    ("2026-11-21T12:00:00+02:00", 1_795_255_200),
  ])
  func parsesDatesWithAnyDecimals(_ text: String, _ seconds: Int) throws {
    let manifest = try ModelManifestTests.manifest(
      "{\"downloadUri\": \"a\", \"expireTime\": \"\(text)\"}")
    #expect(manifest.expiry.map { Int($0.timeIntervalSince1970) } == seconds)
  }

  @Test(arguments: [
    ("", ModelManifestProblem.malformed), ("[]", .malformed), ("{}", .malformed),
    ("{\"downloadUri\": 1}", .malformed), ("{\"downloadUri\": \"\"}", .address("")),
    ("{\"downloadUri\": \"a\", \"sizeBytes\": \"0\"}", .size("0")),
    ("{\"downloadUri\": \"a\", \"sizeBytes\": -1}", .size("-1")),
    ("{\"downloadUri\": \"a\", \"sizeBytes\": \"many\"}", .size("many")),
    (
      "{\"downloadUri\": \"a\", \"sizeBytes\": \"99999999999999999999\"}",
      .size("99999999999999999999")
    ),
    ("{\"downloadUri\": \"a\", \"sizeBytes\": []}", .malformed),
    ("{\"downloadUri\": \"a\", \"sha256\": \"abc\"}", .digest("abc")),
    ("{\"downloadUri\": \"a\", \"expireTime\": \"soon\"}", .expiry("soon")),
    ("{\"downloadUri\": \"a\", \"expireTime\": \"1.2.3\"}", .expiry("1.2.3")),
    ("{\"downloadUri\": \"a\", \"minRuntime\": \"new\"}", .runtime("new")),
    ("{\"downloadUri\": \"a\", \"minRuntime\": \"-1\"}", .runtime("-1")),
    ("{\"downloadUri\": \"a\", \"minRuntime\": \"1..0\"}", .runtime("1..0")),
  ])
  func rejectsInvalidManifest(_ text: String, _ problem: ModelManifestProblem) {
    #expect(throws: ModelHostingError.manifest(problem)) {
      try ModelManifestTests.manifest(text)
    }
  }

  @Test func rejectsModelForLaterVersion() throws {
    #expect(
      throws: ModelHostingError.runtime(needed: "1000.0", available: ModelManifest.runtimeVersion)
    ) { try ModelManifestTests.manifest("{\"downloadUri\": \"a\", \"minRuntime\": \"1000.0\"}") }
    for version in ["1", "1.0", "1.0.0", "0.9.9"] {
      _ = try ModelManifestTests.manifest(
        "{\"downloadUri\": \"a\", \"minRuntime\": \"\(version)\"}")
    }
  }

  @Test func deepNestingIsAnError() {
    let text = "{\"downloadUri\": " + String(repeating: "[", count: 60_000)
    #expect(throws: ModelHostingError.manifest(.malformed)) {
      try ModelManifestTests.manifest(text)
    }
  }
}
