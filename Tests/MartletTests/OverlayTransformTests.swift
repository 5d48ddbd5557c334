import Foundation
import Martlet
import Testing

@Suite struct OverlayTransformTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let view: CGSize
    let mode: OverlayTransform.ContentMode
    let isMirrored: Bool
    let expected: CGRect
    var testDescription: String { "\(view), \(mode), \(isMirrored)" }
  }

  /// A box at (10, 20) of 30 by 40 pixels in an image of 100 by 200.
  @Test(arguments: [
    Case(
      view: CGSize(width: 200, height: 400), mode: .fit, isMirrored: false,
      expected: CGRect(x: 20, y: 40, width: 60, height: 80)),
    Case(
      view: CGSize(width: 300, height: 400), mode: .fit, isMirrored: false,
      expected: CGRect(x: 70, y: 40, width: 60, height: 80)),
    Case(
      view: CGSize(width: 300, height: 400), mode: .fill, isMirrored: false,
      expected: CGRect(x: 30, y: -40, width: 90, height: 120)),
    Case(
      view: CGSize(width: 200, height: 400), mode: .fit, isMirrored: true,
      expected: CGRect(x: 120, y: 40, width: 60, height: 80)),
    Case(
      view: CGSize(width: 300, height: 400), mode: .fill, isMirrored: true,
      expected: CGRect(x: 180, y: -40, width: 90, height: 120)),
  ])
  func placesBoxes(_ test: Case) {
    let transform = OverlayTransform(
      imageSize: CGSize(width: 100, height: 200), viewSize: test.view, contentMode: test.mode,
      isMirrored: test.isMirrored)
    let box = CGRect(x: 10, y: 20, width: 30, height: 40)
    #expect(transform.viewRect(box) == test.expected)
    let center = transform.viewPoint(CGPoint(x: 25, y: 40))
    #expect(center == CGPoint(x: test.expected.midX, y: test.expected.midY))
    let back = transform.imagePoint(center)
    #expect(abs((back?.x ?? 0) - 25) < 1e-9 && abs((back?.y ?? 0) - 40) < 1e-9)
  }

  @Test func wholeImageIsCentered() {
    let transform = OverlayTransform(
      imageSize: CGSize(width: 100, height: 200), viewSize: CGSize(width: 300, height: 400))
    #expect(transform.imageRect == CGRect(x: 50, y: 0, width: 200, height: 400))
  }

  @Test(arguments: [
    CGSize(width: 0, height: 0), CGSize(width: 0, height: 10),
    CGSize(width: CGFloat.nan, height: 5),
  ])
  func emptyViewHasNoScale(_ size: CGSize) {
    let transform = OverlayTransform(
      imageSize: CGSize(width: 100, height: 200), viewSize: size)
    #expect(transform.scale == 0)
    #expect(transform.imagePoint(CGPoint(x: 1, y: 1)) == nil)
  }
}
