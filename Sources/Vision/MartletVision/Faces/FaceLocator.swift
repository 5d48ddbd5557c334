//===--- FaceLocator.swift - where faces are ------------------------------===//
//
// Image ▶ letterbox ▶ grids ▶ candidates ▶ faces ▶ salience.
//
// The image is scaled to fit the network's input, keeping its aspect ratio, and placed at the top left; the
// rest is black. The input is square, wide or high (`FaceInputSizes`). Outputs come in pairs, one for each
// level: logits [1, rows, columns, 1] and numbers [1, rows, columns, 16].
//
// A small face scores low, whether it is one or not. So the network also runs on the surroundings of small
// faces with low scores, all enlarged in one input (`FaceTiles`). For the smallest faces it
// runs on four overlapping parts of the image before.
//
// The network detects faces that are rotated by up to about 45 degrees. If no face is found in a single
// image, it also runs on the image rotated by 90, 270 and 180 degrees. It detects most upside-down faces
// too, but with lower scores and the key points of an upright face. If no face scores high, it also runs on
// the image rotated by 180 degrees, and faces that score more there take their box and points from it.
//
// The default lowest score decides whether the image is rotated and faces are enlarged, and a higher one
// drops faces last. So a higher lowest score never gives more faces.
//
// Contract  Faces are in pixels of the image, sorted by decreasing salience. Can be used from any number of
//           tasks at once.
// Cost      One run of the network; five with the parts; one more if a small face scores 0.05 to 0.4. In a
//           single image three more if no face scores 0.4, and one more if all faces score below 0.8. Rotated
//           runs do not scale the image again. Prepares the network for each shape at its first image.
//===----------------------------------------------------------------------===//

/// Detects faces.
final class FaceLocator: Sendable {
  /// The factor for scores in further passes, in which more things look like faces. Chosen on the
  /// validation split and on scenes without people (`Weights/Training/README.md`).
  private static let furtherWeight: Float = 0.5

  /// The score from which a small face is enlarged. Chosen as the factor.
  private static let leastScore: Float = 0.05

  /// The score from which a face counts as upright: most upright faces reach it; of 60 upside-down ones of
  /// HELEN and AFW one does in fast mode, five in accurate mode.
  private static let uprightScore: Float = 0.8

  private let models: ImageModels
  private let inputSizes: FaceInputSizes
  private let configuration: FaceConfiguration
  /// The lowest score in the results of a pass.
  private let minimumScore: Float

  /// A locator of faces for this configuration.
  init(
    _ file: ModelFile, _ configuration: FaceConfiguration, options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    self.configuration = configuration
    minimumScore = min(configuration.minimumScore, FaceConfiguration.defaultMinimumScore)
    let model = try ImageModel(file, options: options, lock: lock)
    guard !model.outputs.isEmpty, model.outputs.count.isMultiple(of: 2) else {
      throw .unsuitable(.outputCount(found: model.outputs.count, needed: 2))
    }
    for output in model.outputs { try ImageModel.checkReal(output) }
    inputSizes = FaceInputSizes(model.inputSize)
    models = ImageModels(model, lock: lock) { size throws(VisionError) in
      try ImageModel(
        bytes: file.bytes, normalization: file.normalization, size: size, options: options,
        lock: lock)
    }
  }

  /// Frees the arenas that no run uses.
  func trim() { models.trim() }

  /// All faces in `image`.
  ///
  /// - Parameters:
  ///   - detectsRotated: Whether the rotated image is searched too if no face, or only faces with low scores
  ///     are found.
  ///   - known: The faces of the previous frame. If given, small faces are not enlarged; one that scores low
  ///     where a face is known keeps the known score.
  func faces(
    in image: RGBImage, detectsRotated: Bool = true, tracking known: [DetectedFace]? = nil
  ) throws(VisionError) -> [DetectedFace] {
    try detectedFaces(in: image, detectsRotated: detectsRotated, tracking: known)
      .filter { $0.score >= configuration.minimumScore }.byProminence(in: image.size)
  }

