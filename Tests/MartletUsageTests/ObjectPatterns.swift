//===--- ObjectPatterns.swift - ML Kit calls of apps ----------------------===//

import Foundation
import MartletMLKit

/// Calls as ML Kit's documentation (generation GoogleMLKit) shows them.
enum ObjectPatterns {
  static func liveStream() -> ObjectDetectorOptions {
    // a live stream with one prominent object
    let live = ObjectDetectorOptions()  // .stream, one object, no classification
    live.shouldEnableClassification = true
    return live
  }

  static func stillImage() -> ObjectDetectorOptions {
    // several objects in a still image
    let still = ObjectDetectorOptions()
    still.detectorMode = .singleImage
    still.shouldEnableMultipleObjects = true
    still.shouldEnableClassification = true
    return still
  }

  static func images(_ image: InputImage, _ sampleBuffer: SampleBuffer) -> [VisionImage] {
    let visionImage = VisionImage(image: image)
    visionImage.orientation = image.imageOrientation
    let fromCamera = VisionImage(buffer: sampleBuffer)
    fromCamera.orientation = .right
    return [visionImage, fromCamera]
  }

  static func callback(_ visionImage: VisionImage, _ done: @escaping @Sendable (Int) -> Void) {
    let still = stillImage()
    let detector = ObjectDetector.objectDetector(options: still)
    detector.process(visionImage) { objects, error in
      defer { done(objects?.count ?? -1) }
      guard error == nil, let objects = objects, !objects.isEmpty else { return }
      for object in objects {
        let box: CGRect = object.frame
        let id: NSNumber? = object.trackingID
        for (rank, label) in object.labels.enumerated() {
          print(rank, label.text, label.confidence, label.index, box, id ?? -1)
        }
      }
    }
  }

  static func synchronous(_ visionImage: VisionImage) -> [Object] {
    let detector = ObjectDetector.objectDetector(options: stillImage())
    var found: [Object] = []
    do { found = try detector.results(in: visionImage) } catch let error {
      print(error.localizedDescription)
    }
    return found
  }

  /// The function from the documentation that apps copy.
  static func imageOrientation(
    deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition
  ) -> ImageOrientation {
    switch deviceOrientation {
    case .portrait:
      return cameraPosition == .front ? .leftMirrored : .right
    case .landscapeLeft:
      return cameraPosition == .front ? .downMirrored : .up
    case .portraitUpsideDown:
      return cameraPosition == .front ? .rightMirrored : .left
    case .landscapeRight:
      return cameraPosition == .front ? .upMirrored : .down
    case .faceDown, .faceUp, .unknown:
      return .up
    }
  }

  static func customClassifier(_ modelPath: String) -> ObjectDetector {
    let localModel = LocalModel(path: modelPath)
    let options = CustomObjectDetectorOptions(localModel: localModel)
    options.detectorMode = .singleImage
    options.shouldEnableClassification = true
    options.shouldEnableMultipleObjects = true
    options.classificationConfidenceThreshold = NSNumber(value: 0.5)
    options.maxPerObjectLabelCount = 3
    let detector = ObjectDetector.objectDetector(options: options)
    return detector
  }

  /// A screen of an app, which stores the detected objects in its state.
  @MainActor
  final class Screen {
    var shown: [Object] = []
    private let detector = ObjectDetector.objectDetector(options: stillImage())

    func detect(in image: VisionImage, then done: @escaping @Sendable () -> Void) {
      detector.process(image) { [weak self] objects, error in
        guard let self, error == nil else { return }
        self.shown = objects ?? []
        done()
      }
    }
  }
}
