import Foundation
import Testing

@testable import Martlet
@testable import MartletFirebase
@testable import MartletMLKit

/// The text that `print` writes for results.
@Suite struct ObjectDescriptionTests {
  static let food = ObjectLabel(text: "Food", index: 2, confidence: 0.875)
  static let frame = CGRect(x: 12, y: 40, width: 300.25, height: 200)

  @Test func labelDescriptionIsTextOrClassIndex() {
    #expect("\(ObjectDescriptionTests.food)" == "Food 0.88")
    #expect("\(ObjectLabel(text: "", index: 7, confidence: 0.5))" == "class 7 0.50")
  }

  @Test func objectDescriptionListsBoxScoreAndLabels() {
    let still = Object(frame: ObjectDescriptionTests.frame, score: 0.5)
    #expect("\(still)" == "object at (12, 40), 300 x 200, score 0.50")
    let tracked = Object(
      frame: ObjectDescriptionTests.frame, trackingID: 3, labels: [ObjectDescriptionTests.food],
      score: 0.5)
    #expect("\(tracked)" == "object 3 at (12, 40), 300 x 200, score 0.50: Food 0.88")
    #expect("\(VisionObject(tracked))" == "\(tracked)")
    let named = Object(
      frame: ObjectDescriptionTests.frame, labels: [ObjectDescriptionTests.food], score: 0.5,
      fineLabels: [ObjectLabel(text: "Banana", index: 20, confidence: 0.75)])
    #expect("\(named)".hasSuffix("score 0.50: Food 0.88, Banana 0.75"))
  }

  @Test func valuesBeyondIntegersDoNotTrap() {
    let nonFinite = Object(frame: CGRect(x: Double.nan, y: 1e300, width: -.infinity, height: 0))
    #expect("\(nonFinite)".hasPrefix("object at (nan, 1"))
  }
}
