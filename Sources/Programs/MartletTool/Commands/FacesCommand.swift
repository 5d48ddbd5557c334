//===--- FacesCommand.swift - martlet faces -------------------------------===//

import MartletCommandLine
import MartletVision

struct FacesCommand: Command {
  static let specification = CommandSpecification(
    name: "faces", summary: "Detects faces, landmarks and expressions in images.",
    operands: "IMAGE...", operandCount: 0...Int.max,
    options: Inputs.options + FaceOptions.options + ConfigurationOptions.options
      + ImageSearch.outputOptions,
    remarks: [
      Inputs.remark, "example: martlet faces photos --landmarks --classify --annotate annotated",
    ])

  private let images: ImageSearch
  private let faces: FaceOptions
  private let options: Interpreter.Options

  init(_ arguments: Arguments) throws(UsageError) {
    images = try ImageSearch(arguments)
    faces = try FaceOptions(arguments)
    options = try arguments.interpreterOptions(images.deadline)
  }

  func run() -> Int32 {
    let finder: FaceFinder
    do {
      finder = try faces.finder(options)
    } catch {
      Streams.failure(error)
      return 1
    }
    return images.run(options.workers, classes: [FaceResult.noun]) { image throws(VisionError) in
      try finder.results(in: image)
    }
  }
}
