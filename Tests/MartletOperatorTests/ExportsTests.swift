// Compiles with `import MartletInference` only, which must export all names that are used here.

import MartletInference
import Testing

@Suite struct ExportsTests {
  /// The values of errors.
  struct Reasons {
    let file: FlatBufferError
    let part: ModelPart
    let place: ModelPlace
    let option: ModelOption
    let reference: ModelReference
    let metadata: MetadataError
    let archive: ArchiveError
    let operand: OperandPlace
    let type: ElementType
  }

  /// Reads a model from its bytes and returns its metadata and an interpreter.
  static func prepare(
    _ bytes: [UInt8], _ kernels: KernelSet, _ operators: [Registration]
  ) throws -> (ModelMetadata?, Interpreter, inputs: [InterfaceTensor]) {
    let model = try Model(bytes: bytes)
    let interpreter = try Interpreter(
      model: model,
      options: .init(kernels: kernels, workers: Workers.serial, operators: operators))
    return (try model.readMetadata(), interpreter, interpreter.inputs)
  }

  /// The data of a custom operator.
  struct Scaling {
    let x: Operand<Float>
    let shape: Shape
    let map: Quantization?
    let code: OperatorCode
    let builtin: BuiltinOperator
  }

  @Test func emptyFileThrowsModelError() {
    #expect(throws: ModelError.self) { try ExportsTests.prepare([], .fast, []) }
  }
}
