import Foundation
import MartletCodecs
@testable import MartletVision
import MartletImage
import MartletTestSupport
import Testing

/// The shipped networks on rendered heads, compared with the ground truth and with independent code
/// that runs the same networks.
@Suite struct GoldenHeadsTests {
  /// The ground truth of a head.
  struct Head: Decodable {
    let frame: Rectangle
    let euler: [Float]
    let leftEyeOpen, rightEyeOpen, smiling: Float
    let landmarks: [String: [Float]]
    let mesh: [Float]?
  }

  /// A face that the independent code found.
  struct Found: Decodable {
    let frame: Rectangle
    let score: Float
    let leftEyeOpenProbability, rightEyeOpenProbability, smilingProbability: Float
    let mesh: [Float]
  }

  struct Rectangle: Decodable {
    let x, y, width, height: Float
    var box: Box { Box(x: x, y: y, width: width, height: height) }
  }

  static let images = ["portrait", "winking", "turned", "tilted", "small"]

  static func finder(isAccurate: Bool) throws -> FaceFinder {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.landmarks = true
    configuration.contours = .all
    configuration.expressions = true
    configuration.isAccurate = isAccurate
    return try FaceFinder(
      configuration, lock: .none)
  }

  static func image(_ name: String) throws -> RGBImage {
    let file = Fixtures.folder("Faces").appending(path: "\(name).jpg")
    return try ImageFile(decoding: Fixtures.bytes(of: file)).upright
  }

  static func json<Value: Decodable>(_ name: String, _ type: Value.Type) throws -> Value {
    let file = Fixtures.folder("Faces").appending(path: name)
    return try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }

  /// The heads of an image, from left to right.
  static func heads(_ name: String) throws -> [Head] {
    struct Heads: Decodable {
      let portrait, winking, turned, tilted, small: [Head]
      enum CodingKeys: String, CodingKey {
        case portrait = "portrait.jpg"
        case winking = "winking.jpg"
        case turned = "turned.jpg"
        case tilted = "tilted.jpg"
        case small = "small.jpg"
      }
    }
    let heads = try json("heads.json", Heads.self)
    return [
      "portrait": heads.portrait, "winking": heads.winking, "turned": heads.turned,
      "tilted": heads.tilted, "small": heads.small,
    ][name, default: []]
  }

