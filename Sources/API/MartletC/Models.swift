//===--- Models.swift - TensorFlow Lite models for C ----------------------===//
//
//     martlet_model_make("{}", file, count, &model, &error);
//     martlet_model_run(model, inputs, input_counts, 1, outputs, output_counts, 1, &error);
//
// Contract  Tensors are raw little-endian elements in the order of the model. Calls with one model
//           wait for each other. The model runs on the calling thread.
// Cost      A run copies inputs and outputs once.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletInference
import MartletModel
internal import MartletVision

private let models = Handles<Shared<ModelRunner>>()

/// Reads a model from the `count` bytes of a `.tflite` file, which are copied, and prepares it.
///
/// `options` is a JSON object: `"maxMemory":64` limits the MiB of tensors (1024 by default), and
/// `"timeout":5` the seconds for preparing the model and for each run.
///
/// On success `*model` is its handle, which is never 0. On failure `*error` is a sentence, to be
/// released with `martlet_text_release`; `error` may be null.
@c(martlet_model_make)
public func makeModel(
  _ options: UnsafePointer<CChar>?, _ file: UnsafeRawPointer?, _ count: Int,
  _ model: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let options = unsafe options, let file = unsafe bytes(file, count),
    let model = unsafe model
  else {
    unsafe store("an argument is null, or a count is negative", in: error)
    return .invalidArgument
  }
  let configuration: ModelConfiguration
  do throws(JSONError) {
    let text = unsafe string(at: options)
    configuration = try ModelConfiguration(json: Array(text.utf8))
    try Deadline.requireClock(for: configuration.timeout)
  } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidOptions
  }
  let parsed: Model
  do throws(ModelError) { parsed = try Model(bytes: file) } catch let reason {
    unsafe store(reason.description, in: error)
    return .invalidModel
  }
  do throws(InferenceError) {
    let runner = try ModelRunner(parsed, configuration)
    unsafe model.pointee = models.add(Shared(runner))
    return .success
  } catch let reason {
    unsafe store(reason.description, in: error)
    return MartletStatus(VisionError.inference(reason).kind)
  }
}

/// Describes the inputs and outputs: `*text` is `{"inputs":[…],"outputs":[…],"isFixed":true}` with the
/// name, shape, type, quantization and size in bytes of each, to be released with
/// `martlet_text_release`.
///
/// If `isFixed` is false, shapes of outputs depend on the inputs: they are those of the last run.
@c(martlet_model_describe)
public func describeModel(
  _ model: Int32, _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard unsafe text != nil, let shared = models[model] else { return .invalidArgument }
  let json = shared.withLock { $0.json }
  unsafe store(json.description, in: text)
  return .success
}

/// Gives input `index` another shape, of `count` extents, and prepares the model for it. All inputs
/// are zero afterwards.
///
/// On failure the model is as before, and `*error` is a sentence, to be released with
/// `martlet_text_release`; `error` may be null.
@c(martlet_model_resize_input)
public func resizeModelInput(
  _ model: Int32, _ index: Int, _ extents: UnsafePointer<Int32>?, _ count: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let shared = models[model], count >= 0, let extents = unsafe extents else {
    unsafe store("the model was released, an argument is null, or a count is negative", in: error)
    return .invalidArgument
  }
  // More axes than any shape has are an error, however many there are.
  let shape = (0..<min(count, Shape.maximumRank + 1)).map { unsafe Int(extents[$0]) }
  return shared.withLock { runner in
    runner.deadline.begin()
    do throws(InferenceError) {
      try runner.interpreter.resizeInput(index, to: shape)
      return .success
    } catch let reason {
      unsafe store(reason.description, in: error)
      return MartletStatus(ofRun: reason)
    }
  }
}

