import Testing

@testable import MartletImage

@Suite struct AnnotationTests {
  @Test func paletteColorsAreDistinctAndRepeat() {
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

  /// The first box's label keeps its color where the second box's edge crosses it.
  @Test func drawsLabelsOverBoxes() throws {
    let image = try RGBImage(
      width: 100, height: 100, filledWith: RGBImage.Color(red: 9, green: 9, blue: 9))
    let annotated = image.annotated([
      Annotation(box: Box(x: 20, y: 50, width: 30, height: 30), texts: ["a"], colorIndex: 0),
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
  func smallImageIsEnlarged(
    width: Int, height: Int, largerWidth: Int, largerHeight: Int
  ) throws {
    let gray = RGBImage.Color(red: 9, green: 9, blue: 9)
    let image = try RGBImage(width: width, height: height, filledWith: gray)
    let box = Box(x: 0, y: 0, width: Float(width), height: Float(height))
    let annotated = image.annotated([Annotation(box: box, colorIndex: 1)])
    #expect(annotated.size == ImageSize(width: largerWidth, height: largerHeight))
    #expect(annotated[largerWidth - 1, largerHeight - 1] == .palette(1))
  }

  /// Nine equal boxes: first come the places outside the box, then those inside it. No place is left
  /// for the ninth label, which is not drawn.
  @Test func labelsNeverOverlap() throws {
    let image = try RGBImage(
      width: 100, height: 100, filledWith: RGBImage.Color(red: 9, green: 9, blue: 9))
    let box = Box(x: 20, y: 40, width: 50, height: 30)
    let annotated = image.annotated(
      (0..<9).map { Annotation(box: box, texts: ["a"], colorIndex: $0) })
    let places = [
      (20, 29), (20, 70), (63, 29), (63, 70), (20, 40), (20, 59), (63, 40), (63, 59),
    ]
    for (index, (column, row)) in places.enumerated() {
      #expect(annotated[column, row] == .palette(index))
      #expect(annotated[column + 6, row + 10] == .palette(index))
    }
  }

  @Test func textsBecomeShorter() {
    #expect(
      Annotation.texts("1", ("Food", 0.974)) == ["1 Food 97%", "1"])
    #expect(Annotation.texts("#7", nil) == ["#7"])
    for share in [Float.nan, .infinity] {
      #expect(Annotation.texts("2", ("x", share)) == ["2 x -", "2"])
    }
  }

  /// A second object passes above the first one, whose label moves below and stays there.
  @Test func labelsKeepTheirSidesInAVideo() throws {
    let image = try gray(200, 200)
    let box = Box(x: 60, y: 80, width: 80, height: 60)
    func annotation(_ box: Box, _ index: Int) -> Annotation {
      Annotation(box: box, texts: ["aaaaaaaaaa"], colorIndex: index)
    }
    let passing = annotation(Box(x: 40, y: 60, width: 120, height: 19), 1)
    var sides = LabelSides()
    var places: [Bool] = []
    for others in [[], [passing], []] as [[Annotation]] {
      let frame = image.annotated(others + [annotation(box, 0)], keeping: &sides)
      places.append(frame[62, 79] == .palette(0))
      #expect(frame[62, 79] == .palette(0) || frame[62, 142] == .palette(0))
    }
    #expect(places == [true, false, false])
  }

  @Test(arguments: [(0.25, 71), (0.5, 132), (1, 255), (0, 9)] as [(Float, Int)])
  func strokeThinnerThanAPixelIsBlendedOnce(_ thickness: Float, _ expected: Int) throws {
    var annotation = Annotation(box: Box(x: 1, y: 1, width: 2, height: 2))
    // There and back.
    annotation.strokes = [
      Stroke(
        [Point(x: 20.5, y: 50.5), Point(x: 80.5, y: 50.5), Point(x: 20.5, y: 50.5)], white,
        thickness: thickness)
    ]
    let frame = try gray(200, 200).annotated([annotation])
    for x in [20, 50, 80] { #expect(Int(frame[x, 50].red) == expected) }
    #expect(frame[90, 50].red == 9)
  }

  private let white = RGBImage.Color(red: 255, green: 255, blue: 255)

  private func gray(_ width: Int, _ height: Int) throws -> RGBImage {
    try RGBImage(width: width, height: height, filledWith: .init(red: 9, green: 9, blue: 9))
  }

  /// A line, a dot and an empty stroke, over a box's edge and under a label.
  @Test func strokesLieBetweenBoxesAndLabels() throws {
    let image = try gray(200, 200)
    var annotation = Annotation(box: Box(x: 20, y: 50, width: 60, height: 60), texts: ["abc"])
    annotation.strokes = [
      Stroke([Point(x: 25.5, y: 30.5), Point(x: 25.5, y: 90.5)], white, thickness: 1),
      Stroke([Point(x: 60, y: 80)], white, thickness: 4), Stroke([], white, thickness: 4),
    ]
    let annotated = image.annotated([annotation])
    #expect(annotated[25, 70] == white && annotated[25, 50] == white && annotated[25, 90] == white)
    #expect(annotated[25, 39] == .palette(0) && annotated[25, 32] == white)
    #expect(annotated[59, 79] == white && annotated[60, 80] == white && annotated[62, 80] != white)
  }

  @Test func strokesScaleWithEnlargedImage() throws {
    let image = try gray(50, 40)
    var annotation = Annotation(box: Box(x: 1, y: 1, width: 2, height: 2))
    annotation.strokes = [Stroke([Point(x: 20, y: 20)], white, thickness: 2)]
    let annotated = image.annotated([annotation])
    #expect(annotated[96, 100] == white && annotated[104, 100] == white)
    #expect(annotated[90, 100] != white && annotated[110, 100] != white)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, -3, 1e30])
  func invalidStrokeDrawsNothing(_ thickness: Float) throws {
    var annotation = Annotation(box: Box(x: 0, y: 0, width: 1, height: 1))
    annotation.strokes = [Stroke([Point(x: .nan, y: 20)], white, thickness: thickness)]
    let annotated = try gray(100, 100).annotated([annotation])
    #expect(annotated[50, 50] == RGBImage.Color(red: 9, green: 9, blue: 9))
  }

  private func yielding(_ box: Box, _ text: String, _ short: String) -> Annotation {
    var annotation = Annotation(box: box, texts: [text, short])
    annotation.isDiscreet = true
    return annotation
  }

  /// Box sides, and the text that fits: at most twice the box's width and a third of its height.
  /// Letters are 11 pixels high; "abcdefgh" is 49 wide and "ab" 13.
  @Test(
    arguments: [
      (60, 60, 49), (25, 60, 49), (24, 60, 13), (7, 60, 13), (6, 60, 0), (33, 33, 49), (33, 32, 0),
    ] as [(Float, Float, Int)])
  func smallBoxHasShortLabel(across: Float, down: Float, width: Int) throws {
    let box = Box(x: 30, y: 60, width: across, height: down)
    let annotated = try gray(200, 200).annotated([yielding(box, "abcdefgh", "ab")])
    for column in 30..<130 where !(30..<30 + width).contains(column) {
      #expect(annotated[column, 50] == annotated[0, 0], "\(column)")
    }
    if width > 0 {
      #expect(annotated[30, 49] == .palette(0) && annotated[30 + width - 1, 49] == .palette(0))
    }
  }

  /// A column of boxes, in which the lower box's label would hide the upper box.
  @Test func shortenedLabelHidesNoOtherBox() throws {
    let boxes = (0..<3).map { Box(x: 40, y: Float(20 + 40 * $0), width: 40, height: 40) }
    let annotated = try gray(200, 200).annotated(boxes.map { yielding($0, "abcde", "abcd") })
    for (left, top) in [(42, 22), (42, 62), (42, 102), (42, 50), (42, 90)] {
      #expect(annotated[left, top] == annotated[0, 0], "\(left), \(top)")
    }
    #expect(annotated[40, 9] == .palette(0) && annotated[40, 140] == .palette(0))
    // A box that fills the image has its label inside, where it hides little.
    let whole = Box(x: 0, y: 0, width: 200, height: 200)
    #expect(try gray(200, 200).annotated([yielding(whole, "ab", "a")])[6, 5] == .palette(0))
  }

  @Test(arguments: [(40, 1), (120, 2), (1000, 5), (2, 1)])
  func smallBoxHasThinOutline(side: Int, thickness: Int) throws {
    let image = try gray(1200, 1080)
    let box = Box(x: 20, y: 20, width: Float(side), height: Float(side))
    let annotated = image.annotated([yielding(box, "", "")])
    #expect(annotated[20 + thickness - 1, 20] == .palette(0))
    if side > 2 { #expect(annotated[20 + thickness, 20 + thickness] == image[0, 0]) }
  }
}
