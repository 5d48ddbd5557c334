//===--- Layer.swift - one call of the generated code ---------------------===//

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
  case convolveDepthwiseHelium = "Helium.convolveDepthwise"
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

/// The order in which a layer reads an image and writes another, pixel by pixel: the first byte that
/// the pixel in row r and column c reads is `rows[r] + columns[c]`.
struct ReadingOrder {
  /// How a pixel's bytes are read.
  enum Reading {
    /// All, or those of a channel, before it is written.
    case first
    /// Until the whole pixel has been written.
    case throughout
  }

  /// The numbers of rows and columns of the output.
  let rowCount, columnCount: Int
  /// The bytes of an output pixel.
  let depth: Int
  /// The greatest distances from the first byte read to the first one written, by rows and by columns.
  private let rowReach, columnReach: Int

  /// - Parameter rows: Rows that contain the greatest distance, with their first bytes.
  init(
    rowCount: Int, columnCount: Int, depth: Int, rows: [(index: Int, firstByte: Int)],
    columns: [(index: Int, firstByte: Int)]
  ) {
    self.rowCount = rowCount
    self.columnCount = columnCount
    self.depth = depth
    rowReach = rows.map { $0.index * columnCount * depth - $0.firstByte }.max() ?? 0
    columnReach = columns.map { $0.index * depth - $0.firstByte }.max() ?? 0
  }

  /// The least lead for which no written byte is read any more: no pixel reads a byte before its
  /// own first one, or before its last one.
  func lead(_ reading: Reading) -> Int {
    guard rowCount > 0, columnCount > 0 else { return 0 }
    return max(rowReach + columnReach + (reading == .throughout ? depth : 0), 0)
  }
}

extension ReadingOrder {
  /// The order of a window that slides over an image of `depth` channels.
  init(_ window: SlidingWindow, depth: Int, outputDepth: Int) {
    let line = window.columns.input * depth
    self.init(
      rowCount: window.rows.output, columnCount: window.columns.output, depth: outputDepth,
      rows: window.rows.corners.map { ($0, max(window.rows.origin(of: $0), 0) * line) },
      columns: window.columns.corners.map { ($0, max(window.columns.origin(of: $0), 0) * depth) })
  }
}

extension WindowAxis {
  /// The outputs between which the first tap moves evenly: it rests at the border, then moves.
  fileprivate var corners: [Int] {
    [0, border / stride, border / stride + 1, output - 1].filter { (0..<output).contains($0) }
  }
}
