//===--- DetectorEntries.swift - calls of object and face detectors -------===//
//
// Contract  A result depends only on the image or, in a stream, also on earlier frames. So each
//           stream is compared with a second one that gets the same frames on the calling thread.
//===----------------------------------------------------------------------===//

import Foundation
import MartletMLKit

/// How a detector is called.
private enum Form: CaseIterable {
  case sync, async, completion
  /// As a sequence of one frame.
  case frames
}

/// An object or face detector.
private struct Detector<Found: Encodable & Sendable>: Sendable {
  let sync: @Sendable (VisionImage) throws -> [Found]
  let async: @Sendable (VisionImage) async throws -> [Found]
  let completion: @Sendable (VisionImage, @escaping Waiter<[Found]>.Completion) -> Void
  let frames:
    @Sendable (AsyncStream<VisionImage>) -> DetectionResults<AsyncStream<VisionImage>, Found>

  func results(in image: VisionImage, _ form: Form) throws -> Data {
    switch form {
    case .sync: try bytes(sync(image))
    case .async: try bytes(Waiter.value { try await async(image) })
    case .completion: try bytes(Waiter.value { completion(image, $0) })
    case .frames:
      try bytes(
        Waiter.value {
          let sequence = AsyncStream { frames in
            frames.yield(image)
            frames.finish()
          }
          return try await self.frames(sequence).reduce([]) { $0 + $1.found }
        })
    }
  }

  /// An entry for each way to call the detector with one image.
  static func entries(
    _ name: String, _ images: [VisionImage], make: @escaping () -> Detector
  ) -> [Entry] {
    [Form.sync, .async, .completion].map { form in
      Entry(name: "\(name), \(form)", period: images.count) {
        let detector = make()
        return { try detector.results(in: images[$0 % images.count], form) }
      }
    }
  }

  /// An entry for each way to call the stream.
  static func streams(
    _ name: String, _ image: VisionImage, make: @escaping () -> Detector
  ) -> [Entry] {
    Form.allCases.map { form in
      Entry(name: "\(name), \(form)") {
        let (detector, second) = (make(), make())
        return { number in
          let found = try detector.results(in: image, form)
          let expected = try second.results(in: image, .sync)
          guard found == expected else {
            throw SoakError.changed(call: number, found: found, expected: expected)
          }
          return Data()
        }
      }
    }
  }
}

extension Detector<Object> {
  static func objects(_ options: CommonObjectDetectorOptions) -> Detector {
    let detector = ObjectDetector.objectDetector(options: options)
    return Detector(
      sync: { try detector.results(in: $0) }, async: { try await detector.objects(in: $0) },
      completion: { image, done in detector.process(image) { done($0, $1) } },
      frames: { detector.objects(over: $0) })
  }
}

extension Detector<Face> {
  static func faces(_ options: FaceDetectorOptions) -> Detector {
    let detector = FaceDetector.faceDetector(options: options)
    return Detector(
      sync: { try detector.results(in: $0) }, async: { try await detector.faces(in: $0) },
      completion: { image, done in detector.process(image) { done($0, $1) } },
      frames: { detector.faces(over: $0) })
  }
}

/// The entries of detectors.
func detectorEntries() throws -> [Entry] {
  let scenes = try ["fruit", "room"].map {
    try VisionImage(contentsOfFile: "Tests/Fixtures/Scenes/\($0).jpg")
  }
  let heads = try ["small", "turned"].map {
    try VisionImage(contentsOfFile: "Tests/Fixtures/Faces/\($0).jpg")
  }
  let stills = ObjectDetectorOptions()
  stills.detectorMode = .singleImage
  let custom = CustomObjectDetectorOptions(
    localModel: LocalModel(path: "Weights/classifier.tflite"))
  custom.detectorMode = .singleImage
  custom.shouldEnableClassification = true
  let named = ObjectDetectorOptions()
  named.detectorMode = .singleImage
  named.shouldEnableClassification = true
  named.shouldEnableFineLabels = true
  let detected = ObjectDetectorOptions()
  detected.detectorMode = .singleImage
  detected.detectorModel = LocalModel(path: "Tests/Fixtures/Models/detector_of_quarters.tflite")
  let faces = FaceDetectorOptions()
  faces.landmarkMode = .all
  faces.classificationMode = .all
  let faceStream = FaceDetectorOptions()
  faceStream.isTrackingEnabled = true
  return Detector.entries("faces", heads) { .faces(faces) }
    + Detector.streams("face stream", heads[0]) { .faces(faceStream) }
    + Detector.entries("custom detector", scenes) { .objects(detected) }
    + Detector.entries("objects", scenes) { .objects(stills) }
    + Detector.streams("object stream", scenes[0]) { .objects(ObjectDetectorOptions()) }
    + Detector.entries("custom classifier", scenes) { .objects(custom) }
    + Detector.entries("fine labels", scenes) { .objects(named) }
    + [
      Entry(name: "objects, new detector") {
        { _ in try Detector.objects(stills).results(in: scenes[0], .sync) }
      }
    ]
}
