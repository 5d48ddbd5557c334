import Foundation
import MartletVision
import Testing

@testable import Martlet

@Suite struct ObjectTests {
  @Test func objectInitializerKeepsItsValues() {
    let label = ObjectLabel(text: "Food", index: 2, confidence: 0.75)
    let frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    let object = Object(frame: frame, trackingID: 0, labels: [label])
    #expect(object.frame == frame)
    #expect(object.uprightFrame == frame)
    #expect(object.trackingID == NSNumber(value: 0))
    #expect(object.trackingIdentifier == 0)
    #expect(object.labels == [label])
    #expect(object.category == nil)
    #expect(Object(frame: frame).trackingID == nil)
    #expect(Object(frame: frame).trackingIdentifier == nil)
    #expect(Object(frame: frame).labels.isEmpty)
  }

  /// The box 10, 20, 30 x 40 of an upright image of 100 x 200, in stored coordinates.
  @Test(
    arguments: [
      (ImageOrientation.up, 10, 20, 30, 40), (.upMirrored, 60, 20, 30, 40),
      (.down, 60, 140, 30, 40), (.downMirrored, 10, 140, 30, 40),
      (.leftMirrored, 20, 10, 40, 30), (.right, 20, 60, 40, 30),
      (.rightMirrored, 140, 60, 40, 30), (.left, 140, 10, 40, 30),
    ] as [(ImageOrientation, Int, Int, Int, Int)])
  func frameIsInCoordinatesOfStoredImage(
    _ orientation: ImageOrientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int
  ) throws {
    let isTurned = orientation.rawValue > 4
    let pixels = try RGBImage(
      width: isTurned ? 200 : 100, height: isTurned ? 100 : 200,
      filledWith: .init(red: 0, green: 0, blue: 0))
    let found = DetectedObject(
      frame: Box(x: 10, y: 20, width: 30, height: 40), score: 0.5, trackingID: 7,
      category: .food)
    let object = Object(found, in: InputImage(pixels, orientation: orientation))
    #expect(object.frame == CGRect(x: x, y: y, width: width, height: height))
    #expect(object.uprightFrame == CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect(object.trackingID == 7)
    #expect(object.score == 0.5)
    #expect(object.category == .food)
  }

  @Test func boxConvertsToCGRectAndBack() {
    let box = Box(x: 0.5, y: 1.25, width: 100, height: 7)
    #expect(CGRect(box) == CGRect(x: 0.5, y: 1.25, width: 100, height: 7))
    #expect(Box(CGRect(box)) == box)
  }
}
