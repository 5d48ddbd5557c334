//===--- TypeNameTests.swift ----------------------------------------------===//

import Testing

@testable import MartletCompiler

@Suite struct TypeNameTests {
  @Test(
    arguments: [
      ("person_detection", "PersonDetection"), ("keyword-spotting", "KeywordSpotting"),
      ("MobileNet", "MobileNet"), ("mobilenet_v1.0_224", "MobilenetV1_0_224"),
      ("face mesh", "FaceMesh"), ("a", "A"), ("_private", "Private"),
      ("224_quant", nil), ("größe", nil), ("", nil), ("--", nil),
    ] as [(String, String?)])
  func wordsOfTheFileNameBecomeTheTypeName(_ file: String, _ name: String?) {
    #expect(TypeName.of(file: file) == name)
  }
}
