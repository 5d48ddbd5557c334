//===--- FaceUsageTests.swift - runs the face patterns --------------------===//
//
// This target imports only `Martlet` and sees only public names, as its users do.
//===----------------------------------------------------------------------===//

import Foundation
import MartletFirebase
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaceUsageTests {
  /// Two heads: one winks, the other's eyes are shut.
  static func image() throws -> VisionImage {
    let file = UsageTests.root.appending(path: "Tests/Fixtures/Faces/winking.jpg")
    return try VisionImage(contentsOfFile: file.path)
  }

  @Test func bothGenerationsReadFaces() {
    let eye = FaceLandmark(type: .leftEye, position: VisionPoint(x: 5, y: 6))
    let lip = FaceContour(type: .upperLipBottom, points: [VisionPoint(x: 1, y: 2)])
    let face = Face(
      frame: CGRect(x: 1, y: 2, width: 3, height: 4), trackingID: 7,
      headEulerAngles: HeadEulerAngles(x: 1, y: 2, z: 3), smile: 0.5, landmarks: [eye],
      contours: [lip])
    let frame = "\(face.frame)"
    #expect(
      FacePatterns.lines(face)
        == [frame, "x 1.0", "y 2.0", "z 3.0", "eye (5.0, 6.0)", "lip 1", "smile 0.5", "id 7"])
    #expect(
      FacePatterns.earlierLines(VisionFace(face))
        == [frame, "y 2.0", "z 3.0", "eye (5.0, 6.0)", "id 7"])
    #expect(FacePatterns.options().landmarkMode == .all)
    #expect(FacePatterns.earlierOptions().contourMode == .all)
  }

  @Test func callbackReceivesFaces() async throws {
    let image = try FaceUsageTests.image()
    let lines = try await callbackValue { done in
      FacePatterns.callback(image) { done($0) }
    }
    for word in ["x", "y", "z", "eye", "smile", "open", "id", "nose"] {
      #expect(lines.count { $0.hasPrefix(word + " ") } == 2, "\(word)")
    }
    let earlier = try await callbackValue { done in
      FacePatterns.earlierCallback(image) { done($0) }
    }
    #expect(earlier.count { $0.hasPrefix("y ") } == 2)
  }

  @Test func resultsReturnFaces() throws {
    let faces = try #require(FacePatterns.synchronous(FaceUsageTests.image()))
    #expect(faces.count == 2)
    #expect(faces.allSatisfy { $0.hasHeadEulerAngleY && !$0.hasSmilingProbability })
  }

  @Test func distinguishesShutFromOpenEyes() throws {
    let options = FaceDetectorOptions()
    options.classificationMode = .all
    let faces = try FaceDetector.faceDetector(options: options).results(in: FaceUsageTests.image())
    let winking = try #require(faces.min { $0.frame.minX < $1.frame.minX })
    #expect(winking.leftEyeOpenProbability < 0.5 && winking.rightEyeOpenProbability > 0.5)
  }

  @Test func facesOfSequenceKeepTheirIdentifiers() async throws {
    let image = try FaceUsageTests.image()
    let frames = AsyncStream { continuation in
      for _ in 0..<3 { continuation.yield(image) }
      continuation.finish()
    }
    #expect(try await FacePatterns.sequence(frames) == [0, 1, 0, 1, 0, 1])
  }
}
