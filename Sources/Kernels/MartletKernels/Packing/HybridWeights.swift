//===--- HybridWeights.swift - weights of hybrid kernels ------------------===//
//
// Weights are packed as bytes if the processor multiplies bytes, otherwise as pairs of 16-bit
// integers. The rows that they multiply are packed from unsigned bytes in the same form. With bytes
// the sums include the zero point; with pairs it is subtracted first.
//
// Contract  Exact; weights are signed bytes.
//===----------------------------------------------------------------------===//

import MartletBase
import MartletMicrokernels

/// The packed weights of a convolution.
struct HybridWeights: Sendable {
  private enum Form {
    case bytes(ByteIm2col<UInt8>, ByteMicrokernels)
    case pairs(ByteIm2col<Int16>, Microkernels)
  }

  let panels: [Panel]
  /// The bytes of a packed row, and the most bytes that are written past the last row.
  let rowLength: Int
  let overrun: Int
  let tileRows: Int
  private let memory: Arena
  private let form: Form

  /// Packs the weights, OHWI.
  init(_ convolution: Convolution, depth: Int, weights: ByteWeights, kernels: Microkernels) {
    let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    let (window, channels) = (convolution.window, convolution.inputDepth)
    if let bytes = kernels.bytes, weights.fitsBytes(from: bytes.leastWeight) {
      let packed = Int8Panels(
        columns: convolution.outputDepth, depth: depth, weights: weights, bias: none,
        zero: ByteZeroPoint(isSigned: false, zeroPoint: 0), scaling: .none, kernels: bytes)
      panels = packed.panels
      rowLength = 4 * packed.quads
      overrun = ByteIm2col<UInt8>.overrun
      tileRows = bytes.int8TileRows
      memory = packed.memory
      form = .bytes(ByteIm2col(window: window, channels: channels, rowLength: rowLength), bytes)
    } else {
      let packed = Int16Panels(
        columns: convolution.outputDepth, depth: depth, weights: weights, bias: none,
        multipliers: [], widths: kernels.panelWidths)
      panels = packed.panels
      rowLength = 4 * packed.pairs
      overrun = ByteIm2col<Int16>.overrun
      tileRows = kernels.int16TileRows
      memory = packed.memory
      form = .pairs(
        ByteIm2col(window: window, channels: channels, rowLength: 2 * packed.pairs), kernels)
    }
  }

  /// Whether the sums include the zero points.
  var countsZeros: Bool {
    if case .bytes = form { true } else { false }
  }

  /// The width of the widest panel.
  var width: Int { panels.first?.width ?? 0 }

  /// Packs the rows of some outputs of an image whose zero point is `zero`.
  func pack(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, zero: Int32,
    into rows: UnsafeMutableRawPointer
  ) {
    let zero = ByteZeroPoint(isSigned: false, zeroPoint: zero)
    switch form {
    case .bytes(let im2col, _): im2col.pack(outputs, of: image, zero, into: rows)
    case .pairs(let im2col, _): im2col.pack(outputs, of: image, zero, into: rows)
    }
  }

  /// Multiplies consecutive rows by a panel. A row of sums is as long as the panel is wide.
  @inline(__always)
  func multiply(
    _ rows: UnsafeRawPointer, _ count: Int, by panel: Panel,
    into sums: UnsafeMutablePointer<Int32>
  ) {
    let start = UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) + panel.offset
    switch form {
    case .bytes(_, let bytes):
      bytes.int8GEMMSums(
        Int8GEMMSums(
          x: Matrix(rows.assumingMemoryBound(to: UInt8.self), rowStride: rowLength), rows: count,
          quads: rowLength / 4, panel: start, vectors: panel.width / 16, sums: sums))
    case .pairs(_, let kernels):
      kernels.int16GEMM(
        Int16GEMM(
          x: Matrix(rows.assumingMemoryBound(to: Int32.self), rowStride: rowLength / 4),
          rows: count, pairs: rowLength / 4, panel: start, width: panel.width,
          sums: MutableMatrix(sums, rowStride: panel.width)))
    }
  }
}
