//===--- FaceLocator.swift - where faces are ------------------------------===//
//
// Image ▶ letterbox ▶ grids ▶ candidates ▶ faces ▶ salience.
//
// The image is scaled to fit the network's input, keeping its aspect ratio, and placed at the top left; the
// rest is black. Outputs come in pairs, one for each level: logits [1, rows, columns, 1] and numbers
// [1, rows, columns, 16]. For small faces the network also runs on four overlapping parts of the image.
//
// The network detects faces that are rotated by up to about 45 degrees. If no face is found in a single
// image, it also runs on the image rotated by 90, 270 and 180 degrees. It detects most upside-down faces
// too, but with lower scores and the key points of an upright face. If no face scores high, it also runs on
// the image rotated by 180 degrees, and faces that score more there take their box and points from it.
//
// The default lowest score decides whether the image is rotated, and a higher one drops faces last. So a
// higher lowest score never gives more faces.
//
// Contract  Faces are in pixels of the image, sorted by decreasing salience. Can be used from any number of
//           tasks at once.
// Cost      One run of the network; five with the parts. In a single image three more if no face scores 0.4,
//           and one more if all faces score below 0.8. Rotated runs do not scale the image again.
//===----------------------------------------------------------------------===//

/// Detects faces.
final class FaceLocator: Sendable {
  /// The factor for scores in a part of the image, where more things look like faces. Chosen on the
  /// validation split and on scenes without people (`Weights/Training/README.md`).
  private static let partWeight: Float = 0.7

  /// The factor for scores in the rotated image. Chosen on 60 faces of HELEN and AFW and on scenes without
  /// people (`Weights/Training/README.md`).
  private static let rotationWeight: Float = 0.5

  /// The score from which a face counts as upright: most upright faces reach it; of 60 upside-down ones of
  /// HELEN and AFW one does in fast mode, five in accurate mode.
  private static let uprightScore: Float = 0.8

  private let model: ImageModel
  private let minimumScore: Float
  private let detectsInParts: Bool

  /// A locator for faces of at least this score, which also searches parts of the image if asked to.
  init(
    _ file: ModelFile, minimumScore: Float, detectsInParts: Bool, options: Interpreter.Options,
    lock: Lock
  ) throws(VisionError) {
    self.minimumScore = minimumScore
    self.detectsInParts = detectsInParts
    model = try ImageModel(file, options: options, lock: lock)
    guard !model.outputs.isEmpty, model.outputs.count.isMultiple(of: 2) else {
      throw .unsuitable(.outputCount(found: model.outputs.count, needed: 2))
    }
    for output in model.outputs { try ImageModel.checkReal(output) }
  }

  /// Frees the arenas that no run uses.
  func trim() { model.trim() }

  /// All faces in `image`. `detectsRotated`: whether the rotated image is searched too if no face, or only
  /// faces with low scores are found.
  func faces(
    in image: RGBImage, detectsRotated: Bool = true
  ) throws(VisionError) -> [DetectedFace] {
    try detectedFaces(in: image, detectsRotated: detectsRotated)
      .filter { $0.score >= minimumScore }.byProminence(in: image.size)
  }

  /// The faces from the default lowest score on, or from a lower one.
  private func detectedFaces(
    in image: RGBImage, detectsRotated: Bool
  ) throws(VisionError) -> [DetectedFace] {
    let whole = try input(
      PixelRectangle(x: 0, y: 0, width: image.width, height: image.height), of: image)
    var candidates = try detect(in: whole, weight: 1)
    if detectsInParts {
      for part in image.size.overlappingParts {
        candidates += try detect(in: input(part, of: image), weight: FaceLocator.partWeight)
      }
    }
    let isRotatable = detectsRotated && model.inputSize.width == model.inputSize.height
    if isRotatable,
      candidates.allSatisfy({ $0.score < FaceConfiguration.defaultMinimumScore })
    {
      for turn in [ImageOrientation.right, .left, .down] {
        candidates += try detect(in: whole, turned: turn, weight: FaceLocator.rotationWeight)
      }
      return candidates.faces()
    }
    var faces = candidates.faces()
    if isRotatable, faces.allSatisfy({ $0.score < FaceLocator.uprightScore }) {
      let weight = FaceLocator.rotationWeight
      let turned = try detect(in: whole, turned: .down, weight: weight).faces()
      faces = faces.map { $0.oriented(by: turned, weight: weight) }
    }
    return faces
  }

  /// A part of an image as input of the network, brightened if it is dark.
  private struct Input {
    let part: PixelRectangle
    let imageSize: ImageSize
    let pixels: RGBImage
    /// Pixels of the image per pixel of the input.
    let scale: Float
  }

