//===--- ConformanceRunner.swift - running conformance cases --------------===//
//
// Contract  A case passes, fails with the first element that differs, or is skipped because an
//           operator or element type is not implemented. A failed case does not stop the others.
//===----------------------------------------------------------------------===//

import MartletCommandLine
import MartletInference
import MartletModel

/// The result of one case.
struct CaseResult {
  enum Outcome: Equatable {
    case passed
    case failed(String)
    case skipped(String)
  }
  let id: String
  let outcome: Outcome
  /// The largest difference of all outputs.
  let largest: Double
}

/// Runs cases with one set of kernels and workers.
struct ConformanceRunner {
  let folder: FilePath
  let models: FilePath
  let options: Interpreter.Options
  /// Whether integers must equal the expected ones exactly, whatever the manifest allows.
  var isExact = false

  /// Runs the case of one operator, all its steps in one interpreter.
  func run(_ test: OperatorCase) -> CaseResult {
    result(test.id) { () throws(CaseFailure) in
      guard test.isSound else { throw .failed("the manifest's numbers do not fit together") }
      let path = folder / test.model
      let interpreter = try makeInterpreter(path)
      if test.resizeInputs == true {
        for (index, input) in test.inputs.enumerated() {
          try attempt(try interpreter.resizeInput(index, to: input.shape))
        }
      }
      let base = path.removing(suffix: ".tflite")
      let inputs = try read(base + ".in")
      let outputs = try read(base + ".out")
      var largest = 0.0
      for step in 0..<test.steps {
        for (index, input) in test.inputs(ofStep: step).enumerated() {
          let bytes = try slice(inputs, input.offset, input.nbytes, of: base + ".in")
          try attempt(try interpreter.setInput(index, to: bytes))
        }
        try attempt(try interpreter.invoke())
        for (index, place) in test.outputs(ofStep: step).enumerated() {
          let output = test.outputs[place]
          let comparison = try compare(
            interpreter, output: index,
            with: try slice(
              outputs, output.offset, test.definedCount(ofOutput: place, in: outputs),
              of: base + ".out"),
            dtype: output.dtype, prefix: test.compareRows != nil,
            tolerance: test.tolerance[place])
          largest = max(largest, comparison.largest)
        }
      }
      return largest
    }
  }

  /// Runs one golden case of a model.
  func run(_ test: GoldenCase, of model: GoldenModel) -> CaseResult {
    result("\(model.file) \(test.id)") { () throws(CaseFailure) in
      let interpreter = try prepared(test, of: model)
      try attempt(try interpreter.invoke())
      var largest = 0.0
      for (index, output) in test.outputs.enumerated() {
        let comparison = try compare(
          interpreter, output: index, with: try read(folder / output.file),
          dtype: output.dtype, tolerance: output.tolerance, layout: output.layout)
        largest = max(largest, comparison.largest)
      }
      return largest
    }
  }

  /// Creates an interpreter of the model and sets the case's inputs.
  func prepared(
    _ test: GoldenCase, of model: GoldenModel
  ) throws(CaseFailure) -> Interpreter {
    let interpreter = try makeInterpreter(models / model.file)
    for (index, input) in test.inputs.enumerated() {
      if interpreter.inputs.indices.contains(index),
        interpreter.inputs[index].shape.dimensions != input.shape
      {
        try attempt(try interpreter.resizeInput(index, to: input.shape))
      }
    }
    for (index, input) in test.inputs.enumerated() {
      let bytes = try GoldenInput(folder: folder).bytes(of: input)
      try attempt(try interpreter.setInput(index, to: bytes))
    }
    return interpreter
  }

  /// Loads a broken model, and runs it if it loads. If LiteRT reports an error, this must fail with
  /// a typed error; if LiteRT runs the model, it may run or fail.
  func run(_ test: BrokenFile) -> CaseResult {
    guard Files.kind(folder / test.file) != nil else {
      return CaseResult(id: test.file, outcome: .failed("cannot be read"), largest: .infinity)
    }
    let outcome = result(test.file) { () throws(CaseFailure) in
      let interpreter = try makeInterpreter(folder / test.file)
      try attempt(try interpreter.invoke())
      return 0
    }
    switch outcome.outcome {
    case .passed where test.litert.hasPrefix("error"):
      return CaseResult(
        id: test.file, outcome: .failed("runs, but LiteRT reports \(test.litert)"), largest: 0)
    default:
      return CaseResult(id: test.file, outcome: .passed, largest: 0)
    }
  }
}

