//===--- RunCommand.swift - martlet run -----------------------------------===//
//
// Runs a model on tensors: raw elements, arrays of NumPy, or an image for a model with one image as
// input. Prints the first values of the outputs, or all as JSON, and writes raw tensors.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCodecs
import MartletCommandLine
import MartletInference
import MartletModel
import MartletVision

struct RunCommand: Command {
  static let specification = CommandSpecification(
    name: "run", summary: "Runs a TensorFlow Lite model on tensors or an image.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification(
        "--input", "FILE", repeats: true, isInput: true,
        help: "Raw elements, .npy or an image; once per input, in the model's order"),
      OptionSpecification(
        "--mean", "X[,Y,Z]", needs: ["--input"],
        help: "Mean to subtract from each channel of an image (default: the model's)"),
      OptionSpecification(
        "--std", "X[,Y,Z]", needs: ["--input"],
        help: "Standard deviation to divide each channel by (default: the model's)"),
      OptionSpecification("--json", help: "Print the outputs with all values as JSON"),
      OptionSpecification("--output", "DIR", help: "Write 0.bin, 1.bin, … and outputs.json to DIR"),
      OptionSpecification("--kernels", "fast|reference", help: "Kernels to use (default: fast)"),
      OptionSpecification(
        "--shape", "I=1,2,3", repeats: true, help: "Resize input I (from 0) to this shape"),
      OptionSpecification(
        "--signature", "KEY", help: "Run this signature, with inputs and outputs in its order"),
      OptionSpecification("--repeat", "N", help: "Invoke N times without reset (default: 1)"),
      TimeoutOption.ofModels,
    ])

  private let path: FilePath
  private let inputs: [FilePath]
  private let output: FilePath?
  private let outputs: Outputs
  private let shapes: [(index: Int, extents: [Int])]
  private let signature: String?
  private let repetitions: Int
  private let options: Interpreter.Options
  private let normalization: PixelNormalization?
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    inputs = arguments.paths("--input")
    output = arguments.path("--output")
    outputs = Outputs(arguments)
    signature = arguments["--signature"]
    repetitions = try arguments.integer("--repeat", in: 1...Int.max) ?? 1
    options = try arguments.interpreterOptions()
    isJSON = arguments.has("--json")
    if let (means, deviations) = try arguments.normalization() {
      do throws(ImageError) {
        normalization = try PixelNormalization(mean: means, deviation: deviations)
      } catch {
        throw .invalidValue(
          option: "--std", value: arguments["--std"] ?? "", expected: "numbers other than zero")
      }
    } else {
      normalization = nil
    }
    var shapes: [(index: Int, extents: [Int])] = []
    for text in arguments.all("--shape") {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      let extents =
        parts.count == 2
        ? parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) } : []
      let known = extents.compactMap(\.self)
      guard let index = parts.first.flatMap({ Int($0) }), !known.isEmpty,
        known.count == extents.count
      else { throw .invalidValue(option: "--shape", value: text, expected: "I=1,2,3") }
      shapes.append((index, known))
    }
    self.shapes = shapes
  }

  func run() -> Int32 {
    do {
      let model = try Model(try Files.model(path))
      let interpreter = try model.namingMissingOperators(options) {
        () throws(InferenceError) -> Interpreter in
        if let signature {
          return try Interpreter(model: model, signature: signature, options: options)
        }
        return try Interpreter(model: model, options: options)
      }
      for (index, extents) in shapes { try interpreter.resizeInput(index, to: extents) }
      for (index, file) in inputs.enumerated() {
        do {
          try fill(index, of: interpreter, model, with: file)
        } catch {
          Streams.failure(file, error)
          return 1
        }
      }
      let count = interpreter.inputs.count
      if inputs.count < count {
        Streams.err(
          "martlet: \(path): found \(inputs.count) of \(count) inputs; the others are zero")
      }
      for _ in 0..<repetitions { try interpreter.invoke() }
      try report(interpreter)
      return 0
    } catch {
      Streams.failure(path, error)
      return 1
    }
  }

  /// Copies a file's tensor or image into input `index`. A file of the tensor's size is raw.
  private func fill(
    _ index: Int, of interpreter: Interpreter, _ model: Model, with file: FilePath
  ) throws {
    let bytes = try Files.read(file, limit: options.memoryLimit)
    let inputs = interpreter.inputs
    let tensor = inputs.indices.contains(index) ? inputs[index] : nil
    let isRaw = tensor?.type.byteCount(of: tensor?.shape.elementCount ?? 0) == bytes.count
    if let tensor, NPYFile.matches(bytes) {
      try interpreter.setInput(
        index, to: NPYFile(bytes).elements(of: tensor.type, shape: tensor.shape))
    } else if !isRaw, let image = try ImageFile(ifImage: bytes, workers: options.workers) {
      try interpreter.setInput(
        to: image.upright, of: model, normalization: normalization, workers: options.workers)
    } else {
      try interpreter.setInput(index, to: bytes)
    }
  }

  private func report(_ interpreter: Interpreter) throws {
    var table = TextTable([
      ("output", .right), ("name", .left), ("type", .left), ("shape", .left), ("values", .left),
    ])
    var results: [JSON] = []
    var descriptions: [JSON] = []
    if let output { try Files.makeFolder(output) }
    for (index, tensor) in interpreter.outputs.enumerated() {
      let bytes = try interpreter.output(index)
      let values = TensorValues(bytes, tensor.type)
      table.add(
        String(index), tensor.name, "\(tensor.type)", "\(tensor.shape)", values.beginning)
      descriptions.append(tensor.json)
      results.append(tensor.json + [("values", values.json)])
      if let output { try outputs.write(bytes, to: output / "\(index).bin") }
    }
    if let output {
      let json = JSON.array(descriptions).description + "\n"
      try outputs.write([UInt8](json.utf8), to: output / "outputs.json")
    }
    Streams.out(isJSON ? "\(JSON.object([("outputs", .array(results))]))" : "\(table)")
  }
}

extension ImageFile {
  /// Decodes an image file; `nil` if the bytes are none.
  fileprivate init?(ifImage bytes: [UInt8], workers: Workers) throws(ImageFileError) {
    let beginning = Array(bytes.prefix(ImageFile.signatureLength))
    guard
      (try? ImageFile.check(beginning: beginning, byteCount: nil, limits: ImageLimits())) != nil
    else { return nil }
    try self.init(decoding: bytes, workers: workers)
  }
}
