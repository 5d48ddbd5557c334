//===--- CompileCommand.swift - martlet compile ---------------------------===//
//
// Compiles a model to Swift source, for programs without an interpreter. The weights go into the
// source or into a file.
//
// Contract  All files are written, or none if the model cannot be compiled.
// Checked   Tests/MartletToolTests/CompileCommandTests.swift, .ci/check/plugin
//===----------------------------------------------------------------------===//

import MartletModel

package struct CompileCommand: Command {
  package static let specification = CommandSpecification(
    name: "compile", summary: "Compiles a model to Swift source without an interpreter.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.swift", help: "where the source goes (needed)"),
      OptionSpecification("--name", "TYPE", help: "the type's name (default: the output's name)"),
      OptionSpecification(
        "--weights", "FILE",
        help: "where the weights go; inline: into the source (default: the output's name with .bin)"
      ),
      OptionSpecification(
        "--target", CompileTarget.allCases.map(\.rawValue).joined(separator: "|"),
        help: "the processors: all, or those with Arm's DSP extension or Helium (default: portable)"
      ),
    ])

  private let path: String
  private let output: String
  /// The file of the weights, or `nil` if they are part of the source.
  private let weights: String?
  private let name: String
  private let target: CompileTarget

  package init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    guard let output = arguments["--output"] else {
      throw .invalidValue(option: "--output", value: "", expected: "a file's path")
    }
    self.output = output
    let stem = output.hasSuffix(".swift") ? String(output.dropLast(6)) : output
    let weights = arguments["--weights"] ?? stem + ".bin"
    self.weights = weights == "inline" ? nil : weights
    name = arguments["--name"] ?? String(stem.split(separator: "/").last ?? "Model")
    guard CompiledModel.isTypeName(name) else {
      throw .invalidValue(
        option: "--name", value: name,
        expected: "a Swift type's name that generated code does not use")
    }
    let target = arguments["--target"] ?? CompileTarget.portable.rawValue
    guard let target = CompileTarget(rawValue: target) else {
      throw .invalidValue(
        option: "--target", value: target,
        expected: CompileTarget.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.target = target
  }

  /// Compiles the model and writes the files. Returns a report about them.
  package func compile() throws(FailedFile) -> String {
    let compiled = try FailedFile.naming(path) {
      try CompiledModel(
        Model(try Files.model(path)), name: name, for: target,
        weights: weights == nil ? .inline : .file)
    }
    let model = Files.identities([path])
    if let weights {
      try FailedFile.naming(weights) {
        try Files.write(compiled.weights, to: weights, sparing: model)
      }
    }
    try FailedFile.naming(output) {
      try Files.write(Array(compiled.source.utf8), to: output, sparing: model)
    }
    return """
      \(output): \(name) for \(target.rawValue), \(compiled.layerCount) layers
      \(weights ?? output): \(compiled.weights.count) bytes of weights
      memory of a run: \(compiled.arenaByteCount) bytes
      """
  }

  package func run() -> Int32 {
    do throws(FailedFile) {
      Streams.show(try compile())
      return 0
    } catch {
      Streams.failure(error.path, error.reason)
      return 1
    }
  }
}
