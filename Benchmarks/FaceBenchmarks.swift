//===--- FaceBenchmarks.swift - faces in images and streams ---------------===//
//
// Both performance modes, with all parts of a face: landmarks, contours, mesh, angles, smile and
// eyes. The accurate mode has the larger detector and runs the mesh network twice per face. For
// small faces it also searches parts of the image.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision

struct FaceBenchmarks {
  /// The requested options.
  private enum Mode: String, CaseIterable {
    case fast
    case accurate
    case small = "accurate, small faces"

    var configuration: FaceConfiguration {
      var configuration = FaceConfiguration(isAccurate: false)
      configuration.contours = .all
      (configuration.landmarks, configuration.expressions, configuration.mesh) = (true, true, true)
      configuration.isAccurate = self != .fast
      configuration.minimumSize = self == .small ? 0 : 0.1
      return configuration
    }
  }

  let workers: Workers

  /// The frames of a run of a stream; the detector runs in one of them.
  private static let frameCount = FaceStream.Options().detectionInterval

  /// The benchmarks of an image file.
  func all(of file: FilePath, at path: FilePath) -> [Benchmark] {
    Mode.allCases.flatMap { mode in
      [
        Benchmark(name: "faces/\(file) \(mode.rawValue)") { try whole(path, mode) },
        Benchmark(name: "faces/\(file) \(mode.rawValue) decoded") { try faces(in: path, mode) },
        Benchmark(
          name: "stream/\(file) \(mode.rawValue), \(FaceBenchmarks.frameCount) frames",
          isSteady: true
        ) {
          try stream(of: path, mode)
        },
      ]
    }
  }

  /// The complete process: decode, rotate upright, detect faces and their parts.
  private func whole(_ path: FilePath, _ mode: Mode) throws -> Work {
    let bytes = try Files.read(path)
    let size = try ImageFile(decoding: bytes).image.size
    let finder = try finder(mode, isTracking: false)
    return Work(unit: .pixels(size.width * size.height)) {
      let image = try ImageFile(
        decoding: bytes, minimumSide: ImageFile.detectionSide, workers: workers
      ).upright
      _ = try finder.faces(in: image)
    }
  }

  /// The same without decoding.
  private func faces(in path: FilePath, _ mode: Mode) throws -> Work {
    let image = try ImageFile(decoding: Files.read(path)).upright
    let finder = try finder(mode, isTracking: false)
    return Work(unit: .pixels(image.width * image.height)) {
      _ = try finder.faces(in: image)
    }
  }

  /// Repeats the image as the frames of an endless stream.
  private func stream(of path: FilePath, _ mode: Mode) throws -> Work {
    let frame = try ImageFile(decoding: Files.read(path)).upright
    let stream = FaceStream(try finder(mode, isTracking: true))
    let pixels = FaceBenchmarks.frameCount * frame.width * frame.height
    return Work(unit: .pixels(pixels)) {
      for _ in 0..<FaceBenchmarks.frameCount { _ = try stream.faces(in: frame) }
    }
  }

  private func finder(_ mode: Mode, isTracking: Bool) throws(VisionError) -> FaceFinder {
    var configuration = mode.configuration
    configuration.isStream = isTracking
    return try FaceFinder(configuration, execution: .init(workers: workers), lock: .none)
  }
}
