//===--- Models.swift - TensorFlow Lite models for C ----------------------===//
//
// Contract  Tensors are raw little-endian elements in the order of the model. Calls with one model
//           wait for each other. The model runs on the calling thread.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference
import MartletModel

private let models = Handles<Shared<Interpreter>>()

/// Reads a model from the `count` bytes of a `.tflite` file, which are copied, and prepares it.
///
/// On success `*model` is its handle, which is never 0. On failure `*error` is a sentence, to be
/// released with `martlet_text_release`; `error` may be null.
@c(martlet_model_make)
public func makeModel(
  _ file: UnsafeRawPointer?, _ count: Int, _ model: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let file = unsafe bytes(file, count), let model = unsafe model else {
    unsafe store("an argument is null, or a count is negative", in: error)
    return .invalidArgument
  }
  let parsed: Model
  do throws(ModelError) { parsed = try Model(bytes: file) } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidModel
  }
  do throws(InferenceError) {
    let interpreter = try Interpreter(model: parsed)
    unsafe model.pointee = models.add(Shared(interpreter))
    return .success
  } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidModel
  }
}

/// Describes the inputs and outputs: `*text` is `{"inputs":[…],"outputs":[…]}` with the name, shape,
/// type and size in bytes of each, to be released with `martlet_text_release`.
@c(martlet_model_describe)
public func describeModel(
  _ model: Int32, _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard unsafe text != nil, let shared = models[model] else { return .invalidArgument }
  let json = shared.withLock { interpreter in
    JSON.object([
      ("inputs", .array(interpreter.inputs.map { $0.json })),
      ("outputs", .array(interpreter.outputs.map { $0.json })),
    ])
  }
  unsafe store(json.description, in: text)
  return .success
}

/// Runs the model: copies `inputs[i]`, of `inputCounts[i]` bytes, into input i, and output i into
/// `outputs[i]`, of `outputCounts[i]` bytes. All inputs and outputs must be given, in their size.
///
/// On failure `*error` is a sentence, to be released with `martlet_text_release`; `error` may be
/// null.
@c(martlet_model_run)
public func runModel(
  _ model: Int32, _ inputs: UnsafePointer<UnsafeRawPointer?>?, _ inputCounts: UnsafePointer<Int>?,
  _ inputCount: Int, _ outputs: UnsafePointer<UnsafeMutableRawPointer?>?,
  _ outputCounts: UnsafePointer<Int>?, _ outputCount: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let shared = models[model], let inputs = unsafe inputs, let outputs = unsafe outputs,
    let inputCounts = unsafe inputCounts, let outputCounts = unsafe outputCounts
  else {
    unsafe store("the model was released, or an argument is null", in: error)
    return .invalidArgument
  }
  return shared.withLock { interpreter in
    guard interpreter.inputs.count == inputCount, interpreter.outputs.count == outputCount else {
      unsafe store(
        """
        found \(inputCount) inputs and \(outputCount) outputs, expected \
        \(interpreter.inputs.count) and \(interpreter.outputs.count)
        """, in: error)
      return .invalidArgument
    }
    do throws(InferenceError) {
      for index in 0..<inputCount {
        guard let values = unsafe bytes(inputs[index], inputCounts[index]) else {
          unsafe store("input \(index) is null", in: error)
          return .invalidArgument
        }
        try interpreter.setInput(index, to: values)
      }
      try interpreter.invoke()
      for index in 0..<outputCount {
        let values = try interpreter.output(index)
        guard let place = unsafe outputs[index], unsafe outputCounts[index] == values.count else {
          unsafe store(
            "output \(index) has \(values.count) bytes, found \(outputCounts[index])", in: error)
          return .invalidArgument
        }
        unsafe place.copyMemory(from: values, byteCount: values.count)
      }
      return .success
    } catch let reason {
      unsafe store(reason.description, in: error)
      return .failed
    }
  }
}

/// Releases a model.
@c(martlet_model_release)
public func releaseModel(_ model: Int32) { models.remove(model) }

extension InterfaceTensor {
  /// Name, shape, type and size in bytes.
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("shape", .array(shape.dimensions.map { .integer($0) })),
      ("type", .string("\(type)")),
      ("bytes", type.byteCount(of: shape.elementCount).map { .integer($0) } ?? .null),
    ])
  }
}
