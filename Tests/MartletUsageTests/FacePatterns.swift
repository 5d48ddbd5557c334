//===--- FacePatterns.swift - face detection calls of apps ----------------===//

import Foundation
import MartletFirebase

/// Calls as the documentation of ML Kit and of Firebase ML Vision shows them.
enum FacePatterns {
  static func options() -> FaceDetectorOptions {
    let options = FaceDetectorOptions()
    options.performanceMode = .accurate
    options.landmarkMode = .all
    options.classificationMode = .all
    options.contourMode = .none
    options.minFaceSize = 0.1
    options.isTrackingEnabled = true
    return options
  }

  /// The values of a face that an app displays, one line each.
  static func lines(_ face: Face) -> [String] {
    var lines = ["\(face.frame)"]
    if face.hasHeadEulerAngleX { lines.append("x \(face.headEulerAngleX)") }
    if face.hasHeadEulerAngleY { lines.append("y \(face.headEulerAngleY)") }
    if face.hasHeadEulerAngleZ { lines.append("z \(face.headEulerAngleZ)") }
    if let eye = face.landmark(ofType: .leftEye) { lines.append("eye \(eye.position)") }
    if let contour = face.contour(ofType: .leftEye) { lines.append("rim \(contour.points)") }
    if let lip = face.contour(ofType: .upperLipBottom) { lines.append("lip \(lip.points.count)") }
    if face.hasSmilingProbability { lines.append("smile \(face.smilingProbability)") }
    if face.hasRightEyeOpenProbability { lines.append("open \(face.rightEyeOpenProbability)") }
    if face.hasTrackingID { lines.append("id \(face.trackingID)") }
    for landmark in face.landmarks where landmark.type == .noseBase {
      lines.append("nose \(landmark.position.x) \(landmark.position.y)")
    }
    return lines
  }

  static func earlierOptions() -> VisionFaceDetectorOptions {
    let options = VisionFaceDetectorOptions()
    options.performanceMode = .accurate
    options.contourMode = .all
    return options
  }

  static func earlierLines(_ face: VisionFace) -> [String] {
    var lines = ["\(face.frame)"]
    if face.hasHeadEulerAngleY { lines.append("y \(face.headEulerAngleY)") }
    if face.hasHeadEulerAngleZ { lines.append("z \(face.headEulerAngleZ)") }
    if let eye = face.landmark(ofType: .leftEye) {
      let position: VisionPoint = eye.position
      lines.append("eye \(position)")
    }
    if face.hasTrackingID { lines.append("id \(face.trackingID)") }
    return lines
  }

  /// Calls ML Kit's detector with a callback.
  static func callback(_ image: VisionImage, _ done: @escaping @Sendable ([String]) -> Void) {
    let faceDetector = FaceDetector.faceDetector(options: options())
    faceDetector.process(image) { faces, error in
      guard error == nil, let faces = faces, !faces.isEmpty else {
        done([])
        return
      }
      done(faces.flatMap { lines($0) })
    }
  }

  /// Calls Firebase's detector with a callback.
  static func earlierCallback(
    _ image: VisionImage, _ done: @escaping @Sendable ([String]) -> Void
  ) {
    let vision = Vision.vision()
    let faceDetector = vision.faceDetector(options: earlierOptions())
    faceDetector.process(image) { faces, error in
      guard error == nil, let faces = faces, !faces.isEmpty else {
        done([])
        return
      }
      done(faces.flatMap { earlierLines($0) })
    }
  }

  static func synchronous(_ image: VisionImage) -> [VisionFace]? {
    var results: [VisionFace]? = nil
    do { results = try Vision.vision().faceDetector().results(in: image) } catch let error {
      print(error.localizedDescription)
    }
    return results
  }

  static func sequence(_ frames: AsyncStream<VisionImage>) async throws -> [Int] {
    let detector = FaceDetector.faceDetector(options: options())
    var identifiers: [Int] = []
    for try await result in detector.faces(over: frames) {
      identifiers += result.faces.map(\.trackingID)
    }
    return identifiers
  }
}
