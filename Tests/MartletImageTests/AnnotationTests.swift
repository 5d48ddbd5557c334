import Testing

@testable import MartletImage

@Suite struct AnnotationTests {
  @Test func paletteColorsAreFarApartAndRepeat() {
    let colors = (0..<12).map { RGBImage.Color.palette($0) }
    for (index, color) in colors.enumerated() {
      for other in colors[..<index] {
        let distance =
          abs(Int(color.red) - Int(other.red)) + abs(Int(color.green) - Int(other.green))
          + abs(Int(color.blue) - Int(other.blue))
        #expect(distance >= 100)
      }
      #expect(RGBImage.Color.palette(index + 12) == color)
      #expect(RGBImage.Color.palette(index - 12) == color)
    }
    #expect(RGBImage.Color.palette(.min) == RGBImage.Color.palette(Int.min % 12 + 12))
  }

  @Test(arguments: [
    (1, 1, 1, 1), (200, 150, 1, 1), (640, 480, 2, 2), (480, 640, 2, 2), (1920, 1080, 5, 4),
  ])
  func linesAndLettersGrowWithTheImage(width: Int, height: Int, line: Int, text: Int) throws {
    let image = try RGBImage(
      width: width, height: height, filledWith: RGBImage.Color(red: 0, green: 0, blue: 0))
    #expect(image.lineThickness == line)
    #expect(image.textScale == text)
  }

  /// The label of the first box keeps its colour where the second box's edge passes.
  @Test func drawsLabelsOverBoxes() throws {
    let image = try RGBImage(
      width: 100, height: 100, filledWith: RGBImage.Color(red: 9, green: 9, blue: 9))
    let annotated = image.annotated([
      Annotation(box: Box(x: 20, y: 50, width: 30, height: 30), text: "a", colorIndex: 0),
      Annotation(box: Box(x: 10, y: 45, width: 80, height: 40), colorIndex: 1),
    ])
    #expect(annotated[20, 45] == .palette(0))
    #expect(annotated[15, 45] == .palette(1))
    #expect(annotated[20, 79] == .palette(0))
    #expect(annotated[10, 84] == .palette(1))
    #expect(annotated[30, 60] == image[30, 60])
  }

  @Test(arguments: [
    (100, 100, 100, 100), (99, 300, 297, 900), (50, 40, 250, 200), (1, 1, 200, 200),
    (1, 100_000, 6, 600_000),
  ])
  func aSmallImageIsDrawnLarger(
    width: Int, height: Int, largerWidth: Int, largerHeight: Int
  ) throws {
    let grey = RGBImage.Color(red: 9, green: 9, blue: 9)
    let image = try RGBImage(width: width, height: height, filledWith: grey)
    let box = Box(x: 0, y: 0, width: Float(width), height: Float(height))
    let annotated = image.annotated([Annotation(box: box, colorIndex: 1)])
    #expect(annotated.size == ImageSize(width: largerWidth, height: largerHeight))
    #expect(annotated[largerWidth - 1, largerHeight - 1] == .palette(1))
  }

  /// Three boxes with the same corner: the labels come above it, below it, and below the box.
  @Test func labelsStayClearOfOneAnother() throws {
    let image = try RGBImage(
      width: 100, height: 100, filledWith: RGBImage.Color(red: 9, green: 9, blue: 9))
    let box = Box(x: 20, y: 40, width: 50, height: 30)
    let annotated = image.annotated((0..<3).map { Annotation(box: box, text: "a", colorIndex: $0) })
    for (index, row) in [29, 40, 70].enumerated() {
      #expect(annotated[20, row] == .palette(index))
      #expect(annotated[20, row + 10] == .palette(index))
    }
    // Where no place is free a label takes the first.
    let five = image.annotated((0..<5).map { Annotation(box: box, text: "a", colorIndex: $0) })
    #expect(five[20, 29] == .palette(4))
    #expect(five[20, 59] == .palette(3))
  }
}
