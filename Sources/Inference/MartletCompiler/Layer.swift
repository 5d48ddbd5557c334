//===--- Layer.swift - one call of the generated code ---------------------===//
//
// Checked   Tests/MartletCompilerTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

/// The functions of `MartletCompiled`; the raw value is the name in generated code.
enum Kernel: String, CaseIterable {
  case convolve = "Portable.convolve"
  case convolveDepthwise = "Portable.convolveDepthwise"
  case convolveDSP = "DSP.convolve"
  case convolveLinearDSP = "DSP.convolveLinear"
  case convolveDepthwiseDSP = "DSP.convolveDepthwise"
  case connect = "Portable.connect"
  case flipSigns = "Layer.flipSigns"
  case lookUp = "Layer.lookUp"
  case add = "Layer.add"
  case mean = "Layer.mean"
  case averagePool = "Layer.averagePool"
  case maxPool = "Layer.maxPool"
  case softmax = "Layer.softmax"
  case resizeNearest = "Layer.resizeNearest"
}

/// A call of a kernel.
struct Layer {
  /// A part of a call's text.
  enum Part {
    /// The label of the next argument.
    case label(String)
    /// The address of a value, by the value's index.
    case value(Int)
    /// The address of a record, by its offset.
    case record(Int)
    /// A number with its label.
    case number(String, Int)
  }

  /// The operator, its shapes and the name of its output.
  let comment: String
  let kernel: Kernel
  let arguments: [Part]
  /// The values that it reads or uses as scratch memory, and the one that it writes.
  let inputs: [Int]
  let output: Int
  /// How far below each input the output must begin if they overlap; `nil` if they may not.
  var leads: [Int?] = []
}

/// The order in which a layer with a sliding window reads and writes.
struct WindowOrder {
  let inputWidth, depth: Int
  let outputHeight, outputWidth, outputDepth: Int
  let strideY, strideX, top, left: Int

  /// The offset of the first input byte that output pixel `y`, `x` reads.
  private func firstByte(_ y: Int, _ x: Int) -> Int {
    (max(y * strideY - top, 0) * inputWidth + max(x * strideX - left, 0)) * depth
  }

  /// The least lead for which no written byte is read any more.
  ///
  /// - Parameter readsPixelFirst: Whether the whole window is copied before its pixel is written.
  ///   Otherwise a channel is written after the same channel has been read.
  func lead(readsPixelFirst: Bool) -> Int {
    var lead = 0
    var later = Int.max / 2
    for y in (0..<outputHeight).reversed() {
      for x in (0..<outputWidth).reversed() {
        let pixel = y * outputWidth + x
        lead = max(lead, (pixel + 1) * outputDepth - later)
        if !readsPixelFirst { lead = max(lead, pixel * outputDepth - firstByte(y, x)) }
        later = min(later, firstByte(y, x))
      }
    }
    return max(lead, 0)
  }
}