  /// The faces from the default lowest score on, or from a lower one.
  private func detectedFaces(
    in image: RGBImage, detectsRotated: Bool, tracking known: [DetectedFace]?
  ) throws(VisionError) -> [DetectedFace] {
    let whole = try input(image.size.whole, of: image)
    var candidates = try detect(in: whole, weight: 1)
    if configuration.findsSmallFaces {
      for part in image.size.overlappingParts {
        candidates += try detect(
          in: input(part, of: image), weight: FaceLocator.furtherWeight)
      }
    }
    if let known { return candidates.faces(from: minimumScore, tracking: known) }
    candidates += try enlarged(candidates.faces(), in: image, scale: whole.scale)
    candidates.removeAll { $0.score < minimumScore }
    let isRotatable = detectsRotated && inputSizes.isRotatable
    let weight = FaceLocator.furtherWeight
    if isRotatable,
      candidates.allSatisfy({ $0.score < FaceConfiguration.defaultMinimumScore })
    {
      for turn in [ImageOrientation.right, .left, .down] {
        candidates += try detect(in: whole, turned: turn, weight: weight)
      }
      candidates.removeAll { $0.score < minimumScore }
      return candidates.faces()
    }
    var faces = candidates.faces()
    if isRotatable, faces.allSatisfy({ $0.score < FaceLocator.uprightScore }) {
      let turned = try detect(in: whole, turned: .down, weight: weight)
        .filter { $0.score >= minimumScore }.faces()
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
    let (pixels, scale) = try image.letterboxed(part, in: inputSizes.size(for: part))
    return Input(part: part, imageSize: image.size, pixels: pixels.exposed(), scale: scale)
  }

  /// The candidates in `input`, in pixels of the image. The input is rotated as if it were stored in the
  /// orientation `turn`.
  private func detect(
    in input: Input, turned turn: ImageOrientation = .up, weight: Float
  ) throws(VisionError) -> [FaceCandidate] {
    let (part, scale) = (input.part, input.scale)
    return try candidates(in: input.pixels.upright(from: turn), weight: weight) { point in
      let stored = turn.stored(point, storedSize: input.pixels.size)
      return Point(x: stored.x * scale + Float(part.x), y: stored.y * scale + Float(part.y))
    }.filter { part.holds($0.box, of: input.imageSize) }
  }

  /// The candidates in the enlarged surroundings of those of the `faces` that are small and score low. `scale`:
  /// pixels of the image per pixel of the input in which the faces were found.
  private func enlarged(
    _ faces: [DetectedFace], in image: RGBImage, scale: Float
  ) throws(VisionError) -> [FaceCandidate] {
    let least = configuration.minimumSize * Float(image.width)
    let small = faces.filter {
      $0.score < FaceConfiguration.defaultMinimumScore && $0.frame.width >= least
    }
    guard !small.isEmpty else { return [] }
    var tiles = try FaceTiles(of: image, in: inputSizes.size(for: image.size.whole))
    for face in small { try tiles.add(face.frame, scale: scale) }
    guard !tiles.isEmpty else { return [] }
    return tiles.faces(
      try candidates(in: tiles.pixels.exposed(), weight: FaceLocator.furtherWeight) { $0 })
  }

  /// The candidates in an input of the network that score enough to be enlarged.
  private func candidates(
    in pixels: RGBImage, weight: Float, transform: (Point) -> Point
  ) throws(VisionError) -> [FaceCandidate] {
    let model = try models.model(for: pixels.size)
    let outputs = try model.run(on: pixels, outputs: model.outputs.indices)
    var candidates: [FaceCandidate] = []
    for index in stride(from: 0, to: outputs.count, by: 2) {
      let grid = try grid(outputs[index], outputs[index + 1], inputWidth: pixels.width)
      candidates += grid.candidates(
        minimumScore: min(minimumScore, FaceLocator.leastScore), weight: weight,
        transform: transform)
    }
    return candidates
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
    _ logits: ImageModel.Output, _ numbers: ImageModel.Output, inputWidth: Int
  ) throws(VisionError) -> FaceGrid {
    let shape = logits.shape
    guard shape.rank == 4, shape[2] > 0,
      let size = FaceLocator.faceSize(ofStride: inputWidth / shape[2]),
      let grid = FaceGrid(
        columns: shape[2], rows: shape[1], stride: Float(inputWidth / shape[2]),
        faceSize: size, logits: logits.elements, numbers: numbers.elements)
    else { throw .unsuitable(.faceLevel(found: shape)) }
    return grid
  }
}

extension ImageSize {
  /// All pixels.
  var whole: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

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
    var canvas = try RGBImage.black(size)
    let scale = try canvas.draw(part, of: self, in: size.whole)
    return (canvas, scale)
  }

  /// A black image.
  static func black(_ size: ImageSize) throws(VisionError) -> RGBImage {
    do throws(ImageError) {
      return try RGBImage(
        width: size.width, height: size.height, filledWith: .init(red: 0, green: 0, blue: 0))
    } catch { throw .image(error) }
  }

  /// Draws a part of `image`, scaled to fit, at the top left of `place`, which must lie in this image. Returns
  /// pixels of `image` per drawn pixel.
  mutating func draw(
    _ part: PixelRectangle, of image: RGBImage, in place: PixelRectangle
  ) throws(VisionError) -> Float {
    let scale = min(
      Double(place.width) / Double(part.width), Double(place.height) / Double(part.height))
    func scaled(_ side: Int, _ limit: Int) -> Int {
      min(max(Int((Double(side) * scale).rounded(.toNearestOrEven)), 1), limit)
    }
    let fitted = ImageSize(
      width: scaled(part.width, place.width), height: scaled(part.height, place.height))
    let small: RGBImage
    do throws(ImageError) {
      small = try image.resized(
        from: part.box, to: fitted, method: scale < 1 ? .area : .bilinear)
    } catch { throw .image(error) }
    let (rowBytes, fittedBytes) = (3 * width, 3 * fitted.width)
    let start = rowBytes * place.y + 3 * place.x
    // `small` has the fitted size, which is at most that of `place`.
    withUnsafeMutablePixels { target in
      small.withUnsafePixels { small in
        guard let target = target.baseAddress, let source = small.baseAddress else { return }
        for row in 0..<fitted.height {
          unsafe (target + start + rowBytes * row)
            .update(from: source + fittedBytes * row, count: fittedBytes)
        }
      }
    }
    return Float(1 / scale)
  }
}
