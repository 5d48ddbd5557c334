//===--- OperatorCasesTests.swift -----------------------------------------===//

import Foundation
import MartletInference
import MartletModel
import MartletTestSupport
import Testing

@testable import MartletCompiler

/// The one-operator models of the fixtures that can be compiled, run with their inputs.
@Suite struct OperatorCasesTests {
  /// A list of cases, of which only these parts are used.
  private struct Manifest: Decodable {
    struct Case: Decodable {
      let id: String
      let model: String
      let steps: Int?
    }
    let cases: [Case]
  }

  private static let operators: [String] = Fixtures.files(in: "Operators", withExtension: "tar")
    .map { $0.deletingPathExtension().lastPathComponent }

  @Test(arguments: operators)
  func compiledOperatorsGiveTheBytesOfTheReferenceKernels(_ name: String) throws {
    let archive = try TarArchive(
      Fixtures.bytes(of: Fixtures.folder("Operators/\(name).tar")))
    let list = try #require(archive["manifest.json"])
    for test in try JSONDecoder().decode(Manifest.self, from: Data(list)).cases {
      guard let model = try? Model(bytes: try #require(archive[test.model])) else { continue }
      let stem = test.model.dropLast("tflite".count)
      let inputs = archive[stem + "in"] ?? []
      for target in CompileTarget.allCases {
        guard let compiled = try? CompiledModel(model, name: "Model", for: target) else { continue }
        try compare(compiled, model, inputs, steps: test.steps ?? 1, "\(test.id) \(target)")
      }
    }
  }

  /// The kinds of elements that each operator is compiled for.
  @Test(arguments: [
    ("conv_2d", ["f32", "i8", "u8", "i16"]), ("depthwise_conv_2d", ["f32", "i8", "u8", "i16"]),
    ("fully_connected", ["f32", "i8", "u8", "i16"]), ("average_pool_2d", ["f32", "i8", "u8"]),
    ("max_pool_2d", ["f32", "i8", "u8"]), ("add", ["f32", "i8", "u8", "i16"]),
    ("mul", ["f32", "i8", "u8", "i16"]), ("sub", ["f32", "u8", "i16"]),
    ("softmax", ["f32", "i8", "u8", "i16"]), ("svdf", ["i8"]), ("pad", ["f32", "i8"]),
    ("concatenation", ["f32", "i8", "u8"]), ("hard_swish", ["f32", "i8"]),
    ("transpose", ["f32", "i8", "u8"]), ("slice", ["f32", "u8"]),
    ("strided_slice", ["f32", "u8"]),
    ("leaky_relu", ["f32", "i8"]), ("quantize", ["f32", "i8"]), ("dequantize", ["i8", "u8"]),
  ]) func compilesOperators(_ name: String, _ types: [String]) throws {
    let archive = try TarArchive(
      Fixtures.bytes(of: Fixtures.folder("Operators/\(name).tar")))
    let compiled = archive.files.filter { file in
      guard file.name.hasSuffix(".tflite"), let model = try? Model(bytes: file.contents) else {
        return false
      }
      return (try? CompiledModel(model, name: "Model")) != nil
    }.map(\.name)
    for type in types { #expect(compiled.contains { $0.contains("_\(type)") }, "\(type)") }
  }

  /// What the manual's table of types leaves out.
  @Test(arguments: [
    ("logistic", "i16"), ("tanh", "i16"), ("hard_swish", "i16"), ("relu", "i16"),
    ("resize_nearest_neighbor", "f32"), ("prelu", "i8"),
  ]) func refusesOtherTypes(_ name: String, _ type: String) throws {
    let archive = try TarArchive(
      Fixtures.bytes(of: Fixtures.folder("Operators/\(name).tar")))
    for file in archive.files
    where file.name.hasSuffix(".tflite") && file.name.contains("_\(type)") {
      let model = try Model(bytes: file.contents)
      #expect(throws: CompileError.self, "\(file.name)") {
        try CompiledModel(model, name: "Model")
      }
    }
  }

  @Test(arguments: [("svdf", "svdf_i8", true), ("conv_2d", "conv_2d_f32", false)])
  func modelsWithStateCanBeReset(_ name: String, _ prefix: String, _ expected: Bool) throws {
    let archive = try TarArchive(
      Fixtures.bytes(of: Fixtures.folder("Operators/\(name).tar")))
    let file = try #require(
      archive.files.first { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(".tflite") })
    let compiled = try CompiledModel(Model(bytes: file.contents), name: "Model")
    #expect(compiled.source.contains("public func reset()") == expected)
    #expect(compiled.states.isEmpty != expected)
  }

  /// Bytes of the files change at random; what can still be read is compiled or refused.
  @Test(arguments: [
    "conv_2d", "fully_connected", "mul", "pad", "concatenation", "svdf", "quantize", "transpose",
    "slice", "strided_slice",
  ])
  func damagedOperatorsAreCompiledOrRefused(_ name: String) throws {
    let archive = try TarArchive(
      Fixtures.bytes(of: Fixtures.folder("Operators/\(name).tar")))
    var random = SplitMix64(seed: 3)
    for (file, bytes) in archive.files where file.hasSuffix(".tflite") {
      for _ in 0..<200 {
        var damaged = bytes
        for _ in 0..<3 {
          damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(
            truncatingIfNeeded: random.next())
        }
        guard let model = try? Model(bytes: damaged) else { continue }
        _ = try? CompiledModel(model, name: "Model")
      }
    }
  }

  /// Compares each step with the interpreter.
  private func compare(
    _ compiled: CompiledModel, _ model: Model, _ inputs: [UInt8], steps: Int, _ name: String
  ) throws {
    let interpreter = try Interpreter(model: model, options: .init(kernels: .reference))
    var rest = inputs[...]
    let run = CompiledRun(compiled)
    for step in 0..<steps {
      let tensors = interpreter.inputs.map { tensor in
        let count = tensor.shape.elementCount * tensor.type.bitWidth / 8
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
      for (index, bytes) in tensors.enumerated() {
        try interpreter.withInput(index) { $0.copyBytes(from: bytes) }
      }
      try interpreter.invoke()
      let expected = try interpreter.outputs.indices.map { index in
        try interpreter.withOutput(index) { Array($0) }
      }
      let found = run(tensors, outputByteCounts: expected.map(\.count))
      #expect(found == expected, "\(name) step \(step)")
    }
  }
}
