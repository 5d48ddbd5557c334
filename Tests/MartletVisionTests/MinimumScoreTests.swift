import MartletTestSupport
import Testing

@testable import MartletCodecs
@testable import MartletVision

/// A higher minimum score reports a subset of the objects, of images and of streams.
@Suite struct MinimumScoreTests {
  private static let minimums: [Float] = [
    0, 0.01, 0.03, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1,
  ]

  private static func images(in folder: String) throws -> [(name: String, image: RGBImage)] {
    let files = Fixtures.files(in: folder, withExtension: "jpg")
    try #require(files.count > 4)
    return try files.map {
      ($0.lastPathComponent, try ImageFile(decoding: Fixtures.bytes(of: $0)).upright)
    }
  }

  /// Expects that no object scores below its minimum, and that each list holds those of higher
  /// minimums. `isWhole`: whether no list is cut by a limit.
  private func expectNested(
    _ lists: [(minimum: Float, objects: [DetectedObject])], isWhole: Bool, _ name: String
  ) {
    for (index, list) in lists.enumerated() {
      #expect(list.objects.allSatisfy { $0.score >= list.minimum }, "\(name), \(list.minimum)")
      guard index > 0 else { continue }
      let lower = lists[index - 1].objects
      #expect(list.objects.count <= lower.count, "\(name), \(list.minimum)")
      guard isWhole else { continue }
      #expect(list.objects.allSatisfy { lower.contains($0) }, "\(name), \(list.minimum)")
    }
  }

  @Test(arguments: [1, 2, 5, 20]) func higherMinimumNeverGivesMoreObjects(_ limit: Int) throws {
    for (name, image) in try MinimumScoreTests.images(in: "Scenes") {
      func objects(_ minimum: Float?) throws -> [DetectedObject] {
        try ObjectFinder(.init(limit: limit, minimumScore: minimum), lock: .none)
          .objects(in: image)
      }
      let lists = try MinimumScoreTests.minimums.map { ($0, try objects($0)) }
      expectNested(lists, isWhole: limit == 20, name)
      #expect(!lists[0].1.isEmpty)
      #expect(try objects(nil) == objects(limit == 1 ? 0.03 : 0.25))
    }
  }

  /// The frames of a video with three objects.
  private static func frames() throws -> [RGBImage] {
    let file = Fixtures.folder("Videos").appending(path: "table.mjpeg")
    var reader = MJPEGReader(ByteSource(try Fixtures.bytes(of: file)))
    var frames: [RGBImage] = []
    while let frame = try? reader.next() { frames.append(frame) }
    return frames
  }

  private static func tracked(
    _ frames: [RGBImage], _ minimum: Float?, limit: Int
  ) throws -> [[DetectedObject]] {
    let stream = try ObjectStream(.init(limit: limit, minimumScore: minimum), lock: .none)
    return try frames.map { try stream.objects(in: $0) }
  }

  /// Up to 20 objects in a frame, which is more than there are, and up to 2.
  @Test(arguments: [20, 2]) func streamReportsNoObjectBelowTheMinimumScore(_ limit: Int) throws {
    let frames = try MinimumScoreTests.frames()
    #expect(frames.count == 48)
    let minimums: [Float?] = [0, nil, 0.25, 0.5, 0.7, 0.9]
    let runs = try minimums.map { try MinimumScoreTests.tracked(frames, $0, limit: limit) }
    for frame in frames.indices {
      let lists = zip(minimums, runs).map { ($0 ?? 0.08, $1[frame]) }
      expectNested(lists, isWhole: limit == 20, "frame \(frame)")
    }
    let counts = runs.map { $0.reduce(0) { $0 + $1.count } }
    #expect(counts == counts.sorted(by: >) && counts[0] > counts[5])
  }

  @Test func streamOfOneObjectReportsOneFromTheMinimumScoreOn() throws {
    let frames = try MinimumScoreTests.frames()
    let several = try MinimumScoreTests.tracked(frames, 0.7, limit: 20)
    let one = try MinimumScoreTests.tracked(frames, 0.7, limit: 1)
    for (frame, objects) in one.enumerated() {
      #expect(objects.count == min(several[frame].count, 1), "frame \(frame)")
      #expect(objects.allSatisfy { several[frame].contains($0) })
    }
  }

  /// From 0.4 on, the default, the box of a face does not depend on the minimum score.
  @Test(arguments: [false, true]) func higherMinimumNeverGivesMoreFaces(_ isAccurate: Bool) throws {
    for (name, image) in try MinimumScoreTests.images(in: "Faces") {
      var last: [DetectedFace]?
      for minimum in [0.05, 0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 1] as [Float] {
        var options = FaceConfiguration(isAccurate: false)
        (options.isAccurate, options.minimumScore) = (isAccurate, minimum)
        let faces = try FaceFinder(options, lock: .none).faces(in: image)
        #expect(faces.allSatisfy { $0.score >= minimum }, "\(name), \(minimum)")
        #expect(faces.count <= last?.count ?? .max, "\(name), \(minimum)")
        if minimum > 0.4, let last {
          #expect(faces.allSatisfy { face in last.contains { $0.frame == face.frame } })
        }
        last = faces
      }
    }
  }
}
