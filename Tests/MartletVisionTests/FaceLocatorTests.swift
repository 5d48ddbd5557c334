import MartletTestSupport
import Testing

@testable import MartletVision

@Suite struct FaceLocatorTests {
  private func gray(_ width: Int, _ height: Int) throws -> RGBImage {
    try RGBImage(
      width: width, height: height, filledWith: .init(red: 100, green: 100, blue: 100))
  }

  /// The image's size, its size inside the 64 x 64 letterbox, and image pixels per letterbox pixel.
  @Test(
    arguments: [
      (64, 64, 64, 64, 1), (128, 64, 64, 32, 2), (100, 200, 32, 64, 3.125), (32, 16, 64, 32, 0.5),
      (640, 480, 64, 48, 10), (1, 1000, 1, 64, 15.625),
    ] as [(Int, Int, Int, Int, Float)])
  func letterboxedImageIsAtTheTopLeft(
    _ width: Int, _ height: Int, _ scaledWidth: Int, _ scaledHeight: Int, _ scale: Float
  ) throws {
    let (box, found) = try gray(width, height).letterboxed(
      PixelRectangle(x: 0, y: 0, width: width, height: height),
      in: ImageSize(width: 64, height: 64))
    #expect(found == scale && box.size == ImageSize(width: 64, height: 64))
    for y in 0..<64 {
      for x in 0..<64 {
        let isInside = x < scaledWidth && y < scaledHeight
        #expect(box[x, y].red == (isInside ? 100 : 0), "\(x), \(y)")
      }
    }
  }

  /// Cell level and index, the image's size, and the face's center and side.
  @Test(
    arguments: [
      (0, 9, 64, 64, 12, 12, 28), (1, 5, 64, 64, 24, 24, 64), (2, 3, 64, 64, 48, 48, 150),
      (0, 9, 640, 480, 120, 120, 280), (0, 9, 32, 16, 6, 6, 14),
    ] as [(Int, Int, Int, Int, Float, Float, Float)])
  func facesAreInPixelsOfTheImage(
    _ level: Int, _ index: Int, _ width: Int, _ height: Int, _ x: Float, _ y: Float, _ side: Float
  ) throws {
    let file = ModelFile(FaceFile.detector([.init(level: level, index: index, logit: 2)]).bytes)
    let locator = try FaceLocator(
      file, .init(isAccurate: false), options: .init(), lock: .none)
    let faces = try locator.faces(in: gray(width, height))
    #expect(faces.count == 1)
    let face = try #require(faces.first)
    #expect((face.frame.center.x - x).magnitude < 1e-3)
    #expect((face.frame.center.y - y).magnitude < 1e-3)
    #expect((face.frame.width - side).magnitude < 1e-3)
    #expect((face.keyPoints.mouth.y - y - 0.25 * side).magnitude < 1e-3)
  }

  @Test func mostProminentFaceComesFirst() throws {
    let cells = [FaceFile.Cell(level: 0, index: 0, logit: 9), .init(level: 0, index: 36, logit: 2)]
    let file = ModelFile(FaceFile.detector(cells).bytes)
    let locator = try FaceLocator(
      file, .init(isAccurate: false), options: .init(), lock: .none)
    let faces = try locator.faces(in: gray(64, 64))
    #expect(faces.map { $0.frame.center } == [Point(x: 36, y: 36), Point(x: 4, y: 4)])
  }

  /// The image's side, then the side of its parts and the positions where they begin.
  @Test(arguments: [(100, [60, 0, 40]), (64, [38, 0, 26]), (2, [1, 0, 1]), (1, []), (0, [])])
  func partsLieInTheCorners(_ side: Int, _ expected: [Int]) {
    let parts = ImageSize(width: side, height: side).overlappingParts
    #expect(parts.count == (expected.isEmpty ? 0 : 4))
    guard let size = expected.first else { return }
    let (first, last) = (expected[1], expected[2])
    #expect(parts.map(\.x) == [first, last, first, last])
    #expect(parts.map(\.y) == [first, first, last, last])
    #expect(parts.allSatisfy { $0.width == size && $0.height == size })
  }

  /// The right one of two overlapping parts, in an image of 100 x 50.
  @Test(
    arguments: [
      (41, 10, false), (42, 10, true), (80, 10, true), (95, 10, true), (60, -3, true),
      (60, 18, true),
      (60, 19, false),
    ] as [(Float, Float, Bool)])
  func dropsFacesCutByInnerEdges(_ x: Float, _ y: Float, _ isHeld: Bool) {
    let part = PixelRectangle(x: 40, y: 0, width: 60, height: 30)
    let box = Box(x: x, y: y, width: 10, height: 10)
    #expect(part.holds(box, of: ImageSize(width: 100, height: 50)) == isHeld)
  }

