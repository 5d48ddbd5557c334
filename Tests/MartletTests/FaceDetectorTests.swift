import Foundation
import MartletTestSupport
import MartletVision
import Testing

@testable import Martlet
@testable import MartletMLKit

@Suite(.timeLimit(.minutes(5))) struct FaceDetectorTests {
  /// Two faces; the second is closer to the center. Eyes are open with probability 0.75, smiles
  /// have 0.25.
  static let models: FaceModels = {
    let cells = [FaceFile.Cell(level: 0, index: 9, logit: 2), .init(level: 0, index: 36, logit: 3)]
    return FaceModels(
      detector: ModelFile(FaceFile.detector(cells).bytes), mesh: ModelFile(FaceFile.mesh().bytes),
      eyes: ModelFile(FaceFile.probability(0.75).bytes),
      smile: ModelFile(FaceFile.probability(0.25).bytes))
  }()

  private func detector(_ change: (FaceDetectorOptions) -> Void = { _ in }) -> FaceDetector {
    let options = FaceDetectorOptions()
    change(options)
    return FaceDetector(options: options) { FaceDetectorTests.models }
  }

  private func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
    let pixels = try RGBImage(
      width: 64, height: 64, filledWith: .init(red: 9, green: 9, blue: 9))
    return InputImage(pixels, orientation: orientation)
  }

  @Test func facesAreSortedByProminence() throws {
    let faces = try detector().results(in: image())
    #expect(faces.map(\.frame.midX) == [36, 12])
    #expect(faces.allSatisfy { $0.hasHeadEulerAngleX && !$0.hasTrackingID && $0.landmarks.isEmpty })
  }

  @Test func allCallStylesReturnSameFaces() async throws {
    let detector = detector { $0.landmarkMode = .all }
    try detector.prepare()
    let image = try image()
    let faces = try detector.results(in: image)
    #expect(faces.count == 2)
    #expect(try await detector.faces(in: image) == faces)
    let called = try await callbackValue { done in
      detector.process(image) { faces, error in
        #expect(error == nil && MainQueue.isCurrent)
        done(faces)
      }
    }
    #expect(called == faces)
  }

  @Test func returnsRequestedFaceParts() throws {
    let faces = try detector {
      $0.landmarkMode = .all
      $0.contourMode = .all
      $0.classificationMode = .all
    }.results(in: image())
    #expect(faces.map(\.landmarks.count) == [8, 8])
    #expect(faces.map(\.contours.count) == [15, 0])
    #expect(faces.allSatisfy { $0.smile == 0.25 && $0.leftEyeOpen == 0.75 })
  }

  @Test func fastContoursAloneReturnOneFace() throws {
    let faces = try detector { $0.contourMode = .all }.results(in: image())
    #expect(faces.count == 1)
    #expect(faces.allSatisfy { $0.contours.count == 15 && !$0.hasHeadEulerAngleY })
  }

  @Test func trackedFacesKeepTheirIdentifiers() throws {
    let detector = detector { $0.isTrackingEnabled = true }
    for _ in 0..<3 {
      #expect(try detector.results(in: image()).map(\.trackingID) == [0, 1])
    }
    #expect(try detector.results(in: image(.right)).map(\.trackingID) == [2, 3])
  }

  @Test func coordinatesAreInTheStoredImage() throws {
    let faces = try detector().results(in: image(.right))
    // (36, 36) of the upright image is (36, 28) of the stored image.
    #expect(faces.first.map { [$0.frame.midX, $0.frame.midY] } == [36, 28])
    #expect(faces.first.map { [$0.upright.frame.midX, $0.upright.frame.midY] } == [36, 36])
  }

  @Test func everyCallThrowsThePreparationError() async throws {
    let none = ModelFile([])
    let models = FaceModels(detector: none, mesh: none, eyes: none, smile: none)
    let detector = FaceDetector(options: FaceDetectorOptions()) { models }
    #expect(throws: VisionError.self) { try detector.prepare() }
    let image = try image()
    #expect(throws: VisionError.self) { try detector.results(in: image) }
    await #expect(throws: VisionError.self) { try await detector.faces(in: image) }
  }

  @Test @MainActor func mainThreadCanWaitUnlessOptionsForbidIt() throws {
    #expect(try detector().results(in: image()).count == 2)
    let strict = detector { $0.shouldThrowOnMainThread = true }
    #expect(throws: VisionError.calledOnMainThread) { try strict.results(in: image()) }
  }
}
