//===--- FaceModels.swift - the networks that look at faces ---------------===//

import MartletWeights

/// The files of the networks that look at faces.
package struct FaceModels: Sendable {
  /// Finds faces in an image, with six key points each.
  package let detector: ModelFile
  /// Tells the 468 points of the face in a crop.
  package let mesh: ModelFile
  /// Tells how likely a left eye is open.
  package let eyes: ModelFile
  /// Tells how likely a face smiles.
  package let smile: ModelFile

  package init(detector: ModelFile, mesh: ModelFile, eyes: ModelFile, smile: ModelFile) {
    self.detector = detector
    self.mesh = mesh
    self.eyes = eyes
    self.smile = smile
  }

  /// The networks that come with Martlet; to be accurate, faces are searched for in a larger input.
  ///
  /// - Throws: `VisionError.notIncluded` without the package's trait `Faces`.
  package static func shipped(isAccurate: Bool) throws(VisionError) -> FaceModels {
    func file(_ model: ShippedModel) throws(VisionError) -> ModelFile {
      ModelFile(try model.bytes(of: "Faces"))
    }
    return FaceModels(
      detector: try file(isAccurate ? .faceDetectorAccurate : .faceDetectorFast),
      mesh: try file(.faceMesh), eyes: try file(.faceEyes), smile: try file(.faceSmile))
  }
}

extension ImageModel {
  /// The network in a file.
  convenience init(
    _ file: ModelFile, options: Interpreter.Options, lock: Lock
  ) throws(VisionError) {
    try self.init(
      bytes: file.bytes, normalization: file.normalization, options: options, lock: lock)
  }

  /// The output of `count` numbers, of which there has to be one.
  func output(ofCount count: Int) throws(VisionError) -> Int {
    guard let index = outputs.firstIndex(where: { $0.shape.elementCount == count }) else {
      throw .unsuitable(.faceOutput(count: count))
    }
    try ImageModel.checkReal(outputs[index])
    return index
  }

  /// The network's outputs for an image of its input size.
  func run(on input: RGBImage) throws(VisionError) -> [Output] {
    let whole = Box(x: 0, y: 0, width: Float(input.width), height: Float(input.height))
    return try run(on: input.exposed(), in: whole, outputs: outputs.indices)
  }
}