  /// A cell in the middle of the input, for the whole image and for each part; the centers differ.
  @Test func detectsInPartsAsInTheImage() throws {
    let cell = FaceFile.Cell(level: 0, index: 36, logit: 2)
    let file = ModelFile(FaceFile.detector([cell]).bytes)
    func centers(_ isAccurate: Bool) throws -> Set<Point> {
      let locator = try FaceLocator(
        file, .init(isAccurate: isAccurate), options: .init(), lock: .none)
      return Set(try locator.faces(in: gray(640, 640)).map(\.frame.center))
    }
    #expect(try centers(false) == [Point(x: 360, y: 360)])
    let parts = [216, 472].flatMap { y in [216, 472].map { x in Point(x: x, y: y) } }
    #expect(try centers(true) == Set(parts + [Point(x: 360, y: 360)]))
  }

  /// The network finds the same face in every input, so a rotated pass would add three more.
  @Test(arguments: [(2, 1), (0.5, 1), (-0.5, 0)] as [(Float, Int)])
  func rotatesOnlyImagesWithoutFaces(_ logit: Float, _ count: Int) throws {
    let cell = FaceFile.Cell(level: 0, index: 36, logit: logit)
    let locator = try FaceLocator(
      ModelFile(FaceFile.detector([cell]).bytes), .init(isAccurate: false), options: .init(),
      lock: .none)
    let faces = try locator.faces(in: gray(64, 64))
    #expect(faces.map(\.frame.center) == [Point](repeating: Point(x: 36, y: 36), count: count))
  }

  /// The lock guards each run of the network, so its calls count the runs. The logistic values of
  /// 1.38 and 1.4 are 0.799 and 0.802.
  @Test(arguments: [(1.38, 2), (1.4, 1)] as [(Float, Int)])
  func facesThatScoreLowAreComparedUpsideDown(_ logit: Float, _ runs: Int) throws {
    let calls = Calls()
    let locator = try FaceLocator(
      ModelFile(FaceFile.detector([.init(level: 0, index: 36, logit: logit)]).bytes),
      .init(isAccurate: false), options: .init(),
      lock: Lock { body in
        calls.add()
        body()
      })
    func count(_ detectsRotated: Bool) throws -> Int {
      _ = try locator.faces(in: gray(64, 64), detectsRotated: detectsRotated)
      return calls.takeCount()
    }
    let once = try count(false)
    #expect(try once > 0 && count(true) == runs * once)
  }

  /// A face of 28 pixels or of 10 in an input of 64, whose logistic values are 0.269, 0.5 and 0.018. The lock guards each
  /// run of the network, so its calls count the runs.
  @Test(
    arguments: [
      (-1, -1, 0, false, 2), (-1, 0, 0, false, 1), (0, -1, 0, false, 1), (-4, -1, 0, false, 1),
      (-1, -1, 0.5, false, 1), (-1, -1, 0, true, 1),
    ] as [(Float, Float, Float, Bool, Int)])
  func enlargesSmallFacesThatScoreLow(
    _ logit: Float, _ logarithm: Float, _ minimumSize: Float, _ isTracking: Bool, _ runs: Int
  ) throws {
    func count(_ cells: [FaceFile.Cell]) throws -> Int {
      let calls = Calls()
      var configuration = FaceConfiguration(isAccurate: false)
      configuration.minimumSize = minimumSize
      let locator = try FaceLocator(
        ModelFile(FaceFile.detector(cells).bytes), configuration, options: .init(),
        lock: Lock { body in
          calls.add()
          body()
        })
      _ = try locator.faces(
        in: gray(64, 64), detectsRotated: false, tracking: isTracking ? [] : nil)
      return calls.takeCount()
    }
    let once = try count([])
    let cell = FaceFile.Cell(level: 0, index: 9, logit: logit, logarithm: logarithm)
    #expect(try once > 0 && count([cell]) == runs * once)
  }

  @Test func rejectsOddOutputCount() {
    let file = ModelFile(FaceFile.mesh().bytes)
    #expect(throws: VisionError.unsuitable(.outputCount(found: 3, needed: 2))) {
      try FaceLocator(file, .init(), options: .init(), lock: .none)
    }
  }

  /// Levels with cells of 64 or 21 pixels, or whose two outputs have different cell counts.
  @Test(
    arguments: [
      ([1, 1, 1, 1], 1, 16), ([1, 3, 3, 1], 9, 144), ([1, 8, 8, 1], 64, 16), ([1, 64], 64, 1024),
    ] as [([Int32], Int, Int)])
  func rejectsInvalidLevels(_ shape: [Int32], _ logits: Int, _ numbers: Int) throws {
    let levels = FaceFile(
      side: 64,
      outputs: [
        (shape, [Float](repeating: 0, count: logits)),
        ([1, Int32(numbers)], [Float](repeating: 0, count: numbers)),
      ])
    let locator = try FaceLocator(
      ModelFile(levels.bytes), .init(isAccurate: false), options: .init(), lock: .none)
    let found = Shape(shape.map { Int($0) })
    #expect(throws: VisionError.unsuitable(.faceLevel(found: found))) {
      try locator.faces(in: gray(64, 64))
    }
  }
}
