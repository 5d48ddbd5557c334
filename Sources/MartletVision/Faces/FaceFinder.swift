//===--- FaceFinder.swift - pixels in, faces out --------------------------===//
//
// The detector finds boxes and key points; where more is requested, each face's crop is processed.
//
// Contract  Faces come by decreasing salience. The same image and networks give the same faces, at every
//           number of workers. May be used from any number of tasks at once where the lock is one.
// Cost      Networks that nobody asks for do not run, and are not even prepared.
// Checked   Tests/MartletVisionTests/FaceFinderTests.swift
//===----------------------------------------------------------------------===//

package import MartletFaces

/// Finds faces in upright images.
package final class FaceFinder: Sendable {
  let locator: FaceLocator
  private let reader: FaceReader?
  /// What is found of which faces.
  package let parts: FaceParts

  /// A finder with these networks.
  ///
  /// - Throws: `VisionError` if a network that is requested cannot be prepared.
  package init(
    _ models: FaceModels, parts: FaceParts, options: Interpreter.Options = .init(),
    lock: Lock = .automatic()
  ) throws(VisionError) {
    self.parts = parts
    locator = try FaceLocator(
      models.detector, leastScore: parts.leastScore, looksAtParts: parts.findsSmallFaces,
      options: options, lock: lock)
    reader =
      parts.needsMesh
      ? try FaceReader(models, expressions: parts.expressions, options: options, lock: lock) : nil
  }

  /// The faces in an upright image, by decreasing salience; none is no error.
  package func faces(in image: RGBImage) throws(VisionError) -> [DetectedFace] {
    var faces = parts.given(try locator.faces(in: image), imageWidth: image.width)
    for index in faces.indices { try meet(&faces[index], in: image) }
    return faces
  }

  /// Finds what is requested of a face that the detector has found. To be accurate, it looks twice: a crop around
  /// the first look's mesh is better than one around the detector's box.
  func meet(_ face: inout DetectedFace, in image: RGBImage) throws(VisionError) {
    let crop = FaceCrop(around: face)
    guard parts.isAccurate, let mesh = try reader?.mesh(in: crop, of: image) else {
      return try look(at: &face, in: crop, of: image)
    }
    try look(at: &face, in: FaceCrop(around: mesh), of: image)
  }

  /// Finds what is requested of a face, in its crop. A face in whose crop the mesh network sees none has
  /// what the detector told.
  func look(
    at face: inout DetectedFace, in crop: FaceCrop, of image: RGBImage
  ) throws(VisionError) {
    let mesh = try reader?.mesh(in: crop, of: image)
    if let mesh { face.take(mesh) } else { face.mesh = nil }
    face.measureAngles()
    try reader?.readExpression(of: &face, in: crop, of: image)
  }
}
