//===--- RunCommand.swift - martlet run -----------------------------------===//
//
// Runs a model on raw tensors and writes raw tensors, for comparison with other runtimes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletCommandLine
import MartletInference
import MartletModel

struct RunCommand: Command {
  static let specification = CommandSpecification(
    name: "run", summary: "Runs a TensorFlow Lite model on raw tensors.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification(
        "--input", "FILE", repeats: true, isInput: true,
        help: "Little-endian elements; once per input, in the model's order"),
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

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    inputs = arguments.paths("--input")
    output = arguments.path("--output")
    outputs = Outputs(arguments)
    signature = arguments["--signature"]
    repetitions = try arguments.integer("--repeat", in: 1...Int.max) ?? 1
    options = try arguments.interpreterOptions()
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
          try interpreter.setInput(index, to: try Files.read(file, limit: options.memoryLimit))
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

  private func report(_ interpreter: Interpreter) throws {
    var table = TextTable([
      ("output", .right), ("name", .left), ("type", .left), ("shape", .left),
    ])
    var descriptions: [JSON] = []
    if let output { try Files.makeFolder(output) }
    for (index, tensor) in interpreter.outputs.enumerated() {
      table.add(String(index), tensor.name, "\(tensor.type)", "\(tensor.shape)")
      descriptions.append(tensor.json)
      if let output {
        try outputs.write(try interpreter.output(index), to: output / "\(index).bin")
      }
    }
    if let output {
      let json = JSON.array(descriptions).description + "\n"
      try outputs.write([UInt8](json.utf8), to: output / "outputs.json")
    }
    Streams.out("\(table)")
  }
}
