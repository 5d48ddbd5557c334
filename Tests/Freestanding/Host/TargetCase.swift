//===--- TargetCase.swift - a case of a conformance folder for any target -===//
//
// Built with the files of Sources/Programs/MartletTool/Conformance, which read the folder.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference

/// A request for a target, and LiteRT's outputs.
struct TargetCase {
  let id: String
  let request: [UInt8]
  let expected: [ExpectedOutput]
}

/// One output of LiteRT and the tolerance for it.
struct ExpectedOutput {
  let bytes: [UInt8]
  let type: ElementType
  /// 0 if the output holds integers.
  let tolerance: Double
  /// `bytes` holds every `stride`th element.
  var stride = 1
  /// Whether elements after `bytes` are undefined.
  var isPrefix = false

  var isInteger: Bool {
    ![.float16, .bfloat16, .float32, .float64, .complex64, .complex128].contains(type)
  }

  func matches(_ found: [UInt8]) -> Bool {
    let found = isPrefix ? Array(found.prefix(bytes.count)) : found
    return Comparison(
      output: 0, found: found, expected: bytes, type: type, tolerance: tolerance, stride: stride
    ).mismatch == nil
  }

  /// Whether two outputs have the same bits. NaNs are equal, because processors choose their sign.
  func areSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a != b, type == .float32, a.count == b.count else { return a == b }
    return (0..<a.count / 4).allSatisfy { index in
      let (a, b) = (Comparison.element(a, index, type), Comparison.element(b, index, type))
      return a.bitPattern == b.bitPattern || a.isNaN && b.isNaN
    }
  }
}

extension TargetCase {
  /// The outputs of all steps in an answer, or `nil` if it is a refusal.
  func outputs(in answer: [UInt8]) -> [[UInt8]]? {
    var reader = BlockReader(answer)
    guard reader.number() == 0 else {
      Streams.err("\(id): \(String(decoding: reader.block(), as: UTF8.self))")
      return nil
    }
    return expected.map { _ in reader.block() }
  }

  /// Whether two answers are the same.
  func isSame(_ a: [[UInt8]]?, _ b: [[UInt8]]?) -> Bool {
    guard let a, let b else { return a == b }
    return expected.indices.allSatisfy { expected[$0].areSame(a[$0], b[$0]) }
  }

  /// Calls `body` with each case of the operators or models in `folder`. Models are in the sibling
  /// folder `models`.
  static func forEach(
    in folder: FilePath, _ kernels: KernelSet, _ body: (TargetCase) throws -> Void
  ) throws {
    let manifest = try ConformanceManifest(json: Files.read(folder / "manifest.json"))
    for test in manifest.cases ?? [] { try body(TargetCase(test, folder, kernels)) }
    for model in manifest.models ?? [] {
      for test in model.cases { try body(TargetCase(test, of: model, folder, kernels)) }
    }
  }

  private init(_ test: OperatorCase, _ folder: FilePath, _ kernels: KernelSet) throws {
    let path = folder / test.model
    let base = path.removing(suffix: ".tflite")
    let (inputs, outputs) = (try Files.read(base + ".in"), try Files.read(base + ".out"))
    id = test.id
    request = TargetCase.request(
      model: try Files.read(path), kernels, extents: test.inputs(ofStep: 0).map(\.shape),
      steps: (0..<test.steps).map { step in
        test.inputs(ofStep: step).map { Array(inputs[$0.offset..<$0.offset + $0.nbytes]) }
      })
    expected = try test.outputs.indices.map { index in
      let output = test.outputs[index]
      let count = test.definedCount(ofOutput: index, in: outputs)
      return ExpectedOutput(
        bytes: Array(outputs[output.offset..<output.offset + count]),
        type: try TargetCase.type(output.dtype), tolerance: test.tolerance[index].atol ?? 0,
        isPrefix: test.compareRows != nil)
    }
  }

  private init(
    _ test: GoldenCase, of model: GoldenModel, _ folder: FilePath, _ kernels: KernelSet
  ) throws {
    id = "\(model.file) \(test.id)"
    request = TargetCase.request(
      model: try Files.read(folder / "../models" / model.file), kernels,
      extents: test.inputs.map(\.shape),
      steps: [try test.inputs.map { try GoldenInput(folder: folder).bytes(of: $0) }])
    expected = try test.outputs.map { output in
      var stride = 1
      if case .strided(let step) = output.layout { stride = step }
      return ExpectedOutput(
        bytes: try Files.read(folder / output.file),
        type: try TargetCase.type(output.dtype), tolerance: output.tolerance.atol ?? 0,
        stride: stride)
    }
  }

  private static func type(_ name: String) throws -> ElementType {
    guard let type = ElementType(manifestName: name) else {
      throw CaseFailure.failed("no type \(name)")
    }
    return type
  }

  private static func request(
    model: [UInt8], _ kernels: KernelSet, extents: [[Int]], steps: [[[UInt8]]]
  ) -> [UInt8] {
    var writer = BlockWriter()
    writer.append(kernels == .fast ? 0 : 1)
    writer.append(model)
    writer.append(extents.count)
    for extents in extents {
      writer.append(extents.count)
      for extent in extents { writer.append(extent) }
    }
    writer.append(steps.count)
    for input in steps.joined() { writer.append(input) }
    return writer.bytes
  }
}