/// The reason why a case did not pass.
enum CaseFailure: Error {
  case skipped(String)
  case failed(String)
}

extension ConformanceRunner {
  func result(
    _ id: String, _ body: () throws(CaseFailure) -> Double
  ) -> CaseResult {
    do throws(CaseFailure) {
      return CaseResult(id: id, outcome: .passed, largest: try body())
    } catch {
      switch error {
      case .skipped(let reason): return CaseResult(id: id, outcome: .skipped(reason), largest: 0)
      case .failed(let reason):
        return CaseResult(id: id, outcome: .failed(reason), largest: .infinity)
      }
    }
  }

  private func makeInterpreter(_ path: FilePath) throws(CaseFailure) -> Interpreter {
    let model: Model
    let bytes = try read(path)
    do throws(ModelError) {
      model = try Model(bytes: bytes)
    } catch { throw .failed("\(error)") }
    return try attempt(try Interpreter(model: model, options: options))
  }

  /// Returns the value of `body`. Missing operators and types skip the case; other errors fail it.
  func attempt<Value>(
    _ body: @autoclosure () throws(InferenceError) -> Value
  ) throws(CaseFailure) -> Value {
    do throws(InferenceError) {
      return try body()
    } catch {
      switch error.innermost {
      case .unsupportedOperator(_, let name, let version):
        throw .skipped("\(name) version \(version)")
      case .unsupportedType(_, _, let type):
        throw .skipped("\(type)")
      default:
        throw .failed("\(error)")
      }
    }
  }

  private func read(_ path: FilePath) throws(CaseFailure) -> [UInt8] {
    do throws(FileError) {
      return try Files.read(path)
    } catch { throw .failed("\(path) \(error)") }
  }

  private func slice(
    _ bytes: [UInt8], _ start: Int, _ count: Int, of path: FilePath
  ) throws(CaseFailure) -> [UInt8] {
    guard start >= 0, count >= 0, start + count <= bytes.count else {
      throw .failed("\(path) has \(bytes.count) bytes, expected \(start + count)")
    }
    return [UInt8](bytes[start..<start + count])
  }

  private func compare(
    _ interpreter: Interpreter, output: Int, with expected: [UInt8], dtype: String,
    prefix isPrefix: Bool = false, tolerance: OperatorCase.Tolerance,
    layout: GoldenCase.Layout = .full
  ) throws(CaseFailure) -> Comparison {
    guard let type = ElementType(manifestName: dtype) else { throw .failed("no type \(dtype)") }
    var found = try attempt(try interpreter.output(output))
    if isPrefix { found = Array(found.prefix(expected.count)) }
    var stride = 1
    if case .strided(let step) = layout { stride = min(max(step, 1), 1 << 40) }
    let comparison = Comparison(
      output: output, found: found, expected: expected, type: type,
      tolerance: tolerance.atol ?? (isExact ? 0 : tolerance.steps) ?? 0,
      stride: stride)
    if let mismatch = comparison.mismatch { throw .failed("\(mismatch)") }
    return comparison
  }
}

extension GoldenCase.Output {
  /// The manifest's tolerance, at most 0.005 of the output's range. It is the difference between
  /// LiteRT's two sets of kernels, which is large for quantized detectors.
  ///
  /// If a model runs with only one set, the manifest has its minimum, 0.00001 of the range. The
  /// order of summation exceeds that in deep networks, so ten times as much is allowed.
  var tolerance: OperatorCase.Tolerance {
    guard let atol = suggestedTolerance.atol else { return suggestedTolerance }
    let range = max(abs(stats.min ?? 0), abs(stats.max ?? 0))
    let stated = hasSpread ? atol : max(atol, range * 1e-4)
    return OperatorCase.Tolerance(steps: nil, atol: min(stated, max(range * 5e-3, 1e-6)))
  }
}
