@testable import MartletVision
import MartletTestSupport
import Testing

@Suite struct FaceFinderTests {
  private let cells = [
    FaceFile.Cell(level: 0, index: 36, logit: 3), .init(level: 0, index: 9, logit: 2),
  ]

  private func image() throws -> RGBImage {
    try RGBImage(width: 64, height: 64, filledWith: .init(red: 9, green: 9, blue: 9))
  }

  private func faces(_ models: FaceModels, _ change: (inout FaceConfiguration) -> Void) throws
    -> [DetectedFace]
  {
    var configuration = FaceConfiguration(isAccurate: false)
    change(&configuration)
    return try FaceFinder(configuration, models: models, lock: .none).faces(in: image())
  }

  @Test func returnsDetectorFacesByDefault() throws {
    let found = try faces(.of(cells)) { _ in }
    #expect(found.map { $0.frame.center } == [Point(x: 36, y: 36), Point(x: 12, y: 12)])
    #expect(found.allSatisfy { $0.mesh == nil && $0.smile == nil && $0.angles != nil })
  }

  @Test func preparesOnlyRequiredNetworks() throws {
    let none = ModelFile([1, 2, 3])
    let models = FaceModels(
      detector: FaceFile.detector(cells).model, mesh: none, eyes: none, smile: none)
    #expect(try faces(models) { _ in }.count == 2)
    #expect(throws: VisionError.self) { try faces(models) { $0.landmarks = true } }
    let half = FaceModels(
      detector: FaceFile.detector(cells).model, mesh: FaceFile.mesh().model, eyes: none, smile: none
    )
    #expect(try faces(half) { $0.landmarks = true }.count == 2)
    #expect(throws: VisionError.self) { try faces(half) { $0.expressions = true } }
  }

  @Test func mapsMeshFromCropToImage() throws {
    let found = try faces(.of(cells)) { $0.mesh = true }
    #expect(found.count == 2)
    let face = try #require(found.first)
    // The canonical face fills two thirds of a crop of 42 pixels around (36, 36).
    #expect((face.frame.center.x - 36).magnitude < 1e-3)
    #expect((face.frame.center.y - 36).magnitude < 1e-3)
    #expect((max(face.frame.width, face.frame.height) - 28).magnitude < 1e-3)
    let angles = try #require(face.angles)
    #expect(angles.x.magnitude < 0.01 && angles.y.magnitude < 0.01 && angles.z.magnitude < 0.01)
    #expect(face.keyPoints.leftEye == face.mesh?.landmark(.leftEye))
    #expect(face.smile == nil && face.leftEyeOpen == nil)
  }

  @Test func keepsDetectorFaceIfMeshNetworkFindsNone() throws {
    let found = try faces(.of(cells, mesh: .mesh(logit: -1))) { $0.mesh = true }
    #expect(found == (try faces(.of(cells)) { _ in }))
  }

  @Test func meshThatIsNotFiniteIsDropped() throws {
    let found = try faces(.of(cells, mesh: .mesh(shift: .infinity))) { $0.landmarks = true }
    #expect(found.count == 2 && found.allSatisfy { $0.mesh == nil })
  }

  @Test func returnsExpressionsOfTheirNetworks() throws {
    let found = try faces(.of(cells)) { $0.expressions = true }
    for face in found {
      #expect(face.leftEyeOpen == 0.75 && face.rightEyeOpen == 0.75 && face.smile == 0.25)
    }
  }

  @Test func limitAndMinimumSizeDropFaces() throws {
    #expect(try faces(.of(cells)) { $0.limit = 1 }.map { $0.frame.center } == [Point(x: 36, y: 36)])
    #expect(try faces(.of(cells)) { $0.minimumSize = 0.5 }.isEmpty)
  }

  @Test func rejectsNetworksWithOtherOutputs() {
    let detector = FaceFile.detector(cells).model
    let other = FaceFile(side: 16, outputs: [([1, 2], [0, 0])]).model
    for (models, count) in [
      (FaceModels(detector: detector, mesh: other, eyes: other, smile: other), 936),
      (FaceModels(detector: detector, mesh: FaceFile.mesh().model, eyes: other, smile: other), 1),
    ] {
      #expect(throws: VisionError.unsuitable(.faceOutput(count: count))) {
        try faces(models) { $0.expressions = true }
      }
    }
  }
}

extension FaceFile {
  fileprivate var model: ModelFile { ModelFile(bytes) }
}

extension FaceModels {
  /// Networks that find these faces, with probability 0.75 for open eyes and 0.25 for a smile.
  static func of(_ cells: [FaceFile.Cell], mesh: FaceFile = .mesh()) -> FaceModels {
    FaceModels(
      detector: FaceFile.detector(cells).model, mesh: mesh.model,
      eyes: FaceFile.probability(0.75).model, smile: FaceFile.probability(0.25).model)
  }
}
