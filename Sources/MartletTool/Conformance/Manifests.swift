//===--- Manifests.swift - what a conformance folder holds ----------------===//
//
// Three kinds of folder, told apart by their `manifest.json`: `cases` are single operators with
// inputs and outputs, `models` are whole models with golden outputs, `files` are broken models with
// what LiteRT makes of each.
//
// Checked   Tests/MartletToolTests/ConformanceTests.swift
//===----------------------------------------------------------------------===//

/// A manifest of any kind; just one of the lists is there.
struct ConformanceManifest {
  let cases: [OperatorCase]?
  let models: [GoldenModel]?
  let files: [BrokenFile]?
}

/// One operator, with all inputs in one file and all expected outputs in another.
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
  /// Present where outputs are rows of detections, of which the last output gives the number.
  let compareRows: String?

  /// The inputs of one of the steps, whose lists follow each other.
  func inputs(ofStep step: Int) -> ArraySlice<Tensor> {
    let count = inputs.count / steps
    return inputs[step * count..<(step + 1) * count]
  }

  /// The places in `outputs` of those of one of the steps.
  func outputs(ofStep step: Int) -> Range<Int> {
    let count = outputs.count / steps
    return step * count..<(step + 1) * count
  }

  /// Whether the lists of tensors can be split into steps, offsets and sizes added up, and each
  /// output has a tolerance.
  var isSound: Bool {
    let limit = 1 << 40
    return (1...1_000_000).contains(steps) && inputs.count % steps == 0
      && outputs.count % steps == 0 && tolerance.count == outputs.count
      && (inputs + outputs).allSatisfy {
        (0...limit).contains($0.offset) && (0...limit).contains($0.nbytes)
      }
  }

  /// How many of the expected bytes of output `index` are defined.
  func definedCount(ofOutput index: Int, in expected: [UInt8]) -> Int {
    let output = outputs[index]
    guard compareRows != nil, output.shape.count > 1, output.shape[1] > 0, let last = outputs.last,
      last.nbytes == 4, last.offset >= 0, last.offset + 4 <= expected.count
    else { return output.nbytes }
    // Any four bytes are a `Float`, and the span checks its bounds.
    let count = unsafe expected.span.bytes.unsafeLoadUnaligned(
      fromByteOffset: last.offset, as: Float.self)
    // In this order a count that is no number becomes zero.
    let rows = Int(min(max(0, count), Float(output.shape[1])))
    return output.nbytes / output.shape[1] * rows
  }
}

/// A model with golden outputs for some inputs.
struct GoldenModel {
  let file: String
  let cases: [GoldenCase]
}

/// One set of inputs and the outputs that LiteRT gave.
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
    /// Whether the model runs on both of LiteRT's sets of kernels, so that their distance is known.
    let hasSpread: Bool
  }
  struct Statistics {
    let min: Double?
    let max: Double?
  }
  let id: String
  let inputs: [Input]
  let outputs: [Output]

  /// Which elements of an output the file holds.
  enum Layout {
    case full
    case strided(Int)
  }

  /// Where an input's elements come from.
  struct Source {
    let kind: String
    let file: String?
    let seed: UInt64?
    let map: String?
    let lo: Float?
    let hi: Float?
    let values: [Int]?
    let transform: Transform?
    /// A rule that turns the image's RGB bytes into the channels that the model sees.
    let channels: String?
  }

  /// How an image's bytes become elements.
  enum Transform {
    case named(String)
    case affine(scale: Float, offset: Float)
  }
}

/// A broken file and what LiteRT says of it: `runs` or an error.
struct BrokenFile {
  let file: String
  let litert: String
}
