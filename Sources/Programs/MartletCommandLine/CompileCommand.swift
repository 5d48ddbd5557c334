//===--- CompileCommand.swift - martlet compile ---------------------------===//
//
// Compiles a model to Swift source, for programs without an interpreter. The weights go into the
// source or into a file.
//
// Contract  All files are written, the source first, or none.
//===----------------------------------------------------------------------===//

import MartletCompiler
import MartletModel

package struct CompileCommand: Command {
  package static let specification = CommandSpecification(
    name: "compile", summary: "Compiles a model to Swift source that needs no interpreter.",
    operands: "MODEL.tflite", operandCount: 1...1,
    options: [
      OptionSpecification("--output", "FILE.swift", help: "Swift file to write (required)"),
      OptionSpecification("--name", "TYPE", help: "Name of the type (default: the output's name)"),
      OptionSpecification(
        "--weights", "FILE",
        help: "File for the weights, or inline (default: output's name with .bin)"
      ),
      OptionSpecification(
        "--target", CompileTarget.allCases.map(\.rawValue).joined(separator: "|"),
        help: "Kernels for all processors, Arm DSP, or Helium (default: portable)"
      ),
    ])

  private let path: FilePath
  private let output: FilePath
  /// The file of the weights, or `nil` if they are part of the source.
  private let weights: FilePath?
  private let name: String
  private let target: CompileTarget

  package init(_ arguments: Arguments) throws(UsageError) {
    path = arguments.operands.first ?? ""
    output = try arguments.required("--output")
    let stem = output.removing(suffix: ".swift")
    let weights = arguments.path("--weights") ?? stem + ".bin"
    self.weights = weights == "inline" ? nil : weights
    name = arguments["--name"] ?? "\(stem.name)"
    guard CompiledModel.isTypeName(name) else {
      throw .invalidValue(
        option: "--name", value: name,
        expected: "the name of a Swift type that generated code does not use")
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
    let outputs = Outputs(sparing: [path])
    func file(_ path: FilePath, _ bytes: [UInt8]) throws(FailedFile) -> OutputFile {
      try FailedFile.naming(path) {
        let file = try outputs.file(path)
        try file.append(bytes)
        return file
      }
    }
    let source = try file(output, Array(compiled.source.utf8))
    let blob = try weights.map { path throws(FailedFile) in try file(path, compiled.weights) }
    try FailedFile.naming(output) { _ = try source.finish() }
    do throws(FileError) { try blob?.finish() } catch {
      source.undo()
      throw FailedFile(path: error.path, reason: error)
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
