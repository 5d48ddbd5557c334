//===--- Manifests.swift - conformance manifests --------------------------===//
//
// The `manifest.json` distinguishes three kinds of folder: `cases` has single operators with inputs
// and outputs, `models` has models with golden outputs, `files` has broken models with LiteRT's
// results.
//===----------------------------------------------------------------------===//

import MartletBase

/// A manifest of any kind; exactly one of the lists is present.
struct ConformanceManifest {
  let cases: [OperatorCase]?
  let models: [GoldenModel]?
  let files: [BrokenFile]?
}

/// A case of one operator. One file has all inputs, another all expected outputs.
struct OperatorCase {
  struct Tensor {
    let dtype: String
    let shape: [Int]
    let offset: Int
    let nbytes: Int
  }
  struct Tolerance {
    let steps: Double?
    let atol: Double?
  }
  let id: String
  let op: String
  let variant: String
  let steps: Int
  let inputs: [Tensor]
  let outputs: [Tensor]
  let tolerance: [Tolerance]
  let model: String
  let resizeInputs: Bool?
  /// Present if outputs are rows of detections whose number is the last output.
  let compareRows: String?

  /// The inputs of one step; the lists of all steps are concatenated.
  func inputs(ofStep step: Int) -> ArraySlice<Tensor> {
    let count = inputs.count / steps
    return inputs[step * count..<(step + 1) * count]
  }

  /// The indices in `outputs` of one step.
  func outputs(ofStep step: Int) -> Range<Int> {
    let count = outputs.count / steps
    return step * count..<(step + 1) * count
  }

  /// Whether the lists of tensors can be split into steps, offsets and sizes cannot overflow, and
  /// each output has a tolerance.
  var isSound: Bool {
    let limit = 1 << 40
    return (1...1_000_000).contains(steps) && inputs.count % steps == 0
      && outputs.count % steps == 0 && tolerance.count == outputs.count
      && (inputs + outputs).allSatisfy {
        (0...limit).contains($0.offset) && (0...limit).contains($0.nbytes)
      }
  }

  /// The number of defined bytes of the expected output `index`.
  func definedCount(ofOutput index: Int, in expected: [UInt8]) -> Int {
    let output = outputs[index]
    guard compareRows != nil, output.shape.count > 1, output.shape[1] > 0, let last = outputs.last,
      last.nbytes == 4, last.offset >= 0, last.offset + 4 <= expected.count
    else { return output.nbytes }
    // Every bit pattern is a valid `Float`, and the span checks its bounds.
    let count = unsafe expected.span.bytes.unsafeLoadUnaligned(
      fromByteOffset: last.offset, as: Float.self)
    // In this order, NaN becomes 0.
    let rows = Int(min(max(0, count), Float(output.shape[1])))
    return output.nbytes / output.shape[1] * rows
  }
}

/// A model with golden outputs for several sets of inputs.
struct GoldenModel {
  let file: String
  let cases: [GoldenCase]
}

/// A set of inputs with the outputs of LiteRT.
struct GoldenCase {
  struct Input {
    let dtype: String
    let shape: [Int]
    let source: Source
  }
  struct Output {
    let dtype: String
    let file: String
    let layout: Layout
    let stats: Statistics
    let suggestedTolerance: OperatorCase.Tolerance
    /// Whether the model runs with both of LiteRT's kernel sets, so that their difference is known.
    let hasSpread: Bool
  }
  struct Statistics {
    let min: Double?
    let max: Double?
  }
  let id: String
  let inputs: [Input]
  let outputs: [Output]

  /// The elements of an output that the file contains.
  enum Layout {
    case full
    case strided(Int)
  }

  /// The source of an input's elements.
  struct Source {
    let kind: String
    let file: String?
    let seed: UInt64?
    let map: String?
    let lo: Float?
    let hi: Float?
    let values: [Int]?
    let transform: Transform?
    /// The rule that converts the image's RGB bytes to the channels of the input.
    let channels: String?
  }

  /// The conversion of an image's bytes to elements.
  enum Transform {
    case named(String)
    case affine(scale: Float, offset: Float)
  }
}

/// A broken file with LiteRT's result: `runs` or an error.
struct BrokenFile {
  let file: String
  let litert: String
}
