//===--- FaceLocator.swift - where faces are ------------------------------===//
//
// Picture ▶ letterbox ▶ grids ▶ faces ▶ prominence.
//
// The picture is scaled, both sides alike, until it fits the network's input, and lies at its top left; the
// rest is black. Outputs come in pairs, one for each level: logits [1, rows, columns, 1] and numbers
// [1, rows, columns, 16].
//
// Contract  Faces are in pixels of the picture and come by falling prominence. May run from any number of
//           tasks at once.
// Checked   Tests/MartletVisionTests/FaceLocatorTests.swift
//===----------------------------------------------------------------------===//

internal import MartletFaces

/// Finds faces.
final class FaceLocator: Sendable {
  private let model: ImageModel
  private let parameters: FaceMergeParameters

  /// A locator of faces that have at least this score.
  init(
    _ file: ModelFile, leastScore: Float, options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    var parameters = FaceMergeParameters()
    parameters.leastScore = leastScore
    self.parameters = parameters
    model = try ImageModel(file, options: options, lock: lock)
    guard !model.outputs.isEmpty, model.outputs.count.isMultiple(of: 2) else {
      throw .unsuitable(.outputCount(found: model.outputs.count, needed: 2))
    }
    for output in model.outputs { try ImageModel.checkReal(output) }
  }

  /// All faces in `image`.
  func faces(in image: RGBImage) throws(VisionError) -> [DetectedFace] {
    let (input, scale) = try image.letterboxed(in: model.inputSize)
    let outputs = try model.run(on: input)
    var grids: [FaceGrid] = []
    for index in stride(from: 0, to: outputs.count, by: 2) {
      grids.append(try grid(outputs[index], outputs[index + 1]))
    }
    return grids.faces(scale: scale, parameters: parameters).byProminence(in: image.size)
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

extension RGBImage {
  /// The picture as large as fits, at the top left of a black one of this size, and the pixels of the picture to
  /// one of those.
  func letterboxed(in size: ImageSize) throws(VisionError) -> (RGBImage, scale: Float) {
    let scale = min(
      Double(size.width) / Double(width), Double(size.height) / Double(height))
    func scaled(_ side: Int, _ limit: Int) -> Int {
      min(max(Int((Double(side) * scale).rounded(.toNearestOrEven)), 1), limit)
    }
    let fitted = ImageSize(
      width: scaled(width, size.width), height: scaled(height, size.height))
    do throws(ImageError) {
      let small = try resized(to: fitted, method: scale < 1 ? .area : .bilinear)
      let right = [UInt8](repeating: 0, count: 3 * (size.width - fitted.width))
      let below = 3 * size.width * (size.height - fitted.height)
      var pixels: [UInt8] = []
      pixels.reserveCapacity(3 * size.width * size.height)
      for row in 0..<fitted.height {
        pixels += small.pixels[(3 * fitted.width * row)..<(3 * fitted.width * (row + 1))]
        pixels += right
      }
      pixels += [UInt8](repeating: 0, count: below)
      let image = try RGBImage(width: size.width, height: size.height, pixels: pixels)
      return (image, Float(1 / scale))
    } catch { throw .image(error) }
  }
}
