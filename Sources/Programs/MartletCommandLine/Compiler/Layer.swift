//===--- Layer.swift - one call of the generated code ---------------------===//
//
// Checked   Tests/MartletCompiledTests/CompiledModelTests.swift
//===----------------------------------------------------------------------===//

import MartletBase

/// The functions of `MartletCompiled`; the raw value is the name in generated code.
enum Kernel: String, CaseIterable {
  case convolve = "Portable.convolve"
  case convolveDepthwise = "Portable.convolveDepthwise"
  case convolveWide = "Portable.convolveWide"
  case convolveDepthwiseWide = "Portable.convolveDepthwiseWide"
  case convolveDSP = "DSP.convolve"
  case convolveLinearDSP = "DSP.convolveLinear"
  case convolveWideDSP = "DSP.convolveWide"
  case convolveLinearWideDSP = "DSP.convolveLinearWide"
  case convolveDepthwiseDSP = "DSP.convolveDepthwise"
  case convolveHelium = "Helium.convolve"
  case convolveLinearHelium = "Helium.convolveLinear"
  case convolveDepthwiseWideDSP = "DSP.convolveDepthwiseWide"
  case connect = "Portable.connect"
  case connectWide = "Portable.connectWide"
  case connectDSP = "DSP.connect"
  case flipSigns = "Layer.flipSigns"
  case lookUp = "Layer.lookUp"
  case add = "Layer.add"
  case mean = "Layer.mean"
  case averagePool = "Layer.averagePool"
  case maxPool = "Layer.maxPool"
  case softmax = "Layer.softmax"
  case addRepeated = "Layer.addRepeated"
  case multiply = "Layer.multiply"
  case resizeNearest = "Layer.resizeNearest"
  case copyRows = "Layer.copyRows"
  case copyRuns = "Layer.copyRuns"
  case pad = "Layer.pad"
  case convolveFloats = "Floats.convolve"
  case convolveDepthwiseFloats = "Floats.convolveDepthwise"
  case convolveHybrid = "Hybrid.convolve"
  case convolveDepthwiseHybrid = "Hybrid.convolveDepthwise"
  case connectHybrid = "Hybrid.connect"
  case averageFloats = "Floats.averagePool"
  case maxFloats = "Floats.maxPool"
  case addFloats = "Floats.add"
  case subtractFloats = "Floats.subtract"
  case multiplyFloats = "Floats.multiply"
  case preluFloats = "Floats.prelu"
  case clampFloats = "Floats.clamp"
  case leakyReluFloats = "Floats.leakyRelu"
  case hardSwishFloats = "Floats.hardSwish"
  case logisticFloats = "Floats.logistic"
  case tanhFloats = "Floats.tanh"
  case softmaxFloats = "Floats.softmax"
  case quantizeFloats = "Floats.quantize"
  case dequantizeBytes = "Floats.dequantize"
  case quantizeShorts = "Floats.quantizeShorts"
  case dequantizeShorts = "Floats.dequantizeShorts"
  case convolveShorts = "Shorts.convolve"
  case convolveDepthwiseShorts = "Shorts.convolveDepthwise"
  case connectShorts = "Shorts.connect"
  case averageShorts = "Shorts.averagePool"
  case maxShorts = "Shorts.maxPool"
  case meanShorts = "Shorts.mean"
  case addShorts = "Shorts.add"
  case multiplyShorts = "Shorts.multiply"
  case leakyReluShorts = "Shorts.leakyRelu"
  case softmaxShorts = "Shorts.softmax"
  case bytesFromShorts = "Shorts.toBytes"
  case shortsFromShorts = "Shorts.toShorts"
  case integersFromShorts = "Shorts.toIntegers"
  case shortsFromBytes = "Shorts.fromBytes"
  case softmaxToShorts = "Layer.softmaxShorts"
  case svdf = "Layer.svdf"
  case svdfBytes = "Layer.svdfBytes"
}

/// A call of a kernel.
struct Layer {
  /// A part of a call's text.
  enum Part {
    /// The address of a value, by the value's index, and the argument's label.
    case value(Int, String? = nil)
    /// The address of a record, by its offset.
    case record(Int)
    /// The address of a constant operand, by its offset.
    case constant(Int)
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

/// The order in which a layer reads an image and writes another, pixel by pixel.
struct ReadingOrder {
  let pixelCount: Int
  /// The bytes of an output pixel.
  let depth: Int
  /// The offset of the first input byte that an output pixel reads.
  let firstByte: (_ pixel: Int) -> Int

  /// When a layer reads a pixel's window.
  enum Reading {
    /// The whole window is copied before its pixel is written.
    case pixelFirst
    /// A channel is written after the same channel has been read.
    case byChannel
    /// The window is read until its pixel has been written.
    case throughout
  }

  /// The least lead for which no written byte is read any more.
  func lead(_ reading: Reading) -> Int {
    var lead = 0
    var later = Int.max / 2
    for pixel in (0..<pixelCount).reversed() {
      let first = firstByte(pixel)
      if reading == .throughout { later = min(later, first) }
      lead = max(lead, (pixel + 1) * depth - later)
      if reading == .byChannel { lead = max(lead, pixel * depth - first) }
      later = min(later, first)
    }
    return lead
  }
}

extension ReadingOrder {
  /// The order of a window that slides over an image of `depth` channels.
  init(_ window: SlidingWindow, depth: Int, outputDepth: Int) {
    let (rows, columns) = (window.rows, window.columns)
    self.init(pixelCount: rows.output * columns.output, depth: outputDepth) { pixel in
      let (row, column) = pixel.quotientAndRemainder(dividingBy: columns.output)
      return (max(rows.origin(of: row), 0) * columns.input + max(columns.origin(of: column), 0))
        * depth
    }
  }
}
