//===--- DetectionImage.swift - an image that detectors examine -----------===//
//
// A large file is decoded at a part of its size. Detectors examine these pixels; results are in pixels
// of the full image.
//
// Contract  Results of an image that was not reduced are unchanged.
//===----------------------------------------------------------------------===//

package import MartletCodecs
package import MartletImage

/// An upright image, possibly reduced.
package struct DetectionImage: Sendable {
  /// The upright pixels.
  package let pixels: RGBImage
  /// The size of the full upright image.
  package let size: ImageSize

  /// An image with these upright pixels, reduced from `size` if that is given.
  package init(_ pixels: RGBImage, fullSize size: ImageSize? = nil) {
    self.pixels = pixels
    self.size = size ?? pixels.size
  }

  /// The image of a file.
  package init(_ file: ImageFile) {
    self.init(file.upright, fullSize: file.orientation.upright(file.fullSize))
  }

  /// Objects in `pixels`, in pixels of the full image.
  package func full(_ objects: [DetectedObject]) -> [DetectedObject] {
    guard let (x, y) = factors else { return objects }
    return objects.map { object in
      var object = object
      object.frame = object.frame.scaled(x, y)
      return object
    }
  }

  /// Faces in `pixels`, in pixels of the full image.
  package func full(_ faces: [DetectedFace]) -> [DetectedFace] {
    guard let (x, y) = factors else { return faces }
    return faces.map { $0.scaled(x, y) }
  }

  /// The full image's size relative to that of `pixels`; `nil` if they are the same.
  private var factors: (x: Float, y: Float)? {
    guard size != pixels.size else { return nil }
    return (
      Float(size.width) / Float(pixels.width), Float(size.height) / Float(pixels.height)
    )
  }
}

extension DetectedFace {
  /// The face with coordinates multiplied by these factors; depths are multiplied by the first.
  fileprivate func scaled(_ x: Float, _ y: Float) -> DetectedFace {
    var face = self
    face.frame = frame.scaled(x, y)
    let points = keyPoints.all.map { Point(x: $0.x * x, y: $0.y * y) }
    face.keyPoints = FaceKeyPoints(points) ?? keyPoints
    face.mesh = mesh.flatMap { FaceMesh($0.points.map { $0 * [x, y, x] }) }
    return face
  }
}
