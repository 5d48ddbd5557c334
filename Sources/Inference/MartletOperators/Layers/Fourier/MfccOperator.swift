//===--- MfccOperator.swift - Mfcc ----------------------------------------===//
//
// Inputs  0 x: float32, [channels, frames, frequencies]: powers, from zero to half the sample rate; 1
//         the sample rate: one int32.
// Output  0 y: float32, [channels, frames, coefficients]: mel-frequency cepstral coefficients.
// Options A FlexBuffer: `lower_frequency_limit` and `upper_frequency_limit` in whole Hz,
//         `filterbank_channel_count` and `dct_coefficient_count`.
// Source  LiteRT 2.3.0 `mfcc.cc`, `mfcc_mel_filterbank.cc`, `mfcc_dct.cc`; a custom operator of its
//         own.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel
import MartletReference

/// The inputs.
private enum Input {
  static let x = 0
  static let sampleRate = 1
}

extension Registration {
  static let mfcc = Registration(.custom("Mfcc"), versions: 1...1) { p throws(InferenceError) in
    try p.expect(inputs: 2...2)
    let x = try p.input(Input.x, as: Float.self)
    let shape = try p.shape(ofInput: Input.x, ranks: 3...3)
    for axis in 0..<3 where shape[axis] < (axis == 2 ? 2 : 1) {
      throw .extent(
        node: p.node, operand: .input(Input.x), axis: axis, found: shape[axis],
        expected: axis == 2 ? 2 : 1)
    }
    let coefficients = try p.coefficients(try p.customOptions(), length: shape[2])
    let y = try p.output(
      0, as: Float.self, shape: try p.shape([shape[0], shape[1], coefficients.count]))
    let sums = try p.scratch(coefficients.scratchCount, as: Double.self)
    let frames = shape[0] * shape[1]
    p.state(
      work: saturatingProduct(
        frames,
        saturatingSum(
          shape[2], saturatingProduct(coefficients.scratchCount, coefficients.count + 8))))
    return { e in
      for frame in 0..<frames where !e.workers.isInterrupted {
        coefficients(
          e[x].row(frame, of: shape[2]), sums: e[sums],
          into: e[y].row(frame, of: coefficients.count))
      }
    }
  }
}

extension Preparation {
  fileprivate func coefficients(
    _ options: FlexBuffer, length: Int
  ) throws(InferenceError) -> CepstralCoefficients {
    let bands = try number(options, "filterbank_channel_count")
    let count = try number(options, "dct_coefficient_count")
    guard bands >= 1, bands <= Int(Int32.max) / 4 else {
      throw .option(node: node, name: "filterbank_channel_count", value: bands)
    }
    guard count >= 1, count <= bands else {
      throw .option(node: node, name: "dct_coefficient_count", value: count)
    }
    let lowest = try number(options, "lower_frequency_limit")
    let highest = try number(options, "upper_frequency_limit")
    guard lowest >= 0 else {
      throw .option(node: node, name: "lower_frequency_limit", value: lowest)
    }
    guard Float(highest) > Float(lowest) else {
      throw .option(node: node, name: "upper_frequency_limit", value: highest)
    }
    try expectCount(1, input: Input.sampleRate)
    let rate = try values(of: Input.sampleRate, as: Int32.self)[0]
    guard rate > 0 else { throw .option(node: node, name: "sample rate", value: Int(rate)) }
    // A band and a weight for each bin, and the cosines.
    try takePrepared(
      saturatingSum(2 * length, saturatingProduct(bands, count)), of: MemoryLayout<Double>.stride)
    return CepstralCoefficients(
      CepstralCoefficients.Frequencies(
        lowest: Double(Float(lowest)), highest: Double(Float(highest)), sampleRate: Double(rate)),
      length: length, bands: bands, count: count)
  }

  /// An integer option; 0 if absent.
  private func number(_ options: FlexBuffer, _ name: String) throws(InferenceError) -> Int {
    guard let value = options[name] else { return 0 }
    guard let number = value.intValue else { throw .options(node: node) }
    return number
  }
}
