import MartletImage
import Testing

@testable import MartletVision

@Suite struct BoxRelationTests {
  @Test func relationRestoresItsBox() throws {
    let box = Box(x: 10, y: 24, width: 40, height: 32)
    let other = Box(x: 16, y: 20, width: 32, height: 64)
    #expect(try #require(BoxRelation(of: box, to: other)).box(beside: other) == box)
  }

  @Test(arguments: [
    // Moved.
    (Box(x: 100, y: 50, width: 20, height: 10), Box(x: 95, y: 50, width: 40, height: 15)),
    // Twice as large.
    (Box(x: 0, y: 0, width: 40, height: 20), Box(x: -10, y: 0, width: 80, height: 30)),
    // Rotated by 90°.
    (Box(x: 0, y: 0, width: 10, height: 20), Box(x: -2.5, y: 0, width: 20, height: 30)),
  ])
  func relationFollowsTheOtherBox(_ other: Box, _ box: Box) throws {
    // Twice as wide, with a quarter of its width left of the other box; half as high again, below.
    let relation = BoxRelation(
      of: Box(x: 15, y: 10, width: 40, height: 15), to: Box(x: 20, y: 10, width: 20, height: 10))
    #expect(try #require(relation).box(beside: other) == box)
  }

  @Test func overlapIsThatOfBothBoxes() throws {
    let (box, other) = (
      Box(x: 15, y: 10, width: 40, height: 15), Box(x: 20, y: 10, width: 20, height: 10)
    )
    let overlap = try #require(BoxRelation(of: box, to: other)).overlap
    #expect((overlap - 200 / 600).magnitude < 1e-6)
  }

  @Test func emptyBoxHasNoRelation() {
    let box = Box(x: 0, y: 0, width: 1, height: 1)
    #expect(BoxRelation(of: box, to: Box(x: 3, y: 3, width: 0, height: 2)) == nil)
    #expect(BoxRelation(of: box, to: Box(x: 3, y: 3, width: 2, height: .nan)) == nil)
  }
}
