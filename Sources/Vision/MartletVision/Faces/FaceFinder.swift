//===--- FaceFinder.swift - pixels in, faces out --------------------------===//
//
// The detector returns boxes and key points; meshes and expressions come from a crop of each face.
//
// Contract  Faces are sorted by decreasing salience; those in which the mesh network finds no face come
//           last. The same image and networks give the same faces, for
//           every number of workers. Can be used from any number of tasks at once, unless its lock is
//           `none`.
// Cost      Only the networks that the parts need are prepared and run.
//===----------------------------------------------------------------------===//

/// Detects faces in upright images.
package final class FaceFinder: Sendable {
  let locator: FaceLocator
  private let reader: FaceReader?
  /// What the finder does, after ML Kit's rules.
  let configuration: FaceConfiguration

  /// A finder; `models` replace the shipped networks.
  ///
  /// - Throws: `VisionError` if a network that is requested cannot be prepared.
  package init(
    _ configuration: FaceConfiguration = .init(), models: FaceModels? = nil,
    execution: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    var configuration = configuration.applyingMLKitRules
    configuration.limit = max(configuration.limit, 1)
    let models =
      if let models { models } else { try FaceModels.shipped(isAccurate: configuration.isAccurate) }
    self.configuration = configuration
    locator = try FaceLocator(
      models.detector, configuration, options: execution, lock: lock)
    reader =
      configuration.needsMesh
      ? try FaceReader(
        models, expressions: configuration.expressions, options: execution, lock: lock) : nil
  }

  /// Frees the memory that no run of the networks uses; the next run allocates it again.
  package func trim() {
    locator.trim()
    reader?.trim()
  }

  /// Whether meshes are read.
  var readsMeshes: Bool { reader != nil }

  /// Whether meshes are read and the network found no face in this one's crop.
  func isRefused(_ face: DetectedFace) -> Bool { readsMeshes && face.mesh == nil }

  /// The faces in an upright image, sorted by decreasing salience; empty if none is detected. Faces that
  /// the mesh network refuses come last.
  package func faces(in image: RGBImage) throws(VisionError) -> [DetectedFace] {
    var faces: [DetectedFace] = []
    var count = 0
    for var face in configuration.wideEnough(try locator.faces(in: image), imageWidth: image.width)
    where count < configuration.limit {
      try update(&face, in: image)
      faces.append(face)
      if !isRefused(face) { count += 1 }
    }
    return Array(faces.withMeshesFirst().prefix(configuration.limit))
  }

  /// The faces in an image with their requested parts, in pixels of the full image.
  package func results(in image: DetectionImage) throws(VisionError) -> [FaceResult] {
    configuration.reported(of: image.full(try faces(in: image.pixels)))
  }

  /// Detects the parts of a face. In accurate mode the mesh network runs twice: a crop around the first mesh
  /// is better than one around the detector's box.
  func update(_ face: inout DetectedFace, in image: RGBImage) throws(VisionError) {
    let crop = FaceCrop(around: face)
    guard configuration.isAccurate, let mesh = try reader?.mesh(in: crop, of: image) else {
      return try readMesh(of: &face, in: crop, of: image)
    }
    try readMesh(of: &face, in: FaceCrop(around: mesh), of: image)
  }

  /// Detects the parts of a face in its crop. If the mesh network finds no face there, the values of the
  /// detector stay.
  func readMesh(
    of face: inout DetectedFace, in crop: FaceCrop, of image: RGBImage
  ) throws(VisionError) {
    let mesh = try reader?.mesh(in: crop, of: image)
    if let mesh { face.take(mesh) } else { face.mesh = nil }
    face.measureAngles()
    try reader?.readExpression(of: &face, in: crop, of: image)
  }
}
