@testable import MartletVision
import MartletTestSupport
import Testing

@Suite struct FaceStreamTests {
  private let cells = [
    FaceFile.Cell(level: 0, index: 36, logit: 3), .init(level: 0, index: 9, logit: 2),
  ]

  private func stream(_ models: FaceModels, mesh: Bool) throws -> FaceStream {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.mesh = mesh
    configuration.isStream = true
    return FaceStream(try FaceFinder(configuration, models: models, lock: .none))
  }

  private func frame(_ width: Int = 64) throws -> RGBImage {
    try RGBImage(width: width, height: 64, filledWith: .init(red: 9, green: 9, blue: 9))
  }

  @Test(arguments: [false, true])
  func facesKeepPositionAndIdentifier(_ mesh: Bool) throws {
    let stream = try stream(.of(cells), mesh: mesh)
    let first = try stream.faces(in: frame())
    #expect(first.map(\.trackingID) == [0, 1])
    #expect(first.allSatisfy { ($0.mesh != nil) == mesh && $0.angles != nil })
    for _ in 0..<12 {
      let faces = try stream.faces(in: frame())
      #expect(faces.map(\.trackingID) == [0, 1])
      for (face, before) in zip(faces, first) {
        #expect((face.frame.center.x - before.frame.center.x).magnitude < 1e-3)
        #expect((face.frame.width - before.frame.width).magnitude < 1e-3)
        let way = face.keyPoints.leftEar.x - before.keyPoints.leftEar.x
        #expect(way.magnitude < 1e-2)
      }
    }
  }

  /// Between two detections the mesh gives the face's position. A mesh right of the crop's center
  /// moves the face right in every frame.
  @Test func meshTracksFaceBetweenDetections() throws {
    let stream = try stream(.of([cells[1]], mesh: .mesh(shift: 0.05)), mesh: true)
    let places = try (0..<4).map { _ in try #require(stream.faces(in: frame()).first).frame.x }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func detectorTracksFacesWithoutMesh() throws {
    let stream = try stream(.of(cells, mesh: .mesh(logit: -1)), mesh: true)
    for _ in 0..<7 {
      #expect(try stream.faces(in: frame()).map(\.trackingID) == [0, 1])
    }
  }

  @Test(arguments: [true, false])
  func newSizeOrOrientationStartsNewTracks(_ isSize: Bool) throws {
    let stream = try stream(.of(cells), mesh: true)
    _ = try stream.faces(in: frame())
    let faces = try stream.faces(
      in: frame(isSize ? 63 : 64), orientation: isSize ? .up : .right)
    #expect(faces.map(\.trackingID) == [2, 3])
  }

  /// The rotated frame is searched in three more runs, in the first and the sixteenth frame. The lock
  /// guards each run of a network, so its calls count the runs.
  @Test func rotatedFrameIsSearchedEveryHalfSecondIfMeshesAreRead() throws {
    let calls = Calls()
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.mesh = true
    let finder = try FaceFinder(
      configuration, models: .of([]),
      lock: Lock { body in
        calls.add()
        body()
      })
    let stream = FaceStream(finder)
    let counts = try (0..<17).map { _ in
      let faces = try stream.faces(in: frame())
      #expect(faces.isEmpty)
      return calls.takeCount()
    }
    #expect(counts[1] > 0 && counts[0] == 4 * counts[1] && counts[15] == counts[0])
    #expect(counts[1..<15].allSatisfy { $0 == counts[1] } && counts[16] == counts[1])
  }

  @Test func detectorRunsInEveryFrameWithoutFaces() throws {
    let calls = Calls()
    let finder = try FaceFinder(
      .init(isAccurate: false), models: .of([]),
      lock: Lock { body in
        calls.add()
        body()
      })
    let stream = FaceStream(finder)
    let counts = try (0..<8).map { _ in
      let faces = try stream.faces(in: frame())
      #expect(faces.isEmpty)
      return calls.takeCount()
    }
    #expect(counts[0] > 0)
    #expect(counts.allSatisfy { $0 == counts[0] })
  }
}
