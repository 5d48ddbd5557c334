//===--- DecodeCommand.swift - martlet decode -----------------------------===//
//
// Converts image files to raw samples, for comparison with other decoders.
//===----------------------------------------------------------------------===//

import MartletCodecs
import MartletCommandLine
import MartletInference

struct DecodeCommand: Command {
  static let specification = CommandSpecification(
    name: "decode", summary: "Decodes images to PPM files, ignoring the orientation.",
    operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.rawOptions + [
      OptionSpecification(
        "--output", "DIR", help: "Output folder; a/b.jpg becomes DIR/a_b.jpg.ppm (default: .)")
    ])

  private let inputs: Inputs
  private let folder: FilePath
  private let workers: Workers

  init(_ arguments: Arguments) throws(UsageError) {
    inputs = try Inputs(arguments, isRaw: true)
    folder = arguments.path("--output") ?? "."
    workers = try arguments.workers()
  }

  func run() -> Int32 {
    var names = UniqueNames()
    let images = inputs.images(workers)
    for (path, decoded) in images {
      do {
        let input = try decoded.get()
        let image = input.file.image
        try Files.makeFolder(folder)
        // The pixels are written from where they are: a copy would double the memory.
        let output = try inputs.outputs.file(
          names.next(path.flattened, ".ppm", in: folder, of: inputs.outputs))
        try output.append(PNM.header(width: image.width, height: image.height, channels: 3))
        try output.append(image.pixels)
        try output.finish()
      } catch {
        images.report(error, about: path)
      }
    }
    return images.finish()
  }
}
