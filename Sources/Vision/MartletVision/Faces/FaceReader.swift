//===--- FaceReader.swift - what a face's crop shows ----------------------===//
//
// Crop ▶ mesh ▶ crops of eyes and mouth ▶ probabilities.
//
// Contract  May run from any number of tasks at once.
// Cost      A network for the mesh, one for each eye, one for the mouth.
//===----------------------------------------------------------------------===//

import MartletBase

/// Tells the points of a face, and its expression.
final class FaceReader: Sendable {
  /// The mesh network is as sure as this that there is a face where there is one.
  private static let minimumPresence: Float = 0.5

  /// A network and which of its outputs are read.
  private struct Mesh: Sendable {
    let model: ImageModel
    let offsets, depths, presence: Int
  }

  private struct Probability: Sendable {
    let model: ImageModel
    let output: Int

    init(_ file: ModelFile, options: Interpreter.Options, lock: Lock) throws(VisionError) {
      model = try ImageModel(file, options: options, lock: lock)
      output = try model.output(ofCount: 1)
    }
  }

  private let mesh: Mesh
  private let eyes, smile: Probability?

  /// A reader of meshes, and of expressions where they are requested.
  init(
    _ models: FaceModels, expressions: Bool, options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    let model = try ImageModel(models.mesh, options: options, lock: lock)
    mesh = Mesh(
      model: model, offsets: try model.output(ofCount: 2 * FaceMesh.pointCount),
      depths: try model.output(ofCount: FaceMesh.pointCount),
      presence: try model.output(ofCount: 1))
    eyes = expressions ? try Probability(models.eyes, options: options, lock: lock) : nil
    smile = expressions ? try Probability(models.smile, options: options, lock: lock) : nil
  }

  /// Frees the arenas that no run uses.
  func trim() {
    for model in [mesh.model, eyes?.model, smile?.model] { model?.trim() }
  }

  /// The mesh in a crop of `image`, or `nil` if there is no face in it.
  func mesh(in crop: FaceCrop, of image: RGBImage) throws(VisionError) -> FaceMesh? {
    let results = try mesh.model.run(on: try pixels(of: crop, in: image, for: mesh.model))
    let logit = results[mesh.presence].elements.first ?? 0
    guard VectorMath.logistic(logit) >= FaceReader.minimumPresence else { return nil }
    return FaceMesh(
      offsets: results[mesh.offsets].elements, depths: results[mesh.depths].elements, in: crop)
  }

  /// Tells of a face with a mesh whether it smiles, and whether its eyes are open, as far as they are seen.
  func readExpression(
    of face: inout DetectedFace, in crop: FaceCrop, of image: RGBImage
  ) throws(VisionError) {
    guard let eyes, let smile, let mesh = face.mesh else { return }
    if face.landmark(.leftEye) != nil {
      face.leftEyeOpen = try estimate(eyes, crop.leftEye(of: mesh), image)
    }
    if face.landmark(.rightEye) != nil {
      face.rightEyeOpen = try estimate(eyes, crop.rightEye(of: mesh), image, isMirrored: true)
    }
    if face.landmark(.mouthBottom) != nil {
      face.smile = try estimate(smile, crop.smile(of: mesh), image)
    }
  }

  private func estimate(
    _ network: Probability, _ crop: FaceCrop, _ image: RGBImage, isMirrored: Bool = false
  ) throws(VisionError) -> Float? {
    let seen = try pixels(of: crop, in: image, for: network.model, isMirrored: isMirrored)
    let results = try network.model.run(on: seen)
    return results[network.output].elements.first.map { min(max($0, 0), 1) }
  }

  private func pixels(
    of crop: FaceCrop, in image: RGBImage, for model: ImageModel, isMirrored: Bool = false
  ) throws(VisionError) -> RGBImage {
    do throws(ImageError) {
      return try crop.pixels(of: image, size: model.inputSize.width, isMirrored: isMirrored)
    } catch { throw .image(error) }
  }
}
