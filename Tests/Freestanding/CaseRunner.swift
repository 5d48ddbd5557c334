//===--- CaseRunner.swift - runs a model on the inputs of a request -------===//
//
// Shared by all targets: the host, WebAssembly and arm64. CaseStream.swift documents the format.
//===----------------------------------------------------------------------===//

import MartletInference
import MartletModel

/// Runs one case. Inputs whose extents differ from the model's are resized.
func answer(_ request: [UInt8]) -> [UInt8] {
  var reader = BlockReader(request)
  do throws(ModelError) {
    let options = Interpreter.Options(kernels: reader.number() == 0 ? .fast : .reference)
    let model = try Model(bytes: reader.block())
    do throws(InferenceError) {
      let interpreter = try Interpreter(model: model, options: options)
      return try outputs(of: interpreter, &reader)
    } catch { return errorAnswer(error.description) }
  } catch { return errorAnswer(error.description) }
}

private func outputs(
  of interpreter: Interpreter, _ reader: inout BlockReader
) throws(InferenceError) -> [UInt8] {
  let inputCount = reader.number()
  for index in 0..<inputCount {
    var extents: [Int] = []
    for _ in 0..<reader.number() { extents.append(reader.number()) }
    let inputs = interpreter.inputs
    if inputs.indices.contains(index), inputs[index].shape.dimensions == extents { continue }
    try interpreter.resizeInput(index, to: extents)
  }
  var answer = BlockWriter()
  answer.append(0)
  for _ in 0..<reader.number() {
    for index in 0..<inputCount { try interpreter.setInput(index, to: reader.block()) }
    try interpreter.invoke()
    for index in interpreter.outputs.indices { answer.append(try interpreter.output(index)) }
  }
  return answer.bytes
}

private func errorAnswer(_ message: String) -> [UInt8] {
  var answer = BlockWriter()
  answer.append(1)
  answer.append(Array(message.utf8))
  return answer.bytes
}
