import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

/// ML Kit's rules: which parts are returned for which faces, for each set of options.
@Suite struct FaceFinderOptionsRulesTests {
  private func finderOptions(_ change: (FaceDetectorOptions) -> Void) -> FaceConfiguration {
    let options = FaceDetectorOptions()
    change(options)
    return options.values.configuration.applyingMLKitRules
  }

  @Test func facesWithoutExtrasHaveAngles() {
    let finderOptions = finderOptions { _ in }
    #expect(finderOptions.limit == .max && finderOptions.angles && !finderOptions.needsMesh)
    #expect(
      finderOptions.contours == .none && !finderOptions.landmarks && !finderOptions.expressions
        && !finderOptions.tracking)
    #expect(finderOptions.minimumSize == 0.1)
  }

  @Test func fastContoursAloneDisableAnglesAndTracking() {
    let finderOptions = finderOptions {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      $0.minFaceSize = 0.5
    }
    #expect(finderOptions.limit == 1 && finderOptions.contours == .mostProminent)
    #expect(!finderOptions.angles && !finderOptions.tracking && finderOptions.minimumSize == 0)
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
    let finderOptions = finderOptions {
      $0.contourMode = .all
      $0.isTrackingEnabled = true
      change($0)
    }
    #expect(finderOptions.limit == .max && finderOptions.contours == .mostProminent)
    #expect(finderOptions.angles && finderOptions.tracking && finderOptions.minimumSize == 0.1)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func returnsContoursOfAllFacesOnRequest(_ mode: FaceDetectorPerformanceMode) {
    let finderOptions = finderOptions {
      $0.contourMode = .all
      $0.performanceMode = mode
      $0.shouldFindContoursOfAllFaces = true
      $0.isTrackingEnabled = true
    }
    #expect(
      finderOptions.limit == .max && finderOptions.contours == .all && finderOptions.angles
        && finderOptions.tracking)
  }

  @Test func allFacesOptionNeedsContourMode() {
    let finderOptions = finderOptions { $0.shouldFindContoursOfAllFaces = true }
    #expect(finderOptions.contours == .none && !finderOptions.needsMesh)
  }

  @Test(arguments: FaceDetectorPerformanceMode.allCases)
  func facesAreTrackedWithoutContours(_ mode: FaceDetectorPerformanceMode) {
    #expect(
      finderOptions {
        $0.performanceMode = mode
        $0.isTrackingEnabled = true
      }.tracking)
  }

  @Test func landmarksAndClassificationCoverAllFaces() {
    let landmarks = finderOptions { $0.landmarkMode = .all }
    #expect(landmarks.landmarks && !landmarks.expressions && landmarks.limit == .max)
    let classified = finderOptions { $0.classificationMode = .all }
    #expect(classified.expressions && !classified.landmarks && classified.limit == .max)
  }

  @Test func accurateAnglesComeFromTheMesh() {
    #expect(finderOptions { $0.performanceMode = .accurate }.needsMesh)
    #expect(!finderOptions { $0.performanceMode = .fast }.needsMesh)
  }

  @Test(
    arguments: [
      (0.25, 0.25), (0, 0), (1, 1), (-0.1, 0.1), (1.5, 0.1), (.nan, 0.1), (.infinity, 0.1),
    ] as [(Double, Float)])
  func minimumSizeOutOfRangeFallsBackToDefault(_ requested: Double, _ expected: Float) {
    #expect(finderOptions { $0.minFaceSize = requested }.minimumSize == expected)
  }

  @Test(
    arguments: [(0.75, 0.75), (0, 0), (1, 1), (-0.1, 0.4), (1.5, 0.4), (.nan, 0.4)]
      as [(Float, Float)])
  func minimumScoreOutOfRangeFallsBackToDefault(_ requested: Float, _ expected: Float) {
    #expect(finderOptions { _ in }.minimumScore == 0.4)
    #expect(finderOptions { $0.minimumFaceScore = requested }.minimumScore == expected)
  }

  @Test(arguments: [(3, 3), (1, 1), (0, Int.max), (-1, Int.max)])
  func maximumFaceCountSetsTheLimit(_ requested: Int, _ limit: Int) {
    #expect(finderOptions { $0.maximumFaceCount = requested }.limit == limit)
  }

  @Test func returnsMeshOnRequest() {
    let finderOptions = finderOptions { $0.shouldReturnMesh = true }
    #expect(finderOptions.mesh && finderOptions.needsMesh)
  }
}
