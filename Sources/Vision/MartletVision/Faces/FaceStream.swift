//===--- FaceStream.swift - faces in a video or before a camera -----------===//
//
// A face with a mesh is tracked by its crop around the mesh of the previous frame. The detector runs every
// few frames and when a face is lost; without meshes it runs in every frame. Every few frames small faces
// with low scores are enlarged; in between, a known one without a mesh is tracked at any score. While no
// face is tracked, the detector also searches the rotated image in every 15th frame, the first one included.
// This needs meshes: only they track a face that the detector does not find in the upright frame.
//
// Contract  Intervals count frames, not time: the same frames give the same faces, for every number of
//           workers. A frame of another size or orientation restarts the stream; identifiers count from 0
//           and are never reused.
//===----------------------------------------------------------------------===//

/// Tracks faces from frame to frame.
package final class FaceStream {
  /// How faces are tracked.
  package struct Options: Sendable, Hashable {
    /// The number of frames from one detection to the next, at least 1, if meshes are tracked; also from one
    /// enlargement of small faces to the next.
    package var detectionInterval = 5
    /// The number of frames from one search of the rotated frame to the next, at least 1, if meshes are
    /// tracked and there is no face: half a second at 30 frames per second.
    package var rotationInterval = 15
    /// The intersection over union from which two boxes are one face.
    package var overlap: Float = 0.3
    /// How faces are matched from frame to frame.
    package var tracks = FaceTracks.Parameters()

    package init() {}
  }

  private let finder: FaceFinder
  private let options: Options
  private var tracks: FaceTracks
  /// The faces of the previous frame, not smoothed.
  private var known: [DetectedFace] = []
  /// The number of frames since the stream started.
  private var frameCount = 0
  private var size: ImageSize?
  private var orientation = ImageOrientation.up

  /// A stream; `models` replace the shipped networks.
  ///
  /// - Throws: `VisionError` if a network that is requested cannot be prepared.
  package convenience init(
    _ configuration: FaceConfiguration = .init(), models: FaceModels? = nil,
    execution: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    self.init(
      try FaceFinder(configuration, models: models, execution: execution, lock: lock))
  }

  /// Frees the memory that no run of the networks uses.
  package func trim() { finder.trim() }

  /// A stream with the networks and the configuration of `finder`.
  package init(_ finder: FaceFinder) {
    self.finder = finder
    options = finder.configuration.stream
    tracks = FaceTracks(options.tracks)
  }

  /// Removes all faces; the next frame starts a new stream.
  package func reset() {
    tracks.reset()
    known = []
    frameCount = 0
    size = nil
  }

  /// The faces in the next frame, sorted by decreasing salience; empty if there are none.
  ///
  /// - Parameters:
  ///   - frame: An upright image.
  ///   - orientation: The orientation that `frame` was rotated from. A change restarts the stream.
  package func faces(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedFace] {
    if size != frame.size || self.orientation != orientation { reset() }
    (size, self.orientation) = (frame.size, orientation)
    defer { frameCount += 1 }
    var faces = try tracked(in: frame)
    let isDue = frameCount.isMultiple(of: max(options.detectionInterval, 1))
    if isDue || faces.isEmpty || faces.count < known.count {
      let detectsRotated =
        finder.readsMeshes && faces.isEmpty
        && frameCount.isMultiple(of: max(options.rotationInterval, 1))
      let detected = try finder.locator.faces(
        in: frame, detectsRotated: detectsRotated,
        tracking: isDue ? nil : known.filter { $0.mesh == nil })
      try join(detected, to: &faces, frame)
    }
    known = finder.configuration.filtered(
      faces.byProminence(in: frame.size).withMeshesFirst(), imageWidth: frame.width)
    return tracks.update(known).map { face in
      var face = face
      face.measureAngles()
      return face
    }
  }

  /// The faces in the next frame with their requested parts, in pixels of the full frame.
  package func results(
    in frame: DetectionImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [FaceResult] {
    finder.configuration.reported(
      of: frame.full(try faces(in: frame.pixels, orientation: orientation)))
  }

  /// The faces whose mesh was known and is found again. Of two that have merged the first stays.
  private func tracked(in frame: RGBImage) throws(VisionError) -> [DetectedFace] {
    var faces: [DetectedFace] = []
    for face in known {
      guard let mesh = face.mesh else { continue }
      var face = face
      try finder.readMesh(of: &face, in: FaceCrop(around: mesh), of: frame)
      if face.mesh != nil, isNew(face, among: faces) { faces.append(face) }
    }
    return faces
  }

  /// Adds detected faces that are not tracked; tracked ones take over the score.
  private func join(
    _ found: [DetectedFace], to faces: inout [DetectedFace], _ frame: RGBImage
  ) throws(VisionError) {
    let tracked = faces
    var count = 0
    for face in finder.configuration.wideEnough(found, imageWidth: frame.width)
    where count < finder.configuration.limit {
      if let index = tracked.firstIndex(where: { isOne($0, face) }) {
        faces[index].update(face)
        count += 1
      } else {
        var face = face
        try finder.update(&face, in: frame)
        if isNew(face, among: faces) { faces.append(face) }
        if !finder.isRefused(face) { count += 1 }
      }
    }
  }

  private func isOne(_ first: DetectedFace, _ second: DetectedFace) -> Bool {
    first.frame.intersectionOverUnion(with: second.frame) >= options.overlap
  }

  private func isNew(_ face: DetectedFace, among faces: [DetectedFace]) -> Bool {
    !faces.contains { isOne($0, face) }
  }
}
