import Foundation
import MartletCodecs
import MartletTestSupport
import Testing

@testable import Martlet

@Suite struct AnnotatedImageTests {
  private let gray = RGBImage.Color(red: 100, green: 100, blue: 100)

  private func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
    InputImage(try RGBImage(width: 300, height: 200, filledWith: gray), orientation: orientation)
  }

  private func color(_ image: RGBImage, _ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * image.width + x) * 3
    return Array(image.pixels[start..<start + 3])
  }

  @Test func drawsBoxesOfObjects() throws {
    var annotated = try AnnotatedImage(image())
    annotated.draw([Object(frame: CGRect(x: 50, y: 60, width: 100, height: 80))])
    let drawn = annotated.image
    #expect(drawn.size == ImageSize(width: 300, height: 200))
    #expect(color(drawn, 100, 139) != [100, 100, 100])
    #expect(color(drawn, 100, 100) == [100, 100, 100])
    #expect(color(drawn, 10, 10) == [100, 100, 100])
  }

  /// A tracked object has the color of its identifier, regardless of its position in the list.
  @Test func trackedObjectsKeepTheirColors() throws {
    let frame = CGRect(x: 50, y: 60, width: 100, height: 80)
    let colors = try [[3], [5, 3]].map { identifiers in
      var annotated = try AnnotatedImage(image())
      annotated.draw(
        identifiers.map { identifier in
          Object(
            frame: identifier == 3 ? frame : CGRect(x: 200, y: 10, width: 50, height: 50),
            trackingID: identifier)
        })
      return color(annotated.image, 100, 139)
    }
    #expect(colors[0] == colors[1])
  }

  @Test func drawsContoursOfFaces() throws {
    var annotated = try AnnotatedImage(image())
    let points = (0..<36).map { VisionPoint(x: CGFloat(60 + 2 * $0), y: 100) }
    let contour = FaceContour(type: .face, points: points)
    annotated.draw([
      Face(frame: CGRect(x: 50, y: 50, width: 160, height: 100), contours: [contour])
    ])
    #expect(color(annotated.image, 90, 100) == [240, 240, 240])
  }

  @Test(arguments: Concealment.allCases)
  func concealsObjectsAndFacesBeforeItDraws(_ style: Concealment) throws {
    let frame = CGRect(x: 60, y: 40, width: 80, height: 80)
    let plain = try AnnotatedImage(image())
    var (objects, faces, drawn) = (plain, plain, plain)
    objects.conceal([Object(frame: frame)], as: style)
    faces.conceal([Face(frame: frame)], as: style)
    drawn.draw([Object(frame: frame)])
    drawn.conceal([Object(frame: frame)], as: style)
    #expect(objects.image == faces.image)
    #expect((objects.image == plain.image) == (style != .fill))
    #expect(drawn.image != objects.image)
    #expect(color(objects.image, 5, 5) == color(plain.image, 5, 5))
    if style == .fill { #expect(color(objects.image, 100, 80) == [0, 0, 0]) }
  }

  @Test func annotatedImageIsUpright() throws {
    let annotated = try AnnotatedImage(image(.right))
    #expect(annotated.image.size == ImageSize(width: 200, height: 300))
  }

  @Test func filesAreDecodedToTheSamePixels() throws {
    var annotated = try AnnotatedImage(image())
    annotated.draw([Object(frame: CGRect(x: 50, y: 60, width: 100, height: 80))])
    #expect(try ImageFile(decoding: annotated.png).image == annotated.image)
    let size = try ImageFile(decoding: annotated.jpeg(quality: 80)).image.size
    #expect(size == annotated.image.size)
  }

  @Test func imageTooWideForJPEGThrows() throws {
    let wide = InputImage(try RGBImage(width: 65_536, height: 1, filledWith: gray))
    #expect(throws: VisionError.self) { try AnnotatedImage(wide).jpeg() }
  }
}
