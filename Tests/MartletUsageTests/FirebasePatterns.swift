//===--- FirebasePatterns.swift - Firebase ML Vision calls of apps --------===//

import Foundation
import MartletFirebase

/// Calls as the documentation of Firebase ML Vision shows them.
enum FirebasePatterns {
  static func detectors() -> [VisionObjectDetector] {
    let options = VisionObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.shouldEnableClassification = true

    let plain = Vision.vision().objectDetector()
    let objectDetector = Vision.vision().objectDetector(options: options)
    return [plain, objectDetector]
  }

  static func image(_ sampleBuffer: SampleBuffer) -> VisionImage {
    let image = VisionImage(buffer: sampleBuffer)
    let metadata = VisionImageMetadata()
    metadata.orientation = .rightTop  // VisionDetectorImageOrientation, EXIF numbering
    image.metadata = metadata
    return image
  }

  static func callback(
    _ objectDetector: VisionObjectDetector, _ image: VisionImage,
    _ done: @escaping @Sendable (Int) -> Void
  ) {
    objectDetector.process(image) { objects, error in
      defer { done(objects?.count ?? -1) }
      guard error == nil, let objects = objects, !objects.isEmpty else { return }
      for object in objects {
        let box = object.frame
        let id: NSNumber? = object.trackingID
        let category: VisionObjectCategory = object.classificationCategory
        let confidence: NSNumber? = object.confidence
        print(box, id as Any, category, confidence?.floatValue ?? 0)
      }
    }
  }

  static func synchronous(
    _ objectDetector: VisionObjectDetector, _ image: VisionImage
  ) -> [VisionObject]? {
    var results: [VisionObject]? = nil
    do { results = try objectDetector.results(in: image) } catch let error {
      print(error.localizedDescription)
    }
    return results
  }

  /// The function from the documentation that apps copy.
  static func imageOrientation(
    deviceOrientation: DeviceOrientation, cameraPosition: CameraPosition
  ) -> VisionDetectorImageOrientation {
    switch deviceOrientation {
    case .portrait:
      return cameraPosition == .front ? .leftTop : .rightTop
    case .landscapeLeft:
      return cameraPosition == .front ? .bottomLeft : .topLeft
    case .portraitUpsideDown:
      return cameraPosition == .front ? .rightBottom : .leftBottom
    case .landscapeRight:
      return cameraPosition == .front ? .topRight : .bottomRight
    case .faceDown, .faceUp, .unknown:
      return .topLeft
    }
  }
}
