//===--- ImageBenchmarks.swift - codecs and detection ---------------------===//
//
// The processing of an image from its file to the detected objects and to an annotated file, step
// by step and as a whole.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletVision
import MartletWeights

struct ImageBenchmarks {
  let workers: Workers

  private static let suffixes = [
    ".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".ico", ".ppm", ".pgm",
    ".pnm",
  ]

  /// The folder of the tests' images.
  static var samples: FilePath { FilePath(#filePath).parent / "../Tests/Fixtures/Scenes" }

  /// The benchmarks of all steps for each image of a folder.
  func all(in folder: FilePath) throws(FileError) -> [Benchmark] {
    try Files.list(folder).filter { ImageBenchmarks.suffixes.contains(where: $0.hasEnding) }
      .flatMap { steps(for: $0, at: folder / $0) }
  }

  private func steps(for file: FilePath, at path: FilePath) -> [Benchmark] {
    let isPNG = file.hasEnding(".png")
    let isGIF = file.hasEnding(".gif")
    let ofFormat =
      (isPNG ? [] : [decodingAsPNG(file, at: path)])
      + (isGIF ? [decodingFrames(of: file, at: path)] : [])
    return ofFormat + [
      Benchmark(name: "decode/\(file)") {
        let bytes = try Files.read(path)
        let size = try ImageFile(decoding: bytes).image.size
        return Work(unit: .pixels(size.width * size.height)) {
          _ = try ImageFile(decoding: bytes, workers: workers)
        }
      },
      Benchmark(name: "encode/\(file) as PNG") {
        let raster = try raster(of: path)
        return Work(unit: .pixels(raster.width * raster.height)) { _ = PNG.encode(raster) }
      },
      Benchmark(name: "encode/\(file) as JPEG") {
        let raster = try raster(of: path)
        return Work(unit: .pixels(raster.width * raster.height)) { _ = try JPEG.encode(raster) }
      },
      Benchmark(name: "prepare/\(file)") { try preparation(of: path) },
      Benchmark(name: "detect/\(file)") { try detection(in: path) },
      Benchmark(name: "annotate/\(file)") { try annotation(of: path) },
    ] + FaceBenchmarks(workers: workers).all(of: file, at: path)
  }

  private func decodingAsPNG(_ file: FilePath, at path: FilePath) -> Benchmark {
    Benchmark(name: "decode/\(file) as PNG") {
      let raster = try raster(of: path)
      let bytes = PNG.encode(raster)
      return Work(unit: .pixels(raster.width * raster.height)) {
        _ = try ImageFile(decoding: bytes, workers: workers)
      }
    }
  }

  /// Decodes and composes all frames of a GIF file.
  private func decodingFrames(of file: FilePath, at path: FilePath) -> Benchmark {
    Benchmark(name: "frames/\(file)") {
      let bytes = try Files.read(path)
      var (reader, count) = (try GIFReader(ByteSource(bytes)), 0)
      while let frame = try reader.next() { count += frame.size.width * frame.size.height }
      return Work(unit: .pixels(count)) {
        var reader = try GIFReader(ByteSource(bytes))
        while try reader.next() != nil {}
      }
    }
  }

  /// Draws five labeled boxes, the default maximum of a detection.
  private func annotation(of path: FilePath) throws -> Work {
    let image = try ImageFile(decoding: Files.read(path)).upright
    let annotations = (0..<5).map { index in
      let box = Box(
        x: Float(index * image.width / 8), y: Float(index * image.height / 8),
        width: Float(image.width / 3), height: Float(image.height / 3))
      return Annotation(box: box, texts: ["1 Home good 87%, object 69%"], colorIndex: index)
    }
    return Work(unit: .pixels(image.width * image.height)) {
      _ = image.annotated(annotations)
    }
  }

  private func raster(of path: FilePath) throws -> Raster {
    let image = try ImageFile(decoding: Files.read(path)).upright
    return Raster(
      width: image.width, height: image.height, channels: 3, samples: image.pixels)
  }

  /// Resizes an image to the localizer's input size.
  private func preparation(of path: FilePath) throws -> Work {
    let image = try ImageFile(decoding: Files.read(path)).upright
    let model = try Model(bytes: ShippedModel.localizer.bytes)
    let shape = try Interpreter(model: model).inputs[0].shape
    let size = ImageSize(width: shape[2], height: shape[1])
    return Work(unit: .pixels(image.width * image.height)) {
      _ = try image.resized(to: size, workers: workers)
    }
  }

  /// The complete process: decode, large photographs at a part of their size, rotate upright, detect
  /// and classify objects.
  private func detection(in path: FilePath) throws -> Work {
    let bytes = try Files.read(path)
    let size = try ImageFile(decoding: bytes).image.size
    let options = Interpreter.Options(workers: workers)
    var configuration = ObjectConfiguration(limit: 5, labels: .coarse())
    configuration.minimumScore = 0.03
    let finder = try ObjectFinder(configuration, execution: options, lock: .none)
    return Work(unit: .pixels(size.width * size.height)) {
      let image = try ImageFile(
        decoding: bytes, minimumSide: ImageFile.detectionSide, workers: workers
      ).upright
      _ = try finder.objects(in: image)
    }
  }
}