  private func input(
    _ part: PixelRectangle, of image: RGBImage
  ) throws(VisionError) -> Input {
    let (pixels, scale) = try image.letterboxed(part, in: model.inputSize)
    return Input(part: part, imageSize: image.size, pixels: pixels.exposed(), scale: scale)
  }

  /// The candidates in `input`, in pixels of the image. The input is rotated as if it were stored in the
  /// orientation `turn`.
  private func detect(
    in input: Input, turned turn: ImageOrientation = .up, weight: Float
  ) throws(VisionError) -> [FaceCandidate] {
    let (part, scale) = (input.part, input.scale)
    let outputs = try model.run(
      on: input.pixels.upright(from: turn), outputs: model.outputs.indices)
    var candidates: [FaceCandidate] = []
    for index in stride(from: 0, to: outputs.count, by: 2) {
      let grid = try grid(outputs[index], outputs[index + 1])
      let least = min(minimumScore, FaceConfiguration.defaultMinimumScore)
      candidates += grid.candidates(minimumScore: least, weight: weight) { point in
        let stored = turn.stored(point, storedSize: input.pixels.size)
        return Point(x: stored.x * scale + Float(part.x), y: stored.y * scale + Float(part.y))
      }
    }
    return candidates.filter { part.holds($0.box, of: input.imageSize) }
  }

  /// The size of a face, in pixels of the input, to which the numbers of a level are relative.
  private static func faceSize(ofStride stride: Int) -> Float? {
    switch stride {
    case 8: 28
    case 16: 64
    case 32: 150
    default: nil
    }
  }

  private func grid(
    _ logits: ImageModel.Output, _ numbers: ImageModel.Output
  ) throws(VisionError) -> FaceGrid {
    let shape = logits.shape
    guard shape.rank == 4, shape[2] > 0,
      let size = FaceLocator.faceSize(ofStride: model.inputSize.width / shape[2]),
      let grid = FaceGrid(
        columns: shape[2], rows: shape[1], stride: Float(model.inputSize.width / shape[2]),
        faceSize: size, logits: logits.elements, numbers: numbers.elements)
    else { throw .unsuitable(.faceLevel(found: shape)) }
    return grid
  }
}

extension ImageSize {
  /// A rectangle in each corner, three fifths as wide and high as the image; none if it is too small.
  var overlappingParts: [PixelRectangle] {
    let part = ImageSize(width: 3 * width / 5, height: 3 * height / 5)
    guard part.width > 0, part.height > 0 else { return [] }
    return [0, height - part.height].flatMap { y in
      [0, width - part.width].map { x in
        PixelRectangle(x: x, y: y, width: part.width, height: part.height)
      }
    }
  }
}

extension PixelRectangle {
  /// The distance from an edge, in pixels, at which a box counts as cut.
  private static let border: Float = 2

  /// Whether a box is not cut by an inner edge of this part of the image.
  func holds(_ box: Box, of size: ImageSize) -> Bool {
    let (own, border) = (self.box, PixelRectangle.border)
    return (x == 0 || box.x >= own.x + border) && (y == 0 || box.y >= own.y + border)
      && (x + width == size.width || box.maxX <= own.maxX - border)
      && (y + height == size.height || box.maxY <= own.maxY - border)
  }
}

extension RGBImage {
  /// A part of the image, scaled to fit the top left of a black image of this size, and its scale.
  func letterboxed(
    _ part: PixelRectangle, in size: ImageSize
  ) throws(VisionError) -> (RGBImage, scale: Float) {
    let scale = min(
      Double(size.width) / Double(part.width), Double(size.height) / Double(part.height))
    func scaled(_ side: Int, _ limit: Int) -> Int {
      min(max(Int((Double(side) * scale).rounded(.toNearestOrEven)), 1), limit)
    }
    let fitted = ImageSize(
      width: scaled(part.width, size.width), height: scaled(part.height, size.height))
    let small: RGBImage
    do throws(ImageError) {
      try size.validate()
      small = try resized(from: part.box, to: fitted, method: scale < 1 ? .area : .bilinear)
    } catch { throw .image(error) }
    let (rowBytes, fittedBytes) = (3 * size.width, 3 * fitted.width)
    // `small` has the fitted size, which is at most `size`.
    let image = small.withUnsafePixels { small in
      unsafe RGBImage(checkedSize: size) { pixels in
        guard let base = small.baseAddress else { return }
        for row in 0..<fitted.height {
          let target = unsafe pixels + rowBytes * row
          unsafe target.update(from: base + fittedBytes * row, count: fittedBytes)
          unsafe (target + fittedBytes).update(repeating: 0, count: rowBytes - fittedBytes)
        }
        unsafe (pixels + rowBytes * fitted.height).update(
          repeating: 0, count: rowBytes * (size.height - fitted.height))
      }
    }
    return (image, Float(1 / scale))
  }
}
