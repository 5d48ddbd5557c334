import Foundation
import Testing

@testable import Martlet
@testable import MartletMLKit

@Suite struct FaceDetectorOptionsTests {
  @Test func rawValuesMatchMLKit() {
    #expect(FaceDetectorPerformanceMode.allCases.map(\.rawValue) == [1, 2])
    #expect(FaceDetectorPerformanceMode.fast.rawValue == 1)
    #expect(FaceDetectorLandmarkMode.allCases == [.none, .all])
    #expect(FaceDetectorLandmarkMode.allCases.map(\.rawValue) == [1, 2])
    #expect(FaceDetectorContourMode.allCases == [.none, .all])
    #expect(FaceDetectorContourMode.allCases.map(\.rawValue) == [1, 2])
    #expect(FaceDetectorClassificationMode.allCases == [.none, .all])
    #expect(FaceDetectorClassificationMode.allCases.map(\.rawValue) == [1, 2])
  }

  @Test func defaultsAreFastDetectionWithoutExtras() {
    let options = FaceDetectorOptions()
    #expect(options.performanceMode == .fast)
    #expect(options.landmarkMode == .none && options.contourMode == .none)
    #expect(options.classificationMode == .none && !options.isTrackingEnabled)
    #expect(options.minFaceSize == 0.1)
    #expect(!options.shouldFindContoursOfAllFaces && !options.shouldReturnMesh)
    #expect(options.shouldSmoothPoints && !options.shouldThrowOnMainThread)
  }

  @Test func propertiesKeepTheirValues() {
    let options = FaceDetectorOptions()
    options.performanceMode = .accurate
    options.landmarkMode = .all
    options.contourMode = .all
    options.classificationMode = .all
    options.minFaceSize = 0.25
    options.isTrackingEnabled = true
    options.shouldFindContoursOfAllFaces = true
    options.shouldReturnMesh = true
    options.maximumFaceCount = 3
    options.shouldSmoothPoints = false
    options.shouldThrowOnMainThread = true
    #expect(options.performanceMode == .accurate && options.landmarkMode == .all)
    #expect(options.contourMode == .all && options.classificationMode == .all)
    #expect(options.minFaceSize == 0.25 && options.isTrackingEnabled)
    #expect(options.shouldFindContoursOfAllFaces && options.shouldReturnMesh)
    #expect(options.maximumFaceCount == 3 && !options.shouldSmoothPoints)
    #expect(options.shouldThrowOnMainThread)
  }
}
