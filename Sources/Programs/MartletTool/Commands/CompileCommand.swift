//===--- CompileCommand.swift - martlet compile ---------------------------===//
//
// Compiles a model to Swift source and a file of weights, for programs without an interpreter.
//
// Contract  Both files are written, or neither if the model cannot be compiled.
// Checked   Tests/MartletToolTests/CompileCommandTests.swift
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletCompiler
import MartletModel

struct CompileCommand: Command {
  static let specification = CommandSpecification(
    name: "compile", summary: "Compiles a model to Swift source without an interpreter.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.swift", help: "where the source goes (needed)"),
      OptionSpecification("--name", "TYPE", help: "the type's name (default: the output's name)"),
      OptionSpecification(
        "--weights", "FILE",
        help: "where the weights go (default: the output's name with .bin)"),
      OptionSpecification(
        "--target", CompileTarget.allCases.map(\.rawValue).joined(separator: "|"),
        help: "the processors: all, or those with Arm's DSP extension or Helium (default: portable)"
      ),
    ])

  private let path: String
  private let output: String
  private let weights: String
  private let name: String
  private let target: CompileTarget

  init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    guard let output = arguments["--output"] else {
      throw .invalidValue(option: "--output", value: "", expected: "a file's path")
    }
    self.output = output
    let stem = output.hasSuffix(".swift") ? String(output.dropLast(6)) : output
    weights = arguments["--weights"] ?? stem + ".bin"
    name = arguments["--name"] ?? String(stem.split(separator: "/").last ?? "Model")
    guard CompiledModel.isTypeName(name) else {
      throw .invalidValue(option: "--name", value: name, expected: "a Swift type's name")
    }
    let target = arguments["--target"] ?? CompileTarget.portable.rawValue
    guard let target = CompileTarget(rawValue: target) else {
      throw .invalidValue(
        option: "--target", value: target,
        expected: CompileTarget.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.target = target
  }

  func run() -> Int32 {
    do {
      let compiled = try FailedFile.naming(path) {
        try CompiledModel(Model(try Files.model(path)), name: name, for: target)
      }
      let model = Files.identities([path])
      try FailedFile.naming(weights) {
        try Files.write(compiled.weights, to: weights, sparing: model)
      }
      try FailedFile.naming(output) {
        try Files.write(Array(compiled.source.utf8), to: output, sparing: model)
      }
      Streams.show(
        """
        \(output): \(name) for \(target.rawValue), \(compiled.layerCount) layers
        \(weights): \(compiled.weights.count) bytes of weights
        memory of a run: \(compiled.arenaByteCount) bytes
        """)
      return 0
    } catch {
      Streams.failure(error)
      return 1
    }
  }
}
