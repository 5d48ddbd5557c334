//===--- HybridWeights.swift - byte weights of hybrid kernels -------------===//
//
// Packed as bytes where the processor multiplies those, else as pairs of 16-bit integers; and the
// rows that they multiply, laid out of images of unsigned bytes accordingly. The zero point of bytes
// counts in the sums; that of pairs is taken off first.
//
// Contract  Exact; weights are signed bytes.
// Checked   Tests/MartletKernelsTests/HybridConvolutionTests.swift
//===----------------------------------------------------------------------===//

import MartletLevels
import MartletMicrokernels
import MartletRuntime
import MartletTensor

/// A matrix of byte weights, packed.
struct HybridWeights: Sendable {
  let panels: [Panel]
  /// The bytes of a row that is laid out.
  let rowLength: Int
  let tileRows: Int
  /// Whether zero points count in the sums.
  let countsZeros: Bool
  private let memory: Arena
  private let kernels: Microkernels

  /// Packs `columns` rows of `depth` weights.
  init(columns: Int, depth: Int, weights: [Int16], kernels: Microkernels) {
    let none = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    self.kernels = kernels
    if let bytes = kernels.bytes {
      let packed = Int8Panels(
        columns: columns, depth: depth, weights: weights, bias: none,
        zero: ByteZeroPoint(isSigned: false, zeroPoint: 0), scaling: .none)
      panels = packed.panels
      rowLength = 4 * packed.quads
      tileRows = bytes.int8TileRows
      countsZeros = true
      memory = packed.memory
    } else {
      let packed = Int16Panels(
        columns: columns, depth: depth, weights: weights, bias: none, multipliers: [],
        widths: kernels.panelWidths)
      panels = packed.panels
      rowLength = 4 * packed.pairs
      tileRows = kernels.int16TileRows
      countsZeros = false
      memory = packed.memory.withUnsafeBytes { Arena(copying: $0) }
    }
  }

  /// How wide the widest panel is.
  var width: Int { panels.first?.width ?? 0 }

  /// Lays out the rows of some outputs of an image whose zero point is `zero`; `depth` is the number
  /// of its channels.
  func lay(
    _ outputs: Range<Int>, of image: UnsafeRawBufferPointer, _ window: SlidingWindow, depth: Int,
    zero: Int32, into dest: UnsafeMutableRawPointer
  ) {
    guard !countsZeros else {
      return Int8Im2col(
        window: window, depth: depth, rowLength: rowLength,
        border: UInt8(truncatingIfNeeded: zero)
      ).lay(outputs, of: image, into: dest)
    }
    guard let x = image.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let length = rowLength / 2
    let block = dest.assumingMemoryBound(to: Int16.self)
    let taps = window.rows.filter &* window.columns.filter
    if taps &* depth != length {
      for row in 0..<outputs.count { block[row &* length &+ taps &* depth] = 0 }
    }
    window.forEachRun(outputs) { row, tap, pixel, count in
      let dest = block + (row &* length &+ tap &* depth)
      if let pixel {
        kernels.int8Widen(
          x + pixel &* depth, count &* depth, ByteZeroPoint(flip: 0, value: Int16(zero)), dest)
      } else {
        for i in 0..<count &* depth { dest[i] = 0 }
      }
    }
  }

  /// Multiplies rows that lie one after the other by a panel; rows of sums are as long as it is wide.
  @inline(__always)
  func multiply(
    _ rows: UnsafeRawPointer, _ count: Int, by panel: Panel,
    into sums: UnsafeMutablePointer<Int32>
  ) {
    let start = UnsafePointer(memory.base.assumingMemoryBound(to: Int32.self)) + panel.offset
    if let bytes = kernels.bytes {
      bytes.int8GEMMSums(
        Int8GEMMSums(
          x: Matrix(rows.assumingMemoryBound(to: UInt8.self), rowStride: rowLength), rows: count,
          quads: rowLength / 4, panel: start, vectors: panel.width / 16, sums: sums))
    } else {
      kernels.int16GEMM(
        Int16GEMM(
          x: Matrix(rows.assumingMemoryBound(to: Int32.self), rowStride: rowLength / 4),
          rows: count, pairs: rowLength / 4, panel: start, width: panel.width,
          sums: MutableMatrix(sums, rowStride: panel.width)))
    }
  }
}
