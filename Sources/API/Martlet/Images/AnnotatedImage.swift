//===--- AnnotatedImage.swift - results drawn on an image -----------------===//
//
// Contract  Boxes and labels of objects; boxes, contours, landmarks and meshes of faces. Each tracked
//           object keeps its color. Objects and faces are concealed before anything is drawn. The same
//           image and results give the same bytes.
// Cost      A copy of the image for each access to `image`, and for each encoding.
//===----------------------------------------------------------------------===//

import MartletCodecs
public import MartletVision

/// An upright image on which objects and faces are drawn.
///
/// ```swift
/// var annotated = try AnnotatedImage(image)
/// annotated.draw(try await detector.objects(in: image))
/// try Data(annotated.png).write(to: URL(filePath: "annotated.png"))
/// ```
///
/// `conceal` makes objects or faces unrecognizable. No metadata of the image's file are written.
public struct AnnotatedImage: Sendable {
  private let original: RGBImage
  private var annotations: [Annotation] = []
  private var concealed: [(boxes: [Box], style: Concealment)] = []

  /// The upright image, without annotations.
  ///
  /// - Throws: `VisionError` if the image has no pixels that can be read.
  public init(_ image: some MLKitCompatibleImage) throws(VisionError) {
    original = try image.image().upright
  }

  /// Adds a box for each object, with its identifier or else its number on this image, and its first
  /// fine label if that has at least ``FineLabeler/shownConfidence``, or else its first label. An object
  /// without label has its score, unless it is tracked.
  public mutating func draw(_ objects: [Object]) {
    for object in objects {
      let label = ObjectLabel.shown(object.labels, object.fineLabels).map {
        (word: $0.text, probability: $0.confidence)
      }
      let isTracked = object.trackingIdentifier != nil
      let score = isTracked ? nil : (word: "object", probability: object.score)
      annotations.append(
        Annotation(
          box: Box(object.uprightFrame),
          texts: Annotation.texts(
            name(object.trackingIdentifier), label ?? score),
          colorIndex: object.trackingIdentifier ?? annotations.count))
    }
  }

  /// The identifier, or the next box's number.
  private func name(_ identifier: Int?) -> String {
    identifier.map { "#\($0)" } ?? "\(annotations.count + 1)"
  }

  /// Adds a box for each face, and its contours, landmarks and mesh if they were detected.
  public mutating func draw(_ faces: [Face]) {
    for face in faces {
      let places = face.places
      var drawing = FaceDrawing(frame: Box(places.frame))
      drawing.mesh = places.mesh.map { Point(x: Float($0.x), y: Float($0.y)) }
      drawing.contours = places.contours.map { (type: $0.type, points: $0.points.map(Point.init)) }
      drawing.landmarks = places.landmarks.map { Point($0.position) }
      var annotation = Annotation(
        box: drawing.frame,
        texts: Annotation.texts(
          name(face.trackingIdentifier),
          face.trackingIdentifier == nil ? (word: "face", probability: face.score) : nil),
        colorIndex: face.trackingIdentifier ?? annotations.count)
      annotation.isDiscreet = true
      annotation.strokes = drawing.strokes
      annotations.append(annotation)
    }
  }

  /// Makes objects unrecognizable, with a margin of a quarter of the box at each edge.
  public mutating func conceal(_ objects: [Object], as style: Concealment = .pixels) {
    concealed.append((objects.map { Box($0.uprightFrame) }, style))
  }

  /// Makes faces unrecognizable, with a margin of a quarter of the box at each edge.
  public mutating func conceal(_ faces: [Face], as style: Concealment = .pixels) {
    concealed.append((faces.map { Box($0.places.frame) }, style))
  }

  /// The image with all annotations. An image too small for letters is enlarged.
  public var image: RGBImage {
    var image = original
    for (boxes, style) in concealed { image.conceal(boxes, as: style, of: original) }
    return image.annotated(annotations)
  }

  /// The image with all annotations as a PNG file.
  public var png: [UInt8] { PNG.encode(raster) }

  /// The image with all annotations as a JPEG file.
  ///
  /// - Parameter quality: 1 to 100; other values are clamped.
  /// - Throws: `VisionError.imageFile` if a side is longer than 65,535 pixels.
  public func jpeg(quality: Int = 90) throws(VisionError) -> [UInt8] {
    do throws(JPEGError) { return try JPEG.encode(raster, quality: quality) } catch {
      throw .imageFile(.jpeg(error))
    }
  }

  private var raster: Raster {
    let image = image
    return Raster(width: image.width, height: image.height, channels: 3, samples: image.pixels)
  }
}

extension Point {
  fileprivate init(_ point: VisionPoint) { self.init(x: Float(point.x), y: Float(point.y)) }
}
