//===--- Classify.swift - a classifier on a microcontroller ---------------===//
//
// Classifies a built-in image that has the network's input size. Model and image are read from
// flash, where the linker put them. Only the operators that such networks use are linked.
//===----------------------------------------------------------------------===//

import MartletInference
import MartletModel
import MartletOperators

@_silgen_name("write")
private func write(_ file: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int

@_extern(c, "model_start") private func modelStart()
@_extern(c, "model_end") private func modelEnd()
@_extern(c, "input_start") private func inputStart()
@_extern(c, "input_end") private func inputEnd()

/// Writes a line to standard output or to another file.
private func output(_ line: String, to file: Int32 = 1) {
  Array((line + "\n").utf8).withUnsafeBytes { memory in
    if let start = memory.baseAddress { _ = write(file, start, memory.count) }
  }
}

/// The bytes between two symbols of the linker script.
private func flash(
  _ start: @convention(c) () -> Void, _ end: @convention(c) () -> Void
) -> UnsafeRawBufferPointer {
  let (start, end) = (unsafeBitCast(start, to: Int.self), unsafeBitCast(end, to: Int.self))
  return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: start), count: end - start)
}

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.reduce(into: "") { text, byte in
    text += byte < 16 ? " 0" : " "
    text += String(byte, radix: 16)
  }
}

private func classify() throws(InferenceError) {
  let model: Model
  do throws(ModelError) {
    model = try Model(FileBytes(flash(modelStart, modelEnd)) { _ in })
  } catch { return output(error.description) }
  let prepared = try PreparedModel(
    model: model, subgraph: 0, options: Interpreter.Options(kernels: .reference),
    registry: Registry([
      .add, .averagePool2D, .conv2D, .depthwiseConv2D, .fullyConnected, .mean, .quantize, .reshape,
      .softmax,
    ]), ownsInputs: false)
  let image = UnsafeMutableRawBufferPointer(mutating: flash(inputStart, inputEnd))
  guard let start = image.baseAddress else { return output("no image") }
  let interpreter = Interpreter(prepared, inputs: [start])
  output("arena \(prepared.memory.arena)", to: 2)
  try interpreter.invoke()
  try interpreter.withOutput(0) { output("scores" + hexadecimal($0)) }
}

@main
struct Classify {
  static func main() {
    do throws(InferenceError) { try classify() } catch { output(error.description) }
  }
}
