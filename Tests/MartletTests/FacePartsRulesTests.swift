import MartletFaces
import Testing

@testable import Martlet

/// ML Kit's rules: which faces have which parts, for each set of options.
@Suite struct FacePartsRulesTests {
  private func parts(_ change: (FaceDetectorOptions) -> Void) -> FaceParts {
    let options = FaceDetectorOptions()
    change(options)
    return options.values.parts
  }

  @Test func facesAloneHaveTheirTurn() {
    let parts = parts { _ in }
    #expect(parts.limit == .max && parts.angles && !parts.needsMesh)
    #expect(parts.contours == .none && !parts.landmarks && !parts.expressions && !parts.tracking)
    #expect(parts.leastSize == 0.1)
  }

  @Test func fastContoursAloneAreOfOneFaceWithoutTurnAndIdentifier() {
    let parts = parts {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      $0.minFaceSize = 0.5
    }
    #expect(parts.limit == 1 && parts.contours == .mostProminent)
    #expect(!parts.angles && !parts.tracking && parts.leastSize == 0)
  }

  /// Contours with anything else: all faces, of which the most prominent one has contours.
  @Test(
    arguments: [
      { $0.performanceMode = .accurate }, { $0.landmarkMode = .all },
      { $0.classificationMode = .all },
    ] as [@Sendable (FaceDetectorOptions) -> Void])
  func contoursWithAnythingElseAreOfOneOfAllFaces(
    _ change: @Sendable (FaceDetectorOptions) -> Void
  ) {
    let parts = parts {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      change($0)
    }
    #expect(parts.limit == .max && parts.contours == .mostProminent)
    #expect(parts.angles && parts.tracking && parts.leastSize == 0.1)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func contoursOfAllFacesAreGivenOnRequest(_ mode: FaceDetectorPerformanceMode) {
    let parts = parts {
      $0.contourMode = .all
      $0.performanceMode = mode
      $0.shouldFindContoursOfAllFaces = true
      $0.isTrackingEnabled = true
    }
    #expect(parts.limit == .max && parts.contours == .all && parts.angles && parts.tracking)
  }

  @Test func theRequestForAllContoursAloneAsksForNone() {
    let parts = parts { $0.shouldFindContoursOfAllFaces = true }
    #expect(parts.contours == .none && !parts.needsMesh)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func facesAreTrackedWithoutContours(_ mode: FaceDetectorPerformanceMode) {
    #expect(
      parts {
        $0.performanceMode = mode
        $0.isTrackingEnabled = true
      }.tracking)
  }

  @Test func landmarksAndClassificationAreOfAllFaces() {
    let landmarks = parts { $0.landmarkMode = .all }
    #expect(landmarks.landmarks && !landmarks.expressions && landmarks.limit == .max)
    let classified = parts { $0.classificationMode = .all }
    #expect(classified.expressions && !classified.landmarks && classified.limit == .max)
  }

  @Test func accurateTurnsComeFromTheMesh() {
    #expect(parts { $0.performanceMode = .accurate }.needsMesh)
    #expect(!parts { $0.performanceMode = .fast }.needsMesh)
  }

  @Test(
    arguments: [
      (0.25, 0.25), (0, 0), (1, 1), (-0.1, 0.1), (1.5, 0.1), (.nan, 0.1), (.infinity, 0.1),
    ] as [(Double, Float)])
  func theLeastSizeIsAShareOfThePicture(_ asked: Double, _ least: Float) {
    #expect(parts { $0.minFaceSize = asked }.leastSize == least)
  }

  @Test(
    arguments: [(0.75, 0.75), (0, 0), (1, 1), (-0.1, 0.4), (1.5, 0.4), (.nan, 0.4)]
      as [(Float, Float)])
  func theLeastScoreIsWhatWasAskedForOrFourTenths(_ asked: Float, _ least: Float) {
    #expect(parts { _ in }.leastScore == 0.4)
    #expect(parts { $0.minimumFaceScore = asked }.leastScore == least)
  }

  @Test(arguments: [(3, 3), (1, 1), (0, Int.max), (-1, Int.max)])
  func noMoreFacesThanAskedFor(_ asked: Int, _ limit: Int) {
    #expect(parts { $0.maximumFaceCount = asked }.limit == limit)
  }

  @Test func theMeshIsGivenOnRequest() {
    let parts = parts { $0.shouldGiveMesh = true }
    #expect(parts.mesh && parts.needsMesh)
  }
}