  /// The best matching face for each head of an image.
  static func facesByHead(_ name: String) throws -> [(Head, DetectedFace)] {
    let faces = try finder(isAccurate: true).faces(in: image(name))
    return try heads(name).map { ($0, try #require(nearest(to: $0.frame.box, of: faces))) }
  }

  static func nearest(to box: Box, of faces: [DetectedFace]) -> DetectedFace? {
    faces.max {
      $0.frame.intersectionOverUnion(with: box) < $1.frame.intersectionOverUnion(with: box)
    }
  }

  /// The mean distance in pixels between a mesh's points and `numbers`, which alternates x and y.
  static func error(of mesh: FaceMesh, _ numbers: [Float]) -> Float {
    let distances = mesh.points.indices.map { index in
      let point = mesh.points[index]
      let difference = SIMD2(point.x, point.y) - SIMD2(numbers[2 * index], numbers[2 * index + 1])
      return (difference * difference).sum().squareRoot()
    }
    return distances.reduce(0, +) / Float(distances.count)
  }

  @Test(arguments: images)
  func findsExactlyTheDrawnHeads(_ name: String) throws {
    let faces = try Self.finder(isAccurate: true).faces(in: Self.image(name))
    let heads = try Self.heads(name)
    #expect(faces.count == heads.count)
    for head in heads {
      #expect(
        faces.contains { $0.frame.intersectionOverUnion(with: head.frame.box) > 0.5 },
        "\(name): \(head.frame.box)")
    }
  }

  /// Within ten degrees, or twenty for a profile.
  @Test(arguments: ["portrait", "winking", "turned", "tilted"])
  func anglesMatchTheDrawnHeads(_ name: String) throws {
    for (head, face) in try Self.facesByHead(name) {
      let angles = try #require(face.angles)
      let error = zip([angles.x, angles.y, angles.z], head.euler).map { ($0 - $1).magnitude }
      let limit: Float = head.euler[1].magnitude > 45 ? 20 : 10
      #expect(error.allSatisfy { $0 < limit }, "\(name): \(angles), drawn \(head.euler)")
    }
  }

  /// The rotation of the image, and the change of a head's Euler angle Z in degrees.
  @Test(
    arguments: [(.right, -90), (.left, 90)] as [(ImageOrientation, Float)], [true, false])
  func findsHeadsInATurnedImage(
    _ turn: (orientation: ImageOrientation, degrees: Float), _ isAccurate: Bool
  ) throws {
    let portrait = try Self.image("portrait")
    let faces = try Self.finder(isAccurate: isAccurate).faces(
      in: portrait.upright(from: turn.orientation))
    let heads = try Self.heads("portrait")
    #expect(faces.count == heads.count)
    for head in heads {
      let box = turn.orientation.upright(head.frame.box, storedSize: portrait.size)
      let face = try #require(Self.nearest(to: box, of: faces))
      #expect(face.frame.intersectionOverUnion(with: box) > 0.5)
      let angle = try #require(face.angles).z
      #expect((angle - head.euler[2] - turn.degrees).magnitude < 10)
    }
  }

  /// MediaPipe's BlazeFace (short range) finds this face at x 98, y 158 with a side of 147 pixels.
  @Test(arguments: [true, false])
  func findsAFaceTurnedByAQuarter(_ isAccurate: Bool) throws {
    let faces = try Self.finder(isAccurate: isAccurate).faces(in: Self.image("turned-90"))
    #expect(faces.count == 1)
    let blazeFace = Box(x: 98, y: 158, width: 147, height: 147)
    #expect(try #require(faces.first).frame.intersectionOverUnion(with: blazeFace) > 0.5)
  }

  /// The mean error is below a tenth of the distance between the outer eye corners. Profiles are
  /// skipped.
  @Test(arguments: ["portrait", "winking", "turned", "tilted"])
  func meshPointsMatchTheDrawnHeads(_ name: String) throws {
    for (head, face) in try Self.facesByHead(name) where head.euler[1].magnitude < 45 {
      let drawn = try #require(head.mesh)
      let eyes = SIMD2(drawn[66], drawn[67]) - SIMD2(drawn[526], drawn[527])
      let error = Self.error(of: try #require(face.mesh), drawn) / (eyes * eyes).sum().squareRoot()
      #expect(error < 0.1, "\(name)")
    }
  }

  /// Only images whose heads face the camera.
  @Test(arguments: ["portrait", "winking"])
  func expressionsMatchTheDrawnHeads(_ name: String) throws {
    for (head, face) in try Self.facesByHead(name) {
      #expect((try #require(face.leftEyeOpen) > 0.5) == (head.leftEyeOpen > 0.5), "\(name)")
      #expect((try #require(face.rightEyeOpen) > 0.5) == (head.rightEyeOpen > 0.5), "\(name)")
      #expect((try #require(face.smile) > 0.5) == (head.smiling > 0.5), "\(name)")
    }
  }

  /// The reference resizes and rotates differently, and its exponentials differ in the last bits.
  @Test(arguments: images, [false, true])
  func facesMatchTheReferenceCode(_ name: String, _ isAccurate: Bool) throws {
    let golden = try Self.json("golden.json", [String: [String: [Found]]].self)
    let expected = try #require(golden["\(name).jpg"]?[isAccurate ? "accurate" : "fast"])
    let faces = try Self.finder(isAccurate: isAccurate).faces(in: Self.image(name))
      .filter { $0.mesh != nil }
    #expect(faces.count == expected.count)
    for found in expected {
      let face = try #require(Self.nearest(to: found.frame.box, of: faces))
      #expect(face.frame.intersectionOverUnion(with: found.frame.box) > 0.9, "\(face.frame)")
      #expect((face.score - found.score).magnitude < 0.03)
      let error = Self.error(of: try #require(face.mesh), found.mesh)
      #expect(error < 0.03 * face.frame.width, "\(name): \(error) pixels")
      let pairs = [
        (face.leftEyeOpen, found.leftEyeOpenProbability),
        (face.rightEyeOpen, found.rightEyeOpenProbability), (face.smile, found.smilingProbability),
      ]
      for case (let own?, let other) in pairs { #expect((own - other).magnitude < 0.1) }
    }
  }

  // MARK: - Streams

  /// Two heads cross, one hidden for five frames, while a third turns.
  @Test(arguments: [false, true])
  func identifiersStayWhenHeadsCross(_ needsMesh: Bool) throws {
    struct Video: Decodable {
      let frames: [[Place]]
      enum CodingKeys: String, CodingKey { case frames = "crossing.mjpeg" }
    }
    struct Place: Decodable {
      let box: [Float]
      let seen: Float
    }
    let places = try Self.json("heads.json", Video.self).frames
    let file = Fixtures.folder("Faces").appending(path: "crossing.mjpeg")
    var reader = MJPEGReader(ByteSource(try Fixtures.bytes(of: file)))
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.mesh = needsMesh
    configuration.isStream = true
    let stream = FaceStream(
      try FaceFinder(configuration, lock: .none))
    var identifiers = [Set<Int>](repeating: [], count: 3)
    var missed = 0
    for row in places {
      let frame = try reader.next()
      let faces = try stream.faces(in: #require(frame))
      for (head, place) in row.enumerated() where place.seen > 0.7 {
        let box = Box(x: place.box[0], y: place.box[1], width: place.box[2], height: place.box[3])
        let face = Self.nearest(to: box, of: faces)
          .flatMap { $0.frame.intersectionOverUnion(with: box) > 0.3 ? $0 : nil }
        if let face { identifiers[head].insert(try #require(face.trackingID)) } else { missed += 1 }
      }
    }
    #expect(identifiers.map(\.count) == [1, 1, 1])
    #expect(Set(identifiers.joined()).count == 3)
    #expect(missed <= 5)
  }

  /// The portrait with camera noise (standard deviation 3 of 255): the RMS motion of mesh points
  /// stays below 0.3 % of the face's width.
  @Test func pointsOfRestingFaceDoNotJitter() throws {
    var configuration = FaceConfiguration(isAccurate: false)
    configuration.mesh = true
    configuration.isStream = true
    let stream = FaceStream(
      try FaceFinder(configuration, lock: .none))
    let image = try Self.image("portrait")
    var noise = Noise()
    var meshes: [FaceMesh] = []
    var width: Float = 0
    for _ in 0..<20 {
      let pixels = image.pixels.map { value in
        UInt8(min(max(Int(value) + noise.next(), 0), 255))
      }
      let frame = try RGBImage(width: image.width, height: image.height, pixels: pixels)
      let face = try #require(stream.faces(in: frame).first)
      meshes.append(try #require(face.mesh))
      width = face.frame.width
    }
    var square: Float = 0
    for index in 0..<FaceMesh.pointCount {
      let points = meshes.dropFirst(5).map { SIMD2($0.points[index].x, $0.points[index].y) }
      let mean = points.reduce(.zero, +) / Float(points.count)
      square += points.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Float(points.count)
    }
    let jitter = (square / Float(FaceMesh.pointCount)).squareRoot()
    #expect(jitter < 0.003 * width, "\(jitter / width) of the face's width")
  }

  /// Pseudorandom numbers, the same in every run.
  struct Noise {
    var state: UInt64 = 7

    /// Mean 0, standard deviation 3: the number of set bits among 36 random bits, minus 18.
    mutating func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 28).nonzeroBitCount - 18
    }
  }
}
