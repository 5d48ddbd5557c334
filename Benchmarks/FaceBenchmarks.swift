//===--- FaceBenchmarks.swift - faces in a picture and in a stream --------===//
//
// Both performance modes, with all that can be told of a face: landmarks, contours, mesh, angles, smile and
// eyes. The accurate one has the larger detector and looks twice at each face.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletFaces
import MartletRuntime
import MartletVision

struct FaceBenchmarks {
  let workers: Workers

  /// The frames that a run of a stream has: in one of them the detector runs.
  private static let frameCount = FaceStream.Options().detectionInterval

  /// What is measured of a picture's file.
  func all(of file: String, at path: String) -> [Benchmark] {
    [false, true].flatMap { isAccurate in
      let mode = isAccurate ? "accurate" : "fast"
      return [
        Benchmark(name: "faces/\(file) \(mode)") { try whole(path, isAccurate) },
        Benchmark(name: "faces/\(file) \(mode) decoded") { try faces(in: path, isAccurate) },
        Benchmark(
          name: "stream/\(file) \(mode), \(FaceBenchmarks.frameCount) frames", isSteady: true
        ) {
          try stream(of: path, isAccurate)
        },
      ]
    }
  }

  /// The whole way: decode, turn upright, find faces, look at them.
  private func whole(_ path: String, _ isAccurate: Bool) throws -> Work {
    let bytes = try Files.read(path)
    let size = try ImageFile(decoding: bytes).image.size
    let finder = try finder(isAccurate, isTracking: false)
    return Work(unit: .pixels(size.width * size.height)) {
      _ = try finder.faces(in: ImageFile(decoding: bytes, workers: workers).upright)
    }
  }

  /// The same without decoding.
  private func faces(in path: String, _ isAccurate: Bool) throws -> Work {
    let picture = try ImageFile(decoding: Files.read(path)).upright
    let finder = try finder(isAccurate, isTracking: false)
    return Work(unit: .pixels(picture.width * picture.height)) {
      _ = try finder.faces(in: picture)
    }
  }

  /// The picture as frame after frame of a stream that does not end.
  private func stream(of path: String, _ isAccurate: Bool) throws -> Work {
    let frame = try ImageFile(decoding: Files.read(path)).upright
    let stream = FaceStream(try finder(isAccurate, isTracking: true))
    let pixels = FaceBenchmarks.frameCount * frame.width * frame.height
    return Work(unit: .pixels(pixels)) {
      for _ in 0..<FaceBenchmarks.frameCount { _ = try stream.faces(in: frame) }
    }
  }

  private func finder(_ isAccurate: Bool, isTracking: Bool) throws(VisionError) -> FaceFinder {
    var parts = FaceParts()
    parts.contours = .all
    (parts.landmarks, parts.expressions, parts.mesh) = (true, true, true)
    (parts.tracking, parts.isAccurate) = (isTracking, isAccurate)
    return try FaceFinder(
      .shipped(isAccurate: isAccurate), parts: parts, options: .init(workers: workers), lock: .none)
  }
}
