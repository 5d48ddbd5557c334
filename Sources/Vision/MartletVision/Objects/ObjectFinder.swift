//===--- ObjectFinder.swift - pixels in, objects out ----------------------===//
//
// The localizer detects boxes, the classifier labels them.
//
// ```swift
// let finder = try ObjectFinder(classifier: Classifier())
// let objects = try finder.objects(in: image, limit: 5)
// let stream = ObjectStream(finder)  // for frames: `stream.objects(in: frame)`
// ```
//
// Contract  Objects are sorted by decreasing salience. The same image and networks give the same objects,
//           for every number of workers. Can be used from any number of tasks at once, unless its lock
//           is `none`.
// Checked   Tests/MartletTests/ObjectDetectorTests.swift
//===----------------------------------------------------------------------===//

/// Detects objects in upright images, and labels them if there is a classifier.
public final class ObjectFinder: Sendable {
  let localizer: Localizer
  let classifier: Classifier?

  /// A finder with the built-in localizer, or with `detector` instead: a model that ends in
  /// `TFLite_Detection_PostProcess`.
  ///
  /// Boxes scoring below `minimumObjectScore` are dropped; if it is `nil`, below the network's own
  /// minimum.
  ///
  /// - Throws: `VisionError` if a network cannot be prepared.
  public convenience init(
    classifier: Classifier? = nil, detector: ModelFile? = nil, minimumObjectScore: Float? = nil,
    options: Interpreter.Options = .init(), lock: Lock = .automatic()
  ) throws(VisionError) {
    let localizer =
      if let detector {
        try Localizer(
          detector: detector, options: options, minimumScore: minimumObjectScore, lock: lock)
      } else {
        try Localizer(options: options, minimumScore: minimumObjectScore, lock: lock)
      }
    self.init(localizer: localizer, classifier: classifier)
  }

  /// A finder with these networks.
  init(localizer: Localizer, classifier: Classifier?) {
    self.localizer = localizer
    self.classifier = classifier
  }

  /// The `limit` most salient objects in an upright image, or in `region`; the array is empty if
  /// none is detected. Boxes are in pixels of the whole image. The built-in localizer runs on the
  /// image and on its mirror image, which ranks objects better than one run.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image.
  public func objects(
    in image: RGBImage, limit: Int = 1, region: Box? = nil
  ) throws(VisionError) -> [DetectedObject] {
    try image.objects(inside: region) { part throws(VisionError) in
      try objects(inWhole: part, limit: limit)
    }
  }

  private func objects(
    inWhole image: RGBImage, limit: Int
  ) throws(VisionError) -> [DetectedObject] {
    var objects = try localizer.objects(in: image, limit: limit, testTimeAugmentation: true)
    if let classifier {
      for index in objects.indices {
        objects[index].labels = try classifier.labels(in: image, box: objects[index].frame)
        objects[index].category = classifier.category(objects[index].labels)
      }
    }
    return objects
  }
}

extension RGBImage {
  /// The result of `find` for the crop `region`, or for the whole image, with boxes in pixels of
  /// the whole image.
  ///
  /// - Throws: `VisionError.image` if the region lies outside the image, or the error of `find`.
  package func objects(
    inside region: Box?, _ find: (RGBImage) throws(VisionError) -> [DetectedObject]
  ) throws(VisionError) -> [DetectedObject] {
    guard let region else { return try find(self) }
    guard let part = PixelRectangle(covering: region, in: size),
      let crop = croppedClipping(to: part)
    else { throw .image(.boxOutsideImage(region, size)) }
    var objects = try find(crop)
    for index in objects.indices {
      objects[index].frame.x += Float(part.x)
      objects[index].frame.y += Float(part.y)
    }
    return objects
  }
}
