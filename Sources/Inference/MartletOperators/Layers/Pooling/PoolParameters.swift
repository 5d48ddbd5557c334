//===--- PoolParameters.swift - options stored as C structures ------------===//
//
// MediaPipe's pools and transposed convolutions store their options in the memory layout of
// LiteRT's C structures: little-endian words of 32 bits. Bytes after the named fields are leftover
// memory of the converter, and are ignored.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletModel

/// The fields of `TfLitePoolParams`.
struct PoolParameters {
  let padding: Padding
  let strides: (height: Int, width: Int)
  let filter: (height: Int, width: Int)
  let activation: Activation
}

extension Preparation {
  /// Reads the options of a custom pool.
  func poolParameters() throws(InferenceError) -> PoolParameters {
    let words = try optionWords(6)
    return PoolParameters(
      padding: try padding(words[0]),
      strides: (try count("stride_height", words[2]), try count("stride_width", words[1])),
      filter: (try count("filter_height", words[4]), try count("filter_width", words[3])),
      activation: try activation(words[5]))
  }

  /// Reads the options of a custom transposed convolution: the first fields of
  /// `TfLiteTransposeConvParams`.
  func transposeParameters() throws(InferenceError) -> (
    padding: Padding, strides: (height: Int, width: Int)
  ) {
    let words = try optionWords(3)
    return (
      try padding(words[0]),
      (try count("stride_height", words[2]), try count("stride_width", words[1]))
    )
  }

  /// The first `count` words of the options.
  private func optionWords(_ count: Int) throws(InferenceError) -> [Int32] {
    let bytes = customOptionBytes
    guard bytes.count >= 4 * count else { throw .options(node: node) }
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self))
      }
    }
  }

  private func count(_ name: String, _ word: Int32) throws(InferenceError) -> Int {
    guard word > 0 else { throw .option(node: node, name: name, value: Int(word)) }
    return Int(word)
  }

  /// `TfLitePadding` counts from one; zero means unknown.
  private func padding(_ word: Int32) throws(InferenceError) -> Padding {
    switch word {
    case 1: .same
    case 2: .valid
    default: throw .option(node: node, name: "padding", value: Int(word))
    }
  }

  private func activation(_ word: Int32) throws(InferenceError) -> Activation {
    guard let byte = UInt8(exactly: word), let activation = Activation(rawValue: byte) else {
      throw .option(node: node, name: "activation", value: Int(word))
    }
    return activation
  }
}