/// Runs the model: copies `inputs[i]`, of `inputCounts[i]` bytes, into input i, and output i into
/// `outputs[i]`, of `outputCounts[i]` bytes. All inputs and outputs must be given, in their size.
///
/// If `outputCount` is 0, `martlet_model_read_output` copies outputs afterwards. On failure `*error`
/// is a sentence, to be released with `martlet_text_release`; `error` may be null.
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
  return shared.withLock { runner in
    let interpreter = runner.interpreter
    let (inputsOfModel, outputsOfModel) = (interpreter.inputs.count, interpreter.outputs.count)
    guard inputsOfModel == inputCount, [0, outputsOfModel].contains(outputCount) else {
      unsafe store(
        """
        found \(inputCount) inputs and \(outputCount) outputs, expected \(inputsOfModel) and \
        \(outputsOfModel)
        """, in: error)
      return .invalidArgument
    }
    runner.deadline.begin()
    do throws(InferenceError) {
      for index in 0..<inputCount {
        let (place, count) = unsafe (inputs[index], inputCounts[index])
        guard count >= 0, unsafe place != nil || count == 0 else {
          unsafe store("input \(index) is null, or its count is negative", in: error)
          return .invalidArgument
        }
        let values = unsafe UnsafeRawBufferPointer(start: place, count: count)
        try unsafe interpreter.setInput(index, copying: values)
      }
      try interpreter.invoke()
      for index in 0..<outputCount {
        let status = unsafe copy(
          output: index, of: interpreter, to: outputs[index], outputCounts[index], error)
        guard status == .success else { return status }
      }
      return .success
    } catch let reason {
      unsafe store(reason.description, in: error)
      return MartletStatus(ofRun: reason)
    }
  }
}

/// Copies output `index` of the last run into `output`, of `count` bytes, which must be its size.
///
/// On failure `*error` is a sentence, to be released with `martlet_text_release`; `error` may be
/// null.
@c(martlet_model_read_output)
public func readModelOutput(
  _ model: Int32, _ index: Int, _ output: UnsafeMutableRawPointer?, _ count: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  guard let shared = models[model] else {
    unsafe store("the model was released", in: error)
    return .invalidArgument
  }
  return shared.withLock {
    unsafe copy(output: index, of: $0.interpreter, to: output, count, error)
  }
}

/// Releases a model.
@c(martlet_model_release)
public func releaseModel(_ model: Int32) { models.remove(model) }

/// Copies an output of the last run.
private func copy(
  output index: Int, of interpreter: Interpreter, to place: UnsafeMutableRawPointer?, _ count: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> MartletStatus {
  do throws(InferenceError) {
    return try unsafe interpreter.withOutput(index) { values in
      guard let place = unsafe place, values.count == count else {
        unsafe store("output \(index) has \(values.count) bytes, found \(count)", in: error)
        return .invalidArgument
      }
      unsafe UnsafeMutableRawBufferPointer(start: place, count: count).copyMemory(from: values)
      return .success
    }
  } catch let reason {
    unsafe store(reason.description, in: error)
    return MartletStatus(ofRun: reason)
  }
}

/// A model and the time limit of its runs.
private final class ModelRunner {
  let interpreter: Interpreter
  let deadline: Deadline

  init(_ model: Model, _ configuration: ModelConfiguration) throws(InferenceError) {
    deadline = Deadline(seconds: configuration.timeout)
    interpreter = try Interpreter(
      model: model,
      options: Interpreter.Options(
        memoryLimit: configuration.memoryLimit, cancellation: deadline.check))
  }

  /// The inputs and outputs.
  var json: JSON {
    func tensors(_ tensors: [InterfaceTensor]) -> JSON {
      .array(
        tensors.map { tensor in
          let count = tensor.type.byteCount(of: tensor.shape.elementCount)
          return tensor.json + [("bytes", count.map { .integer($0) } ?? .null)]
        })
    }
    return .object([
      ("inputs", tensors(interpreter.inputs)), ("outputs", tensors(interpreter.outputs)),
      ("isFixed", .bool(interpreter.prepared.firstOpenNode == nil)),
    ])
  }
}

extension MartletStatus {
  /// The status for an error of a run of a model that was prepared.
  fileprivate init(ofRun error: InferenceError) {
    switch error.innermost {
    case .noSuchTensor, .byteCount, .invalidShape: self = .invalidArgument
    default:
      let status = MartletStatus(VisionError.inference(error).kind)
      self = status == .invalidModel ? .failed : status
    }
  }
}
