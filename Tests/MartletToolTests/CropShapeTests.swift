import MartletCommandLine
import MartletVision
import Testing

@testable import MartletTool

@Suite struct CropShapeTests {
  private let size = ImageSize(width: 200, height: 100)

  @Test func cropIsTheBoxByDefault() {
    let box = Box(x: 0.1, y: 0.3, width: 0.7, height: 0.9)
    #expect(CropShape().box(around: box, in: size) == box)
  }

  @Test func marginIsAShareOfEachSide() {
    let crop = CropShape(margin: 0.5).box(
      around: Box(x: 50, y: 40, width: 20, height: 10), in: size)
    #expect(crop == Box(x: 40, y: 35, width: 40, height: 20))
  }

  /// The box is extended around its center, at an edge towards the inside.
  @Test(
    arguments: [
      (Box(x: 50, y: 40, width: 20, height: 10), 1, Box(x: 50, y: 35, width: 20, height: 20)),
      (Box(x: 50, y: 40, width: 10, height: 20), 2, Box(x: 35, y: 40, width: 40, height: 20)),
      (Box(x: 50, y: 0, width: 20, height: 10), 1, Box(x: 50, y: 0, width: 20, height: 20)),
      (Box(x: 190, y: 40, width: 10, height: 20), 1, Box(x: 180, y: 40, width: 20, height: 20)),
      // The image is too low for a square.
      (Box(x: 20, y: 10, width: 150, height: 80), 1, Box(x: 20, y: 0, width: 150, height: 150)),
    ] as [(Box, Float, Box)])
  func aspectExtendsTheBox(_ box: Box, _ aspect: Float, _ expected: Box) {
    #expect(CropShape(aspect: aspect).box(around: box, in: size) == expected)
  }

  @Test(
    arguments: [
      (["--crop-margin", "0.25"], 0.25, nil), (["--crop-aspect", "3:4"], 0, 0.75),
    ] as [([String], Float, Float?)])
  func optionsAreRead(_ words: [String], _ margin: Float, _ aspect: Float?) throws {
    let words = ["a.jpg", "--save-crops", "c"] + words
    let shape = try CropShape(Arguments(words, for: DetectCommand.specification))
    #expect(shape.margin == margin && shape.aspect == aspect)
  }

  @Test(arguments: [
    ["--crop-aspect", "1"], ["--crop-aspect", "0:1"], ["--crop-aspect", "1:x"],
    ["--crop-margin", "-1"],
  ])
  func otherValuesAreRefused(_ words: [String]) throws {
    let arguments = try Arguments(
      ["a.jpg", "--save-crops", "c"] + words, for: DetectCommand.specification)
    #expect(throws: UsageError.self) { try CropShape(arguments) }
    #expect(throws: UsageError.needs(option: words[0], others: ["--save-crops"])) {
      try Arguments(["a.jpg"] + words, for: DetectCommand.specification)
    }
  }
}
