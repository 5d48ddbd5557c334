//===--- FaceFinder.swift - pixels in, faces out --------------------------===//
//
// The detector returns boxes and key points; meshes and expressions come from a crop of each face.
//
// Contract  Faces are sorted by decreasing salience. The same image and networks give the same faces, for
//           every number of workers. Can be used from any number of tasks at once, unless its lock is
//           `none`.
// Cost      Only the networks that the parts need are prepared and run.
// Checked   Tests/MartletVisionTests/FaceFinderTests.swift
//===----------------------------------------------------------------------===//

package import MartletFaces

/// Detects faces in upright images.
package final class FaceFinder: Sendable {
  let locator: FaceLocator
  private let reader: FaceReader?
  /// The parts to detect.
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

  /// The faces in an upright image, sorted by decreasing salience; empty if none is detected.
  package func faces(in image: RGBImage) throws(VisionError) -> [DetectedFace] {
    var faces = parts.given(try locator.faces(in: image), imageWidth: image.width)
    for index in faces.indices { try meet(&faces[index], in: image) }
    return faces
  }

  /// Detects the parts of a face. In accurate mode the mesh network runs twice: a crop around the first mesh
  /// is better than one around the detector's box.
  func meet(_ face: inout DetectedFace, in image: RGBImage) throws(VisionError) {
    let crop = FaceCrop(around: face)
    guard parts.isAccurate, let mesh = try reader?.mesh(in: crop, of: image) else {
      return try look(at: &face, in: crop, of: image)
    }
    try look(at: &face, in: FaceCrop(around: mesh), of: image)
  }

  /// Detects the parts of a face in its crop. If the mesh network finds no face there, the values of the
  /// detector stay.
  func look(
    at face: inout DetectedFace, in crop: FaceCrop, of image: RGBImage
  ) throws(VisionError) {
    let mesh = try reader?.mesh(in: crop, of: image)
    if let mesh { face.take(mesh) } else { face.mesh = nil }
    face.measureAngles()
    try reader?.readExpression(of: &face, in: crop, of: image)
  }
}
