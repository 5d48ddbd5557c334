//===--- FaceStream.swift - faces in a video or before a camera -----------===//
//
// A face whose mesh is known is searched for where it was: its crop is taken around the mesh of the frame
// before. The detector runs every few frames, and where a face is lost; without meshes, in every frame.
//
// Contract  Frames are counted, no clock is read: the same frames give the same faces, at every number of
//           workers. A frame of another size or orientation begins anew; identifiers count from 0 and are
//           never used again.
// Checked   Tests/MartletVisionTests/FaceStreamTests.swift
//===----------------------------------------------------------------------===//

package import MartletFaces

/// Follows faces from frame to frame.
package final class FaceStream {
  /// How faces are tracked.
  package struct Options: Sendable, Hashable {
    /// Every how many frames the detector runs, at least 1, where faces' meshes are tracked.
    package var detectionInterval = 5
    /// The intersection over union from which two faces are one.
    package var overlap: Float = 0.3
    /// How faces are joined from frame to frame.
    package var tracks = FaceTracks.Parameters()

    package init() {}
  }

  private let finder: FaceFinder
  private let options: Options
  private var tracks: FaceTracks
  /// The faces of the frame before, not smoothed.
  private var known: [DetectedFace] = []
  /// Frames since the stream began anew.
  private var frameCount = 0
  private var size: ImageSize?
  private var orientation = ImageOrientation.up

  /// A stream in which `finder` finds faces.
  package init(_ finder: FaceFinder, options: Options = .init()) {
    self.finder = finder
    self.options = options
    tracks = FaceTracks(options.tracks)
  }

  /// Forgets all faces; the next frame is a first one.
  package func reset() {
    tracks.reset()
    known = []
    frameCount = 0
    size = nil
  }

  /// The faces in the next frame, by decreasing salience; none is no error.
  ///
  /// `frame` is upright; `orientation` says what it was turned from. Where it changes, the stream begins
  /// anew.
  package func faces(
    in frame: RGBImage, orientation: ImageOrientation = .up
  ) throws(VisionError) -> [DetectedFace] {
    if size != frame.size || self.orientation != orientation { reset() }
    (size, self.orientation) = (frame.size, orientation)
    defer { frameCount += 1 }
    var faces = try followed(in: frame)
    let isDue = frameCount.isMultiple(of: max(options.detectionInterval, 1))
    if isDue || faces.isEmpty || faces.count < known.count {
      try join(try finder.locator.faces(in: frame, looksTurned: false), to: &faces, frame)
    }
    known = finder.parts.given(faces.byProminence(in: frame.size), imageWidth: frame.width)
    return tracks.update(known).map { face in
      var face = face
      face.measureAngles()
      return face
    }
  }

  /// The faces whose mesh was known and is found again. Of two that have become one the first stays.
  private func followed(in frame: RGBImage) throws(VisionError) -> [DetectedFace] {
    var faces: [DetectedFace] = []
    for face in known {
      guard let mesh = face.mesh else { continue }
      var face = face
      try finder.look(at: &face, in: FaceCrop(around: mesh), of: frame)
      if face.mesh != nil, isNew(face, among: faces) { faces.append(face) }
    }
    return faces
  }

  /// Adds the faces of a detector that are not tracked; those that are have its score.
  private func join(
    _ found: [DetectedFace], to faces: inout [DetectedFace], _ frame: RGBImage
  ) throws(VisionError) {
    let followed = faces
    for face in finder.parts.given(found, imageWidth: frame.width) {
      if let index = followed.firstIndex(where: { isOne($0, face) }) {
        faces[index].see(face)
      } else {
        var face = face
        try finder.meet(&face, in: frame)
        if isNew(face, among: faces) { faces.append(face) }
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
