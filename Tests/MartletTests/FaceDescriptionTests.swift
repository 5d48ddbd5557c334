import Foundation
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

@Suite struct FaceDescriptionTests {
  static let frame = CGRect(x: 12, y: 40, width: 90.25, height: 92)

  @Test func descriptionListsBoxScoreAndKnownValues() {
    let bare = Face(frame: FaceDescriptionTests.frame, score: 0.5)
    #expect("\(bare)" == "face at (12, 40), 90 x 92, score 0.50")
    let full = Face(
      frame: FaceDescriptionTests.frame, trackingID: 3,
      headEulerAngles: HeadEulerAngles(x: 3.2, y: -12.4, z: 0), smile: 0.5, leftEyeOpen: 0.25,
      landmarks: [FaceLandmark(type: .noseBase, position: VisionPoint(x: 1, y: 2))], score: 0.5)
    #expect(
      "\(full)"
        == """
        face 3 at (12, 40), 90 x 92, score 0.50: turned (3, -12, 0), smiling 0.50, \
        left eye open 0.25, 1 landmarks
        """)
    #expect("\(VisionFace(full))" == "\(full)")
  }

  @Test func valuesBeyondIntegersDoNotTrap() {
    let nonFinite = Face(frame: CGRect(x: Double.nan, y: 1e300, width: -.infinity, height: 0))
    #expect("\(nonFinite)".hasPrefix("face at (nan, 1"))
    #expect("\(VisionPoint(x: .nan, y: .infinity))" == "(nan, inf)")
  }
}
