import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

/// ML Kit's rules: which parts are returned for which faces, for each set of options.
@Suite struct FaceOptionValuesTests {
  private func configuration(_ change: (FaceDetectorOptions) -> Void) -> FaceConfiguration {
    let options = FaceDetectorOptions()
    change(options)
    return options.values.configuration.applyingMLKitRules
  }

  @Test func facesWithoutExtrasHaveAngles() {
    let configuration = configuration { _ in }
    #expect(configuration.limit == .max && configuration.angles && !configuration.needsMesh)
    #expect(
      configuration.contours == .none && !configuration.landmarks && !configuration.expressions
        && !configuration.tracking)
    #expect(configuration.minimumSize == 0.1)
  }

  @Test func fastContoursAloneDisableAnglesAndTracking() {
    let configuration = configuration {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      $0.minFaceSize = 0.5
    }
    #expect(configuration.limit == 1 && configuration.contours == .mostProminent)
    #expect(!configuration.angles && !configuration.tracking && configuration.minimumSize == 0)
  }

  /// Contours with other parts: all faces are returned, and the most prominent one has contours.
  @Test(
    arguments: [
      { $0.performanceMode = .accurate }, { $0.landmarkMode = .all },
      { $0.classificationMode = .all },
    ] as [@Sendable (FaceDetectorOptions) -> Void])
  func contoursWithOtherPartsBelongToMostProminentFace(
    _ change: @Sendable (FaceDetectorOptions) -> Void
  ) {
    let configuration = configuration {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      change($0)
    }
    #expect(configuration.limit == .max && configuration.contours == .mostProminent)
    #expect(configuration.angles && configuration.tracking && configuration.minimumSize == 0.1)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func returnsContoursOfAllFacesOnRequest(_ mode: FaceDetectorPerformanceMode) {
    let configuration = configuration {
      $0.contourMode = .all
      $0.performanceMode = mode
      $0.shouldFindContoursOfAllFaces = true
      $0.isTrackingEnabled = true
    }
    #expect(
      configuration.limit == .max && configuration.contours == .all && configuration.angles
        && configuration.tracking)
  }

  @Test func allFacesOptionNeedsContourMode() {
    let configuration = configuration { $0.shouldFindContoursOfAllFaces = true }
    #expect(configuration.contours == .none && !configuration.needsMesh)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func facesAreTrackedWithoutContours(_ mode: FaceDetectorPerformanceMode) {
    #expect(
      configuration {
        $0.performanceMode = mode
        $0.isTrackingEnabled = true
      }.tracking)
  }

  @Test func landmarksAndClassificationCoverAllFaces() {
    let landmarks = configuration { $0.landmarkMode = .all }
    #expect(landmarks.landmarks && !landmarks.expressions && landmarks.limit == .max)
    let classified = configuration { $0.classificationMode = .all }
    #expect(classified.expressions && !classified.landmarks && classified.limit == .max)
  }

  @Test func accurateAnglesComeFromTheMesh() {
    #expect(configuration { $0.performanceMode = .accurate }.needsMesh)
    #expect(!configuration { $0.performanceMode = .fast }.needsMesh)
  }

  @Test(
    arguments: [
      (0.25, 0.25), (0, 0), (1, 1), (-0.1, 0.1), (1.5, 0.1), (.nan, 0.1), (.infinity, 0.1),
    ] as [(Double, Float)])
  func minimumSizeOutOfRangeFallsBackToDefault(_ requested: Double, _ expected: Float) {
    #expect(configuration { $0.minFaceSize = requested }.minimumSize == expected)
  }

  @Test(
    arguments: [(0.75, 0.75), (0, 0), (1, 1), (-0.1, 0.4), (1.5, 0.4), (.nan, 0.4)]
      as [(Float, Float)])
  func minimumScoreOutOfRangeFallsBackToDefault(_ requested: Float, _ expected: Float) {
    #expect(configuration { _ in }.minimumScore == 0.4)
    #expect(configuration { $0.minimumFaceScore = requested }.minimumScore == expected)
  }

  @Test(arguments: [(3, 3), (1, 1), (0, Int.max), (-1, Int.max)])
  func maximumFaceCountSetsTheLimit(_ requested: Int, _ limit: Int) {
    #expect(configuration { $0.maximumFaceCount = requested }.limit == limit)
  }

  @Test func returnsMeshOnRequest() {
    let configuration = configuration { $0.shouldReturnMesh = true }
    #expect(configuration.mesh && configuration.needsMesh)
  }
}
