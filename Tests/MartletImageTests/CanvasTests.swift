import Testing

@testable import MartletImage

@Suite struct CanvasTests {
  private let size = ImageSize(width: 300, height: 200)
  private let gray = RGBImage.Color(red: 90, green: 90, blue: 90)

  private var annotations: [Annotation] {
    var first = Annotation(
      box: Box(x: 20, y: 50, width: 130, height: 90), texts: ["1 Food 98%"], colorIndex: 1)
    first.strokes = [Stroke([Point(x: 9, y: 9), Point(x: 150, y: 180)], gray, thickness: 5)]
    return [
      first, Annotation(box: Box(x: 90, y: -5, width: 500, height: 80), texts: ["2"]),
    ]
  }

  /// The image with the patches of a drawing.
  private func painted(_ drawing: Drawing, on image: RGBImage) -> RGBImage {
    var image = image
    for patch in drawing.patches { image.paint(patch) }
    return image
  }

  @Test func drawingHasThePixelsOfTheAnnotatedImage() throws {
    let image = try RGBImage(width: size.width, height: size.height, filledWith: gray)
    let drawing = try #require(Drawing(annotations, on: size))
    #expect(painted(drawing, on: image) == image.annotated(annotations))
  }

  @Test(arguments: ImageOrientation.allCases)
  func storedDrawingFollowsTheImage(_ orientation: ImageOrientation) throws {
    let stored = orientation.upright(size)
    let image = try RGBImage(width: stored.width, height: stored.height, filledWith: gray)
    let drawing = try #require(Drawing(annotations, on: size))
    let painted = painted(drawing.stored(orientation), on: image)
    #expect(
      painted.upright(from: orientation) == image.upright(from: orientation).annotated(annotations))
  }

  @Test func smallImageHasNoDrawing() {
    #expect(Drawing(annotations, on: ImageSize(width: 99, height: 300)) == nil)
    #expect(Drawing(annotations, on: ImageSize(width: 100, height: 300)) != nil)
  }

  @Test(arguments: [(0, 200, 0, 0), (0, 200, 255, 200), (100, 0, 51, 80), (7, 8, 128, 8)])
  func mixesByShare(old: UInt8, new: UInt8, share: UInt8, mixed: UInt8) {
    #expect(ColoredRectangle.mixed(old, new, share: share) == mixed)
  }
}
